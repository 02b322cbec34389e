use super::super::languages::fixture::{check, check_imports, check_uses, facts};
use super::{MAX_DATA_BYTES, MAX_SYMBOLS};
use crate::language::Language;

#[test]
fn toml() {
    check(
        Language::Toml,
        "# c = 1\ntop = 1\n[package]\nname = \"a # b\"\nlist = [\n  \"x = 1\", # y\n]\n\n[package.meta.deep]\n\"odd key\" = '''\nno = 1\n'''\na.b = { c = 1 }\n[[bin]]\npath = \"x\"\n[[bin]]\npath = \"y\"\n[last]\n",
        "property top public 2 | top = 1
         property package public 3-13 | [package]
         property package.name public 4 | name = \"a # b\"
         property package.list public 5-7 | list = [
         property package.meta.deep public 9-13 | [package.meta.deep]
         property package.meta.deep.odd key public 10-12 | \"odd key\" = '''
         property package.meta.deep.a.b public 13 | a.b = { c = 1 }
         property bin public 14-15 | [[bin]]
         property bin.path public 15 | path = \"x\"
         property last public 18 | [last]",
    );
}

#[test]
fn json() {
    check(
        Language::Json,
        "// c\n{\n  \"name\": \"x\", /* \"no\": 1 */\n  \"scripts\": {\n    \"test\": \"a: {b\",\n    \"x\\\"y\": { \"z\": null }\n  },\n  \"list\": [{ \"no\": 1 }, { \"no\": 2 }],\n  \"last\": { }\n}\n{\"second\": 1}\n",
        "property name public 3 | \"name\": \"x\"
         property scripts public 4-7 | \"scripts\"
         property scripts.test public 5 | \"test\": \"a: {b\"
         property scripts.x\\\"y public 6 | \"x\\\"y\"
         property scripts.x\\\"y.z public 6 | \"z\": null
         property list public 8 | \"list\": [{ \"no\": 1 }, { \"no\": 2 }]
         property last public 9 | \"last\"",
    );
}

#[test]
fn json_levels_are_bounded() {
    check(
        Language::Json,
        "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":{\"g\":{\"h\":1}}}}}}},\"after\":2}\n",
        "property a public 1 | \"a\"
         property a.b public 1 | \"b\"
         property a.b.c public 1 | \"c\"
         property a.b.c.d public 1 | \"d\"
         property a.b.c.d.e public 1 | \"e\"
         property a.b.c.d.e.f public 1 | \"f\"
         property after public 1 | \"after\":2",
    );
}

#[test]
fn yaml() {
    check(
        Language::Yaml,
        "# c: 1\non: [push]\njobs:\n  build:\n    runs-on: \"a: b\"\n    steps:\n      - uses: x\n        with:\n          no: 1\n    script: |\n      no: 1\n      more\n    flow: {\n      no: 1 }\n  \"odd key\":\n    env: &x\n      A: 1\nitems:\n- no: 1\n  no2: 2\nhelm:\n  {{- if x }}\n  image: a:b # c: d\n---\nsecond: 'x\n  no: y'\nlast: http://x\n",
        "property on public 2 | on: [push]
         property jobs public 3-17 | jobs:
         property jobs.build public 4-14 | build:
         property jobs.build.runs-on public 5 | runs-on: \"a: b\"
         property jobs.build.steps public 6-9 | steps:
         property jobs.build.script public 10-12 | script: |
         property jobs.build.flow public 13-14 | flow:
         property jobs.odd key public 15-17 | \"odd key\":
         property jobs.odd key.env public 16-17 | env: &x
         property jobs.odd key.env.A public 17 | A: 1
         property items public 18-20 | items:
         property helm public 21-23 | helm:
         property helm.image public 23 | image: a:b # c: d
         property second public 25-26 | second: 'x
         property last public 27 | last: http://x",
    );
}

#[test]
fn css() {
    check(
        Language::Css,
        "@import \"a.css\";\n/* .no { } */\n:root { --main: url(http://x); }\n.card > a:hover,\n.card b { color: red; }\n@media (min-width: 1px) {\n  h1::before { content: \"} .no {\"; }\n}\n// .no { }\n$gap: 1px;\n@less: 2;\n@mixin center($x) { a: b }\n@function twice($x) { @return $x; }\n.a { &:hover { --b: 1; .c-#{$x} { d: e } } }\n@font-face { font-family: X }\n.last {}\n",
        "property :root public 3 | :root
         variable :root.--main public 3 | --main: url(http://x)
         property .card > a:hover, public 4-5 | .card > a:hover,
         module @media (min-width: 1px) public 6-8 | @media (min-width: 1px)
         property @media (min-width: 1px).h1::before public 7 | h1::before
         variable $gap public 10 | $gap: 1px
         variable @less public 11 | @less: 2
         macro center public 12 | @mixin center($x)
         function twice public 13 | @function twice($x)
         property .a public 14 | .a
         property .a.&:hover public 14 | &:hover
         variable .a.&:hover.--b public 14 | --b: 1
         property .a.&:hover..c-#{$x} public 14 | .c-#{$x}
         module @font-face public 15 | @font-face
         property .last public 16 | .last",
    );
    check_imports(
        Language::Css,
        "@import url(\"a.css\") screen;\n@import 'b', \"c\";\n@use \"d/e\" as f;\n@forward \"g\";\n",
        "a.css\nb\nc\nd/e\npub g",
    );
}

#[test]
fn html() {
    check(
        Language::Html,
        "<!-- <h1>no</h1> -->\n<h1 id=top>The <b>top</b></h1>\n<form id=\"login\" data-x='<div id=no>'>\n</form>\n<h2>\n  <a href=\"#\">Sub</a>\n</h2>\n<script>var x = '<h1>no</h1>';</script>\n<section ID='s'><h1>Next</h1>\n<br/></section>\n",
        "heading The public 2-9 | <h1 id=top>The <b>top</b>
         property The.login public 3 | <form id=\"login\" data-x='<div id=no>'>
         heading The.Sub public 5-9 | <h2>
         property The.Sub.s public 9 | <section ID='s'>
         heading Next public 9-10 | <h1>Next",
    );
    check_imports(
        Language::Html,
        "<link rel=\"stylesheet\" href=\"a.css\"><link rel=icon href=x>\n<script src=b.js></script>\n<script type=\"module\" src=\"./c.js\" ></script>\n",
        "a.css\nb.js\n./c.js",
    );
}

#[test]
fn sql() {
    check(
        Language::Sql,
        "-- create table no (a int);\nCREATE TABLE IF NOT EXISTS shop.\"Cart\" (\n  id bigint PRIMARY KEY, -- a, b\n  `total` numeric(10, 2) DEFAULT 'x, y',\n  CONSTRAINT c CHECK (a > 1),\n  PRIMARY KEY (id)\n);\ncreate or replace view v as select 1;\nCREATE UNIQUE INDEX CONCURRENTLY i ON t (x);\nCREATE FUNCTION f(a int) RETURNS int AS $body$\nBEGIN; CREATE TABLE no (a int); END;\n$body$ LANGUAGE plpgsql;\nCREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN b THEN 1 END; DELETE FROM x; END;\nINSERT INTO t VALUES ('; create table no (a int);');\nCREATE TYPE mood AS ENUM ('a');\nCREATE MATERIALIZED VIEW mv AS SELECT 1;\nCREATE PROCEDURE [dbo].[p] AS BEGIN IF a BEGIN SELECT 1; END; END;\nALTER TABLE t ADD x int;\nCREATE TABLE last AS SELECT 1\n",
        "struct Cart public 2-7 | CREATE TABLE IF NOT EXISTS shop.\"Cart\"
         field Cart.id public 3 | id bigint PRIMARY KEY
         field Cart.total public 4 | `total` numeric(10, 2) DEFAULT 'x, y'
         struct v public 8 | create or replace view v as select 1
         property i public 9 | CREATE UNIQUE INDEX CONCURRENTLY i ON t (x)
         function f public 10-12 | CREATE FUNCTION f(a int) RETURNS int AS $body$
         event g public 13 | CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN b THEN 1 END; DELETE FROM x; END
         type mood public 15 | CREATE TYPE mood AS ENUM ('a')
         struct mv public 16 | CREATE MATERIALIZED VIEW mv AS SELECT 1
         function p public 17 | CREATE PROCEDURE [dbo].[p] AS BEGIN IF a BEGIN SELECT 1; END; END
         struct last public 19 | CREATE TABLE last AS SELECT 1",
    );
}

#[test]
fn protobuf() {
    let source = "syntax = \"proto3\";\npackage a.b;\nimport \"c/d.proto\";\nimport public \"e.proto\";\n// message No {}\nmessage M {\n  option (x) = { a: \"}\" };\n  repeated other.T list = 1 [deprecated = true];\n  map<string, V> by_key = 2;\n  oneof kind {\n    int32 n = 3;\n    Inner i = 4;\n  }\n  enum E { NONE = 0; ONE = 1; }\n  message Inner { bool b = 1; }\n  reserved 5, 6;\n}\nservice S {\n  rpc Get (M) returns (stream a.R);\n  rpc Put(stream M) returns (R) { option (y) = 1; }\n}\nextend google.Opts { string z = 9; }\n";
    check(
        Language::Protobuf,
        source,
        "struct M public 6-17 | message M
         field M.list public 8 | repeated other.T list = 1 [deprecated = true];
         field M.by_key public 9 | map<string, V> by_key = 2;
         field M.n public 11 | int32 n = 3;
         field M.i public 12 | Inner i = 4;
         enum M.E public 14 | enum E
         variant M.E.NONE public 14 | NONE = 0;
         variant M.E.ONE public 14 | ONE = 1;
         struct M.Inner public 15 | message Inner
         field M.Inner.b public 15 | bool b = 1;
         interface S public 18-21 | service S
         method S.Get public 19 | rpc Get (M) returns (stream a.R);
         method S.Put public 20 | rpc Put(stream M) returns (R)
         field z public 22 | string z = 9;",
    );
    check_uses(
        Language::Protobuf,
        source,
        "type T < M.list
         type V < M.by_key
         type Inner < M.i
         type M < S.Get
         type R < S.Get
         type M < S.Put
         type R < S.Put
         type Opts < file",
    );
    check_imports(Language::Protobuf, source, "c/d.proto\npub e.proto");
}

#[test]
fn make() {
    check(
        Language::Make,
        "# no: x\nCC ?= gcc\nSRC := a.c \\\n  no: b.c\nexport PATH = x\n.PHONY: all\nall: $(OBJ:.c=.o) | dir\n\techo no: x\n\n\tmore\n%.o: %.c\n\tcc\nbuild/x test::\n\ttest: no\nifeq ($(A),b)\nCC = clang\nendif\ndefine recipe\nno: x\nendef\n$(OUT): x\nlast:; echo\n",
        "variable CC public 2 | CC ?= gcc
         variable SRC public 3-4 | SRC := a.c \\
         variable PATH public 5 | export PATH = x
         function all public 7-10 | all: $(OBJ:.c=.o) | dir
         function build/x public 13-14 | build/x test::
         function test public 13-14 | build/x test::
         macro recipe public 18-20 | define recipe
         function last public 22 | last:; echo",
    );
    check_imports(
        Language::Make,
        "include a.mk b.mk\n-include $(DEPS)\n",
        "pub a.mk\npub b.mk\npub $(DEPS)",
    );
}

#[test]
fn docker() {
    check(
        Language::Docker,
        "ARG V=1\nFROM --platform=x rust:$V AS build\nENV A=b\nRUN a && \\\n  FROM no AS no\n# FROM no AS no\n\nfrom build as test\nRUN b\nFROM scratch\nCOPY --from=build /x /x\n",
        "variable V public 1 | ARG V=1
         module build public 2-6 | FROM --platform=x rust:$V AS build
         variable build.A public 3 | ENV A=b
         module test public 8-9 | from build as test",
    );
    check_imports(
        Language::Docker,
        "FROM rust:1 AS build\nFROM build\nFROM alpine\n",
        "rust:1\nalpine",
    );
}

#[test]
fn latex() {
    let source = "\\documentclass[a4]{article}\n\\usepackage{a, b}\n% \\section{No}\n\\newcommand{\\vect}[1]{x}\n\\section{One $x$}\\label{sec:one}\n\\input{parts/p}\n\\subsection*{Sub}\n\\begin{verbatim}\n\\section{No}\n\\end{verbatim}\nSee \\ref{sec:one} and \\cite[p. 1]{k1, k2}, 5\\% \\& \\\\\n\\section[short]{Two}\n";
    check(
        Language::Latex,
        source,
        "macro \\vect public 4 | \\newcommand{\\vect}
         heading One $x$ public 5-11 | \\section{One $x$}
         property One $x$.sec:one public 5 | \\label{sec:one}
         heading One $x$.Sub public 7-11 | \\subsection*{Sub}
         heading Two public 12 | \\section[short]{Two}",
    );
    check_uses(
        Language::Latex,
        source,
        "other sec:one < One $x$.Sub
         other k1 < One $x$.Sub
         other k2 < One $x$.Sub",
    );
    check_imports(Language::Latex, source, "article\na\nb\nparts/p");
    check(
        Language::Latex,
        "@article{key:1,\n  title={@no{x,}}\n}\n",
        "property key:1 public 1 | @article{key:1",
    );
}

#[test]
fn prose() {
    check(
        Language::Prose,
        "=====\nTitle\n=====\n\nwords\n\nOne\n---\n\ntext\n\n  indented\n  --------\n\nSub\n~~~\n\nTwo\n---\n\n====  ===\na     b\n====  ===\n\nlast words\n",
        "heading Title public 2-25 | Title
         heading Title.One public 7-16 | One
         heading Title.One.Sub public 15-16 | Sub
         heading Title.Two public 18-25 | Two",
    );
    check(
        Language::Prose,
        "= Guide\n\n== Part one\n=== Deep\n== Part two\n",
        "heading Guide public 1-5 | = Guide
         heading Guide.Part one public 3-4 | == Part one
         heading Guide.Part one.Deep public 4 | === Deep
         heading Guide.Part two public 5 | == Part two",
    );
}

#[test]
fn data_files_are_bounded() {
    let many: String = (0..MAX_SYMBOLS + 5).map(|n| format!("k{n}: 1\n")).collect();
    assert_eq!(facts(Language::Yaml, &many).symbols.len(), MAX_SYMBOLS);
    let large = format!("a: 1\n{}", "#\n".repeat(MAX_DATA_BYTES));
    assert!(facts(Language::Yaml, &large).symbols.is_empty());
    let lock = "# This file is @generated\n[[package]]\nname = \"x\"\n";
    assert!(facts(Language::Toml, lock).symbols.is_empty());
}
