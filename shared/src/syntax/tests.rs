use super::languages::fixture::check_invariants;
use super::*;
use proptest::prelude::*;

/// Real shapes of each language, to be cut and mutated.
const SNIPPETS: &[&str] = &[
    "/// D\n#[a(b)]\npub(crate) fn f<T: A>(x: &'a T) -> R where T: B { m!(a, b(c)); x.y::<Z>()?.w }\nuse a::{self, b::*, c as d};\nimpl<T> Tr for S<T> { type X = u8; const N: u8 = 1; fn g(&self) {} }\nmod m { //! in\n enum E { A { x: u8 }, B(u8) } }\nmacro_rules! q { ($x:expr) => { $x } }\n",
    "@d(1)\nclass K(B, metaclass=M):\n    '''doc'''\n    x: int = 1\n    def __init__(self, *a, **k):\n        self.y = a\n    @property\n    async def p(self) -> 'T': return [i for i in x if (j := i)]\nfrom ..a import (b as c, d)\nx, y = 1, f\"{z!r:>{w}}\"\nmatch x:\n    case K(a=1) | [b, *_]: pass\ntype V[T] = list[T]\n",
    "package p\nimport (\n\tx \"a/b\"\n\t. \"c\"\n)\n// D\ntype S struct {\n\tA, b int `t`\n\t*x.Base\n}\ntype I interface { M(n int) error; ~int | string }\nfunc (s *S[T]) M(n int) (e error) { go f(S{A: 1}.b...); return }\nvar a, B = 1, func() {}\nconst (\n\tC = iota\n)\n",
    "#include <x.h>\n#define M(a, \\\n b) a\n/* d */ static int *f(int a[], ...) { struct s { int i; } v = {.i = 1}; return g(&v->i); }\ntypedef struct { union { int x : 3; }; } T, *P;\nenum E { A = 1, B };\n#if X\nint a;\n#else\nint b\n#endif\n;\nFOO(a)\nstruct API_X q { int z; };\n",
    "namespace a::b { template <class T> class API_X W : public n::B<T>, C { public: W() : x(1) {} ~W(); operator int(); T operator+(const W&) const; friend void f(); private: T x; enum class M : int { A }; }; }\nusing U = W<int>; void W<int>::go() { auto l = [&](auto x) { return new D{x}; }; }\nLIB_MACRO\nclass Q final {};\n",
    "# A\n\ntext\n\nB\n---\n```\n# c\n```\n> # D #\n- # E\n",
    "/** d */ export default class A extends B<C> { #p = 1; @d() get x() { return `a${b}`; } constructor(private y: T) { super(); } }\nexport const f = async <T,>(x: T) => <div a={x}/>;\nimport d, { a as b } from './c';\nnamespace N { export enum E { A = 1 } }\n",
    "package a.b;\nimport static x.Y.*;\n/** d */ @A(1) public sealed interface I<T> extends J permits K { default void f() throws X { var s = \"\"\"\n t \"\"\"; } record R(int a) {} enum E { A(1) { void g() {} }; E(int i) {} } }\n",
    "using A = B.C;\nnamespace N;\n/// <summary>d</summary>\n[X(1)] public partial record class R<T>(int A) : B(A), I where T : new() { public int P { get; init; } = 1; event E e; this[int i] => 1; public static R operator +(R a) => a; ~R() {} }\n#if A\nclass Q { }\n#endif\n",
    "# D\nmodule A\n  class B::C < D\n    attr_accessor :x, :\"y z\"\n    private def f(a, *b, k: 1, &c) = @x ||= g(a) { |q| q }\n    class << self; private; def s; end; end\n  end\nend\nE = <<~T\n  #{h(<<~I)} x\n   i\n  I\nT\nF = Struct.new(:a) do def m; end end\n",
    "<?php\nnamespace A\\B;\nuse C\\{D as E, function f};\n/** d */ #[X] abstract class K extends L implements M { use T, \\B\\U { T::q insteadof \\B\\U; } const A = 1, B = 2; private ?Y $p = null, $q; function __construct(private int $x) { $f = fn($y) => <<<E\n {$y}\n E; } }\nenum S: string { case A = 'a'; }\n?><b><?= g() ?>\n",
    "package a\nimport b.{C => D, _}\n/** d */ case class K[+A <: B](x: Int)(implicit y: Z) extends W(1) with V { val (a, b) = 1; private[this] def f[T](g: T): U = { g match { case Some(h) => s\"$h\" } } }\nobject O { given Ord[Int] with { def c = 1 } }\nenum E:\n  case A, B(x: Int)\n",
    "import a.b as C\n/** d */ @A(1) data class K<T : B>(private val x: Int) : L(), M by n { companion object { const val C = '}' } val y by lazy { \"${ z { \"}\" } }\" }\n constructor(q: Int) : this(q) { f() } }\nenum class E { A { fun g() {} }, B; }\nfun <T> String.h(): Int = \"\"\"$x\"\"\".i\n",
    "#!/bin/sh\n# d\nf() { local a=1; g \"$a\" | h; }\nreadonly X=1 Y=(a b)\n. ./l.sh\ncat <<-E\n\t$(f) ${X:-\"y\"}\n\tE\ncase $1 in a|b) f ;; esac\n",
    "local M = { a = 1, f = function(x) end }\n--- d\nfunction M.n:o(b, ...) local c <const> = require 'd'; self:p { q = 1 } end\nM.g = function() return [==[ ]] ]==] end\nreturn M\n",
    "defmodule A.B do\n  @moduledoc \"\"\"\n  d\n  \"\"\"\n  use C, x: 1\n  alias D.{E, F}\n  @type t :: %G{a: b}\n  defstruct [:a, b: 1]\n  @doc \"d\"\n  @spec f(t) :: t\n  def f(x, y \\\\ 1) when x > @k, do: x |> g(\"#{y}\")\n  defimpl P, for: Q do def h(t), do: t end\nend\n",
    "import A\n/// d\n@o public final class K<T: P>: B<T>, I where T: Q { private(set) var v: Int? { get { 1 } }\n init(x y: Int) throws { super.init() }\n subscript(i: Int) -> Int { 1 } }\nextension K: R { func f() { \"\\(g { $0 })\" } }\nenum E { case a = 1, b; indirect case c(Int) }\n",
    "# c\n[a.b]\nk = [\n 1, '''x'''\n]\n[[a.b.c]]\n\"q q\" = { x = 1 }\n---\nk: &a\n  - x: 1\n  l: |\n    m: 1\n  n: { o: 1 }\n'p q': \"r\n  s\"\n{ \"a\": { /* b */ \"c\": [1, { \"d\": 2 }] } }\n",
    "@use \"x\" as y;\n.a > b:hover, c { --d: url(//e); &:f { g: #{$h} } }\n@media (x) { @mixin i($j) { } }\n$k: 1;\n<h1 id=l>M</h1><script src='n'>a<b</script><p id=\"o\"><!-- p --><link rel=stylesheet href=q>\n",
    "create table if not exists a.\"b\" (c int, `d` text default 'x;', primary key (c));\ncreate function f() as $$ begin; end; $$;\nsyntax = \"proto3\";\nmessage M { oneof o { a.T t = 1; } enum E { A = 0; } map<string, V> m = 2; }\nservice S { rpc G (stream M) returns (M) { } }\nimport public \"x\";\n",
    "A ?= b \\\n c\nall: x\n\ty\ndefine z\nendef\ninclude i\nFROM a:b AS c\nARG d=1\nRUN e \\\n f\n\\section[s]{T \\label{l}}\n% x\n\\input{i} \\cite{k, m} \\begin{verbatim}\n@article{k,\nTitle\n=====\nSub\n---\n== A\n",
];

fn all_languages(text: &str) {
    let mut analyzer = Analyzer::new(AnalysisLimits::STANDARD);
    for language in Language::all() {
        let facts = analyzer.analyze(language, text);
        check_invariants(&facts, text);
        assert_eq!(facts, analyzer.analyze(language, text), "{language:?}");
    }
}

#[test]
fn whole_snippets_hold_the_invariants_everywhere() {
    for snippet in SNIPPETS {
        all_languages(snippet);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_holds_the_invariants(text in "([ -~\n\r\té中]|[{}();:<>\"'#/*]){0,200}") {
        all_languages(&text);
    }

    #[test]
    fn damaged_snippets_hold_the_invariants(
        which in 0..SNIPPETS.len(),
        other in 0..SNIPPETS.len(),
        cuts in prop::collection::vec((0..1000usize, 0..40usize, 0..500usize), 0..4),
    ) {
        let mut chars: Vec<char> = SNIPPETS[which].chars().collect();
        let source: Vec<char> = SNIPPETS[other].chars().collect();
        for (at, remove, from) in cuts {
            let at = at % (chars.len() + 1);
            let end = (at + remove).min(chars.len());
            let from = from % source.len();
            let piece = &source[from..(from + 20).min(source.len())];
            chars.splice(at..end, piece.iter().copied());
        }
        all_languages(&chars.into_iter().collect::<String>());
    }
}

fn analyze(language: Language, text: &str, limits: AnalysisLimits) -> FileFacts {
    let facts = Analyzer::new(limits).analyze(language, text);
    check_invariants(&facts, text);
    facts
}

#[test]
fn deep_nesting_is_noted_and_what_follows_is_kept() {
    for (open, close) in [("{", "}"), ("(", ")"), ("[", "]")] {
        let nested = format!("{}1{}", open.repeat(16_000), close.repeat(16_000));
        let limits = AnalysisLimits {
            max_line_bytes: u32::MAX,
            ..AnalysisLimits::STANDARD
        };
        let text = format!("fn f() {{ {nested}; }}\nfn after() {{}}\n");
        let facts = analyze(Language::Rust, &text, limits);
        assert!(facts.notes.has(Note::TooDeep));
        assert!(facts.names.find("after").is_some());
        for language in Language::all() {
            analyze(language, &text, limits);
        }
        let tree = format!(
            "use a::{{{}b{}}};\n",
            "{a::".repeat(9_000),
            "}".repeat(9_000)
        );
        analyze(Language::Rust, &tree, limits);
    }
}

#[test]
fn limits_leave_text_and_a_note() {
    let limits = AnalysisLimits::STANDARD;
    let long = format!("fn f() {{}}\n// {}\n", "x".repeat(30_000));
    assert!(
        analyze(Language::Rust, &long, limits)
            .notes
            .has(Note::LongLines)
    );
    let small = AnalysisLimits {
        max_parse_bytes: 10,
        ..limits
    };
    let facts = analyze(Language::Rust, "fn f() {}\n\n", small);
    assert!(facts.notes.has(Note::TooLargeToParse) && facts.symbols.is_empty());
    let few = AnalysisLimits {
        max_nodes: 20,
        ..limits
    };
    let facts = analyze(Language::Rust, &"fn f() { g(); }\n".repeat(9), few);
    assert!(facts.notes.has(Note::TooManyNodes) && !facts.symbols.is_empty());
    let no_time = AnalysisLimits {
        max_parse_ms: 0,
        ..limits
    };
    let facts = analyze(Language::Rust, &"fn f() { g(); }\n".repeat(9_000), no_time);
    assert!(facts.notes.has(Note::ParseTimeout));
}

#[test]
fn a_stopped_parse_does_not_touch_the_next() {
    let limits = AnalysisLimits {
        max_parse_ms: 0,
        ..AnalysisLimits::STANDARD
    };
    let mut analyzer = Analyzer::new(limits);
    analyzer.analyze(Language::Rust, &"fn f() { g(); }\n".repeat(9_000));
    let facts = analyzer.analyze(Language::Rust, "struct S;\n");
    assert_eq!(facts.symbols.len(), 1);
}

#[test]
fn broken_source_is_noted() {
    let facts = analyze(
        Language::Rust,
        "fn f( {\nfn g() {}\n",
        AnalysisLimits::STANDARD,
    );
    assert!(facts.notes.has(Note::SyntaxErrors));
}
