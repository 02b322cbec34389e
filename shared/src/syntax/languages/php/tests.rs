use super::super::fixture::{check, check_imports, check_uses, facts};
use crate::language::Language::Php;

#[test]
fn types_and_their_members() {
    check(
        Php,
        "<?php\nnamespace Shop\\Cart;\n\n/** A cart. */\n#[Entity(table: 'x')]\nabstract class Cart extends Base implements \\Countable, L\\Named {\n    use Logs, \\Util\\Dumps;\n    const A = 1, B = 2;\n    private const int C = 3;\n    public ?Item $first = null, $second;\n    protected static array $all = [\n        1,\n    ];\n    var $old;\n    /** Makes. */\n    public function __construct(private readonly int $size, Item|null $i) {}\n    #[Pure]\n    final protected function total(int ...$more): ?float { return 1; }\n    abstract function open();\n    private static function &hidden() {}\n    public string $name { get => $this->name; set { $this->name = $value; } }\n}\ninterface Named extends A, B { public function name(): string; }\ntrait Logs { private function log() {} }\nenum Suit: string implements Named { case Hearts = 'h'; case Spades = 's'; const Wild = self::Spades; public function label() {} }\nfunction free(array $x = []): void {}\nconst TOP = 1;\ndefine('OLD_STYLE', 2);\n",
        "module Shop\\Cart public 2-28 | namespace Shop\\Cart
         class Shop\\Cart.Cart public 5-22 | abstract class Cart extends Base implements \\Countable, L\\Named | /** A cart. */
         constant Shop\\Cart.Cart.A public 8 | const A = 1
         constant Shop\\Cart.Cart.B public 8 | B = 2
         constant Shop\\Cart.Cart.C private 9 | private const int C = 3
         field Shop\\Cart.Cart.first public 10 | public ?Item $first = null
         field Shop\\Cart.Cart.second public 10 | $second
         field Shop\\Cart.Cart.all restricted 11-13 | protected static array $all
         field Shop\\Cart.Cart.old public 14 | var $old
         constructor Shop\\Cart.Cart.__construct public 16 | public function __construct(private readonly int $size, Item|null $i) | /** Makes. */
         field Shop\\Cart.Cart.size private 16 | private readonly int $size
         method Shop\\Cart.Cart.total restricted 17-18 | final protected function total(int ...$more): ?float
         method Shop\\Cart.Cart.open public 19 | abstract function open()
         method Shop\\Cart.Cart.hidden private 20 | private static function &hidden()
         property Shop\\Cart.Cart.name public 21 | public string $name
         interface Shop\\Cart.Named public 23 | interface Named extends A, B
         method Shop\\Cart.Named.name public 23 | public function name(): string
         trait Shop\\Cart.Logs public 24 | trait Logs
         method Shop\\Cart.Logs.log private 24 | private function log()
         enum Shop\\Cart.Suit public 25 | enum Suit: string implements Named
         variant Shop\\Cart.Suit.Hearts public 25 | case Hearts = 'h'
         variant Shop\\Cart.Suit.Spades public 25 | case Spades = 's'
         constant Shop\\Cart.Suit.Wild public 25 | const Wild = self::Spades
         method Shop\\Cart.Suit.label public 25 | public function label()
         function Shop\\Cart.free public 26 | function free(array $x = []): void
         constant Shop\\Cart.TOP public 27 | const TOP = 1
         constant Shop\\Cart.OLD_STYLE public 28 | define('OLD_STYLE', 2)",
    );
}

#[test]
fn namespaces_with_and_without_braces() {
    check(
        Php,
        "<?php\nnamespace A;\nfunction f() {}\nnamespace B\\C;\nfunction g() {}\n",
        "module A public 2-3 | namespace A
         function A.f public 3 | function f()
         module B\\C public 4-5 | namespace B\\C
         function B\\C.g public 5 | function g()",
    );
}

#[test]
fn traits_chosen_by_qualified_name_do_not_hide_what_follows() {
    check(
        Php,
        "<?php\nnamespace A {\n  class K {\n    use T, \\B\\U { T::q insteadof \\B\\U; \\B\\U::q as protected other; T::r insteadof V, \\B\\U; }\n    function after() {}\n  }\n}\nnamespace B {\n  trait U {}\n}\n",
        "module A public 2-7 | namespace A
         class A.K public 3-6 | class K
         method A.K.after public 5 | function after()
         module B public 8-10 | namespace B
         trait B.U public 9 | trait U",
    );
}

#[test]
fn local_and_nameless_definitions() {
    check(
        Php,
        "<?php\nfunction outer() {\n  function inner() {}\n  $f = function ($x) use ($y) { return 1; };\n  return new class(1) extends Base { public function anon() {} };\n}\n",
        "function outer public 2-6 | function outer()
         function outer.inner public! 3 | function inner()
         method outer.anon public! 5 | public function anon()",
    );
}

#[test]
fn literals_and_markup_do_not_hide_what_follows() {
    check(
        Php,
        "<html><?php\nclass A {\n  function a() { return <<<\"EOD\"\n  {$this->x} function no() {}\n  EOD; }\n  function b() { return <<<'raw'\nfunction no() {}\nraw;\n  }\n  function c() {\n    return f(<<<X\n      text\n      X, 1);\n  }\n  function d() { ?>\n  <b>function no() {}</b>\n  <?php }\n  function e() {}\n}\n?>\n<p>function no() {}</p>\n<?= f() ?>\n<?php function last() {}\n",
        "class A public 2-19 | class A
         method A.a public 3-5 | function a()
         method A.b public 6-9 | function b()
         method A.c public 10-14 | function c()
         method A.d public 15-17 | function d()
         method A.e public 18 | function e()
         function last public 23 | function last()",
    );
}

#[test]
fn a_file_without_an_opening_tag_is_text() {
    let facts = facts(Php, "# Notes\n\nclass A { function no() {} }\n");
    assert!(facts.symbols.is_empty() && facts.references.is_empty());
}

#[test]
fn uses() {
    check_uses(
        Php,
        "<?php\n#[Attr]\nclass A extends B implements C\\D {\n  use T;\n  private E|F $p;\n  function f(?G $x, int $n, static|self $s): H {\n    $this->go($x)->p;\n    $x?->stop();\n    S::make(key: I::K);\n    parent::f();\n    plain(new J($y), \\n\\s\\qualified());\n    return self::$all + L::$every;\n  }\n}\n",
        "type Attr < A
         inherit B < A
         inherit D < A
         inherit T < A
         type E < A
         type F < A
         type G < A.f
         type H < A.f
         call go < A.f
         other p < A.f
         call stop < A.f
         other S < A.f
         call make < A.f
         other I < A.f
         other K < A.f
         call f < A.f
         call plain < A.f
         call J < A.f
         call qualified < A.f
         other all < A.f
         other L < A.f
         other every < A.f",
    );
}

#[test]
fn imports() {
    check_imports(
        Php,
        "<?php\nuse A\\B;\nuse \\C\\D as E, F;\nuse G\\{H, I as J, function k, const L, M\\N};\nuse function o\\p as q;\nuse const R\\S;\nrequire_once __DIR__ . '/a.php';\ninclude 'b.php';\nrequire(\"c/d.php\");\ninclude $x . '.php';\n",
        "A\\B
         C\\D as E
         F
         G {H, I as J, k, L, M\\N}
         o\\p as q
         R\\S
         ./a.php
         b.php
         c/d.php",
    );
}
