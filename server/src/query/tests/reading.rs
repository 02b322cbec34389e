//! Outline, read, status.

use super::corpus::{Corpus, query};
use crate::query::answer::{Body, Excerpt, FileOutline};
use crate::query::cursor;
use crate::query::error::QueryError;
use crate::query::request::{Operation, Outline, Read, ReadTarget, SearchMode};
use leantoken_shared::facts::SymbolKind;
use leantoken_shared::text::LineRange;

const SHAPES: &str = "use std::fmt;\n\n/// A shape.\npub struct Shape {\n    side: u32,\n}\n\n\
                      impl Shape {\n    pub fn area(\n        &self,\n    ) -> u32 {\n        1\n    }\n}\n";

fn lines(path: &str, start: u32, end: u32) -> ReadTarget {
    ReadTarget::File {
        path: path.into(),
        lines: Some(LineRange { start, end }),
    }
}

fn symbol(path: Option<&str>, name: &str) -> ReadTarget {
    ReadTarget::Symbol {
        path: path.map(str::to_string),
        name: name.into(),
    }
}

fn read(corpus: &Corpus, target: ReadTarget) -> Result<Vec<Excerpt>, QueryError> {
    let read = Read {
        targets: vec![target],
    };
    corpus
        .run(Operation::Read(read))
        .map(|answer| match answer.body {
            Body::Excerpts(excerpts) => excerpts,
            body => panic!("{body:?}"),
        })
}

fn outline(corpus: &Corpus, target: &str, depth: u32) -> Result<Vec<FileOutline>, QueryError> {
    let outline = Outline {
        targets: vec![target.into()],
        depth,
        kinds: Vec::new(),
        limit: 1_000,
    };
    corpus
        .run(Operation::Outline(outline))
        .map(|answer| match answer.body {
            Body::Outline(files) => files,
            body => panic!("{body:?}"),
        })
}

#[test]
fn lines_are_cut_to_the_file_and_never_past_it() {
    let corpus = Corpus::new(&[("a.txt", "one\r\ntwo\r\nthree"), ("empty.txt", "")]);
    let got = read(&corpus, lines("a.txt", 2, 9)).unwrap();
    assert_eq!(got[0].lines, ["two", "three"]);
    assert_eq!((got[0].start_line, got[0].n_lines), (2, 3));
    assert!(got[0].content_hash.starts_with("b3:"));
    let past = read(&corpus, lines("a.txt", 7, 9)).unwrap_err().to_string();
    assert!(past.contains("3 lines"), "{past}");
    let whole = ReadTarget::File {
        path: "empty.txt".into(),
        lines: None,
    };
    assert_eq!(read(&corpus, whole).unwrap()[0].lines, [""; 0]);
    let answer = corpus
        .run(Operation::Read(Read {
            targets: vec![lines("a.txt", 1, 9)],
        }))
        .unwrap();
    assert!(answer.notices[0].contains("ends at line 3"));
    let Err(QueryError::NotFound { nearest, .. }) = read(&corpus, lines("x/a.txt", 1, 1)) else {
        panic!()
    };
    assert_eq!(nearest, ["a.txt"]);
}

#[test]
fn definitions_are_read_in_every_spelling() {
    let corpus = Corpus::new(&[("src/shape.rs", SHAPES)]);
    for name in [
        "Shape.area",
        "Shape::area",
        "Shape#area",
        "Shape/area",
        "area",
        "area()",
    ] {
        let got = read(&corpus, symbol(None, name)).unwrap();
        assert_eq!((got[0].start_line, got[0].end_line), (9, 13), "{name}");
        assert_eq!(got[0].symbol.as_deref(), Some("Shape.area"));
        assert_eq!(
            read(&corpus, symbol(Some("src/shape.rs"), name)).unwrap(),
            got
        );
    }
    let shape = read(&corpus, symbol(None, "Shape")).unwrap();
    assert_eq!(
        (shape.len(), shape[0].lines[0].as_str()),
        (1, "/// A shape.")
    );
    let missing = read(&corpus, symbol(None, "Sha")).unwrap_err();
    assert!(missing.hint().unwrap().contains("Shape"), "{missing:?}");
}

#[test]
fn names_are_read_however_a_language_writes_them() {
    let corpus = Corpus::new(&[
        (
            "order.cs",
            "namespace Shop.Core { class Order { public Order() {} public static Order operator +(Order a) => a; } }\n",
        ),
        (
            "v.cpp",
            "struct V {\n  ~V();\n  int operator<=>(const V&) const;\n  explicit operator bool() const;\n  int operator [](int);\n};\n",
        ),
        ("k.ts", "class K {\n  #priv() {}\n}\n"),
        (
            "run.go",
            "package run\ntype T struct{}\nfunc (t *T) Run() {}\n",
        ),
        (
            "set.rs",
            "struct Set<T>(T);\nimpl<T> Set<T> {\n    fn go(&self) {}\n}\nmod go { fn h() {} }\n",
        ),
        ("doc.md", "# Notes of v1.2\n\n# run()\n"),
    ]);
    for (name, path) in [
        ("Shop.Core.Order", "order.cs"),
        ("Core::Order", "order.cs"),
        ("Shop.Core", "order.cs"),
        ("Order.operator+", "order.cs"),
        ("operator +", "order.cs"),
        ("V::~V", "v.cpp"),
        ("operator <=>", "v.cpp"),
        ("V::operator<=>", "v.cpp"),
        ("V.operator bool", "v.cpp"),
        ("operator[]", "v.cpp"),
        ("K.#priv", "k.ts"),
        ("#priv", "k.ts"),
        ("(*T).Run", "run.go"),
        ("*T.Run", "run.go"),
        ("Set<T>.go", "set.rs"),
        ("Set::<u8>::go", "set.rs"),
        ("go.h", "set.rs"),
        ("Notes of v1.2", "doc.md"),
        ("# run()", "doc.md"),
    ] {
        let got = read(&corpus, symbol(None, name)).unwrap();
        assert_eq!(got[0].path, path, "{name}");
        let found = corpus.places(SearchMode::Symbol, name);
        assert!(found[0].starts_with(path), "{name}: {found:?}");
    }
    // What looks like a file and is none can be a definition; a real file comes first.
    let file = |path: &str| ReadTarget::File {
        path: path.into(),
        lines: None,
    };
    assert_eq!(read(&corpus, file("go.h")).unwrap()[0].path, "set.rs");
    assert_eq!(read(&corpus, file("run.go")).unwrap()[0].symbol, None);
    let missing = read(&corpus, file("gone.go")).unwrap_err().to_string();
    assert!(missing.contains("file 'gone.go'"), "{missing}");
}

#[test]
fn members_defined_outside_of_their_type_are_found_by_it() {
    let corpus = Corpus::new(&[
        (
            "foo.h",
            "namespace ns { class Foo { void bar(int); static Foo* make(); ~Foo(); void only(); }; }\nint plain(int);\n",
        ),
        (
            "foo.cpp",
            "namespace ns {\nvoid Foo::bar(int x) { }\n}\nns::Foo* ns::Foo::make() { }\nns::Foo::~Foo() {}\nint plain(int x) { return x; }\n",
        ),
        ("type.go", "package p\ntype T struct{}\n"),
        (
            "run.go",
            "package p\nfunc (t *T) Run() {}\nfunc (g *G[K, V]) Get() {}\n",
        ),
    ]);
    for (name, path, qualified) in [
        ("Foo::bar", "foo.cpp", "ns.Foo.bar"),
        ("ns::Foo::bar", "foo.cpp", "ns.Foo.bar"),
        ("Foo.make", "foo.cpp", "ns.Foo.make"),
        ("ns::Foo::make", "foo.cpp", "ns.Foo.make"),
        ("make", "foo.cpp", "ns.Foo.make"),
        ("Foo::~Foo", "foo.cpp", "ns.Foo.~Foo"),
        ("Foo::only", "foo.h", "ns.Foo.only"),
        ("plain", "foo.cpp", "plain"),
        ("T.Run", "run.go", "T.Run"),
        ("(*T).Run", "run.go", "T.Run"),
        ("G.Get", "run.go", "G.Get"),
    ] {
        let got = read(&corpus, symbol(None, name)).unwrap();
        let symbol = got[0].symbol.as_deref();
        assert_eq!(
            (got[0].path.as_str(), symbol),
            (path, Some(qualified)),
            "{name}"
        );
        assert_eq!(got.len(), 1, "{name}");
    }
    let found = corpus.places(SearchMode::Symbol, "Foo::bar");
    assert_eq!(found, ["foo.cpp:2", "foo.h:1"]);
    let wrong = read(&corpus, symbol(None, "Other::bar"));
    assert!(
        matches!(wrong, Err(QueryError::NotFound { .. })),
        "{wrong:?}"
    );
}

#[test]
fn an_ambiguous_name_lists_its_meanings() {
    let corpus = Corpus::new(&[
        ("a.rs", "fn open() {}\n"),
        ("b.rs", "\nfn open() {}\n"),
        ("c.py", "class K:\n    def __init__(self):\n        pass\n"),
    ]);
    let error = read(&corpus, symbol(None, "open")).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("a.rs#open, b.rs#open"), "{text}");
    assert_eq!(error.category().as_str(), "invalid_request");
    assert_eq!(
        read(&corpus, symbol(Some("b.rs"), "open")).unwrap()[0].start_line,
        2
    );
    assert_eq!(
        read(&corpus, symbol(None, "b::open")).unwrap()[0].start_line,
        2
    );
    assert_eq!(
        read(&corpus, symbol(None, "__init__")).unwrap()[0].start_line,
        2
    );
}

#[test]
fn overloads_are_all_shown() {
    let text = "class K:\n    @property\n    def v(self):\n        return 1\n\n    @v.setter\n    def v(self, x):\n        pass\n";
    let corpus = Corpus::new(&[("k.py", text)]);
    let got = read(&corpus, symbol(None, "K.v")).unwrap();
    let shown: usize = got.iter().map(|excerpt| excerpt.lines.len()).sum();
    assert_eq!(shown, 6, "{got:?}");
}

#[test]
fn pages_of_source_join_to_the_whole() {
    let text: String = (0..300).map(|n| format!("line {n}\n")).collect();
    let corpus = Corpus::new(&[("a.txt", &text), ("b.txt", "last\n")]);
    let targets = vec![
        ReadTarget::File {
            path: "a.txt".into(),
            lines: None,
        },
        ReadTarget::File {
            path: "b.txt".into(),
            lines: None,
        },
    ];
    let mut query = query(Operation::Read(Read { targets }));
    query.budget.max_bytes = 2_000;
    let mut joined = Vec::new();
    loop {
        let answer = corpus.ask(&query).unwrap();
        assert_eq!(answer.extent.total, 301);
        let Body::Excerpts(excerpts) = answer.body else {
            panic!()
        };
        joined.extend(excerpts.into_iter().flat_map(|excerpt| excerpt.lines));
        let Some(next) = answer.extent.next_cursor else {
            break;
        };
        query.skip = cursor::decode(&next, &query.operation, corpus.view.generation()).unwrap();
    }
    assert_eq!(joined.join("\n") + "\n", text + "last\n");
}

#[test]
fn outlines_show_signatures_and_imports() {
    let corpus = Corpus::new(&[("src/shape.rs", SHAPES), ("src/x.unknown", "hello\n")]);
    let files = outline(&corpus, "src/shape.rs", 9).unwrap();
    assert_eq!(files[0].imports, ["use std::fmt"]);
    let many = Corpus::new(&[("a.rs", "use a::{b::{self, c as d}, *};\nuse e::f;\n")]);
    let many = outline(&many, "a.rs", 1).unwrap();
    assert_eq!(
        many[0].imports,
        ["use a::{b::{self, c as d}, *}", "use e::f"]
    );
    let area = files[0].symbols.iter().find(|s| s.name == "area").unwrap();
    assert_eq!(
        (area.kind, area.depth, area.start_line),
        (SymbolKind::Method, 1, 9)
    );
    assert_eq!(area.signature, "pub fn area( &self, ) -> u32");
    let top = outline(&corpus, "src/*.rs", 1).unwrap();
    assert!(top[0].symbols.iter().all(|s| s.depth == 0) && !top[0].symbols.is_empty());
    assert_eq!(outline(&corpus, "src", 1).unwrap().len(), 2);
    let bare = Outline {
        targets: vec!["src/x.unknown".into()],
        depth: 1,
        kinds: Vec::new(),
        limit: 9,
    };
    let answer = corpus.run(Operation::Outline(bare)).unwrap();
    assert!(answer.notices[0].contains("no definitions"));
    let Err(QueryError::NotFound { nearest, .. }) = outline(&corpus, "lib/shape.rs", 1) else {
        panic!()
    };
    assert_eq!(nearest, ["src/shape.rs"]);
}

#[test]
fn outlines_page_within_a_file() {
    let text: String = (0..20).map(|n| format!("fn f{n}() {{}}\n")).collect();
    let corpus = Corpus::new(&[("a.rs", &text), ("b.rs", "fn last() {}\n")]);
    let wanted = Outline {
        targets: vec!["*.rs".into()],
        depth: 1,
        kinds: Vec::new(),
        limit: 6,
    };
    let mut query = query(Operation::Outline(wanted));
    let mut names = Vec::new();
    loop {
        let answer = corpus.ask(&query).unwrap();
        assert_eq!(answer.extent.total, 21);
        let Body::Outline(files) = answer.body else {
            panic!()
        };
        names.extend(
            files
                .into_iter()
                .flat_map(|file| file.symbols)
                .map(|symbol| symbol.name),
        );
        let Some(next) = answer.extent.next_cursor else {
            break;
        };
        query.skip = cursor::decode(&next, &query.operation, corpus.view.generation()).unwrap();
    }
    assert_eq!((names.len(), names[20].as_str()), (21, "last"));
}

#[test]
fn status_counts_what_is_there() {
    let corpus = Corpus::new(&[("a.rs", "fn a() {}\n"), ("b.txt", "x\ny\n")]);
    let Body::Status(status) = corpus.run(Operation::Status).unwrap().body else {
        panic!()
    };
    assert_eq!(
        (status.n_files, status.n_lines, status.n_symbols),
        (2, 3, 1)
    );
    assert_eq!(status.languages[0].2, 2);
}
