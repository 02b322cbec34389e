use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Scala;

#[test]
fn types_and_their_members() {
    check(
        Scala,
        "package shop.core\n\n/** A cart. */\n@deprecated(\"x\")\nsealed abstract class Cart[A <: Item](private val x: Int, var y: String = \"\", z: Int) extends Base[A](x) with Named {\n  val a, b: Int = 1\n  lazy val (m, n) = (1, 2)\n  private[this] var v: Foo = _\n  private[core] val w = {\n    val local = 1\n    local\n  }\n  /** Doc. */\n  protected def f[X](z: X)(implicit w: W): List[X] = {\n    def inner(q: Int) = q\n    val no = 1\n    inner(no)\n  }\n  def open: Int\n  type Al = List[Int]\n  override def toString = \"a\"\n  def this(q: Int) = this(q, \"\")\n}\ncase class Pair(l: Int, r: String)\nobject Cart extends App { case object Empty; implicit val e: Enc[Int] = ??? }\ntrait Named { self: Other => def name: String }\npackage object util { }\n",
        "class Cart public 4-23 | sealed abstract class Cart[A <: Item](private val x: Int, var y: String = \"\", z: Int) extends Base[A](x) with Named | /** A cart. */
         field Cart.x private 5 | private val x: Int
         field Cart.y public 5 | var y: String = \"\"
         field Cart.a public 6 | val a, b: Int = 1
         field Cart.b public 6 | val a, b: Int = 1
         field Cart.m public 7 | lazy val (m, n) = (1, 2)
         field Cart.n public 7 | lazy val (m, n) = (1, 2)
         field Cart.v private 8 | private[this] var v: Foo = _
         field Cart.w restricted 9-12 | private[core] val w
         method Cart.f restricted 14-18 | protected def f[X](z: X)(implicit w: W): List[X] | /** Doc. */
         function Cart.f.inner public! 15 | def inner(q: Int)
         method Cart.open public 19 | def open: Int
         type Cart.Al public 20 | type Al = List[Int]
         method Cart.toString public 21 | override def toString
         constructor Cart.this public 22 | def this(q: Int)
         class Pair public 24 | case class Pair(l: Int, r: String)
         field Pair.l public 24 | l: Int
         field Pair.r public 24 | r: String
         class Cart public 25 | object Cart extends App
         class Cart.Empty public 25 | case object Empty
         field Cart.e public 25 | implicit val e: Enc[Int] = ???
         trait Named public 26 | trait Named
         method Named.name public 26 | def name: String
         class util public 27 | package object util",
    );
}

#[test]
fn scala_3() {
    check(
        Scala,
        "enum Color(val rgb: Int) extends P:\n  case Red extends Color(1)\n  case G, B\n  case Mix(a: Int)\n\ngiven intOrd: Ord[Int] with\n  def cmp(a: Int) = 1\n\nextension (s: String) def shout: String = s.toUpperCase\n\nclass Indented(a: Int):\n  def f(x: Int): Int =\n    val y = x\n    y + 1\n  end f\n\n  private def g = 2\n\ndef top(x: Int): Int = x\nval one = 1\nopaque type Id = Int\n",
        "enum Color public 1-5 | enum Color(val rgb: Int) extends P
         field Color.rgb public 1 | val rgb: Int
         variant Color.Red public 2 | Red extends Color(1)
         variant Color.G public 3 | G
         variant Color.B public 3 | B
         variant Color.Mix public 4 | Mix(a: Int)
         field Color.Mix.a public 4 | a: Int
         constant intOrd public 6-8 | given intOrd: Ord[Int]
         function intOrd.cmp public 7 | def cmp(a: Int)
         function shout public 9 | def shout: String
         class Indented public 11-18 | class Indented(a: Int)
         method Indented.f public 12-15 | def f(x: Int): Int
         method Indented.g private 17 | private def g
         function top public 19 | def top(x: Int): Int
         variable one public 20 | val one = 1
         type Id public 21 | opaque type Id = Int",
    );
}

#[test]
fn uses() {
    check_uses(
        Scala,
        "@ann class A[T](x: B) extends C[T](d) with e.F {\n  def f(g: G): H[I] = {\n    val l = new J(g)\n    k(l).map[M](p => p + 1)\n    a foo b\n    this.q match { case R(s) => s\"$t ${u.v}\" }\n  }\n}\n",
        "type ann < A
         type B < A
         inherit C < A
         type T < A
         other d < A
         other e < A
         inherit F < A
         type G < A.f
         type H < A.f
         type I < A.f
         call J < A.f
         other g < A.f
         call k < A.f
         other l < A.f
         call map < A.f
         type M < A.f
         other p < A.f
         other a < A.f
         call foo < A.f
         other b < A.f
         other q < A.f
         type R < A.f
         other s < A.f
         other s < A.f
         other t < A.f
         other u < A.f
         other v < A.f",
    );
}

#[test]
fn imports() {
    check_imports(
        Scala,
        "import a.b.C\nimport c.d.{E, F => G, H => _, _}\nimport x.y.Z, q.w._\nimport s.t.*\nimport u.{v as w, given}\nimport m.n as o\nexport p.{q, r}\n",
        "a.b.C
         c.d {E, F as G, *}
         x.y.Z
         q.w {*}
         s.t {*}
         u {v as w, given}
         m.n as o
         pub p {q, r}",
    );
}
