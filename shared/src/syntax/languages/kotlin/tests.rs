use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Kotlin;

#[test]
fn types_and_their_members() {
    check(
        Kotlin,
        "@file:JvmName(\"X\")\npackage shop\n\n/** A cart. */\n@Entity(1)\nsealed class Cart<T : Item>(private val x: Int, var y: String = \"\", z: Int) : Base<T>(x), Named by z {\n    val a: Int = 1\n    private var v: Foo? = null\n        get() = field\n        private set\n    lateinit var w: W\n    val later by lazy {\n        make()\n    }\n    companion object {\n        const val LIMIT = 1\n        fun make() = Cart(1)\n    }\n    init { start() }\n    /** Doc. */\n    constructor(q: Int) : this(q, \"\") { bar() }\n    internal suspend inline fun <R> f(r: R, vararg s: Int): List<R> where R : Any {\n        fun inner(n: Int) = n\n        val local = object : Bar() { fun anon() {} }\n        return g(r)\n    }\n    protected abstract fun open(): Int\n    inner class In\n}\ndata class Pair(val l: Int)\nenum class Color(val rgb: Int) : P {\n    RED(1) { override fun x() = 1 },\n    GREEN(2);\n    abstract fun x(): Int\n}\nfun interface Go { fun go() }\ninterface Named { val name: String }\nobject One : Base()\nannotation class Mark(val v: String)\ntypealias Al<T> = List<T>\nfun String.ext(): Int = length\nval String.prop: Int get() = 1\nconst val TOP = 1\nprivate val hidden = 2\n",
        "class Cart public 5-29 | sealed class Cart<T : Item>(private val x: Int, var y: String = \"\", z: Int) : Base<T>(x), Named by z | /** A cart. */
         property Cart.x private 6 | private val x: Int
         property Cart.y public 6 | var y: String = \"\"
         property Cart.a public 7 | val a: Int = 1
         property Cart.v private 8-10 | private var v: Foo?
         property Cart.w public 11 | lateinit var w: W
         property Cart.later public 12-14 | val later
         class Cart.Companion public 15-18 | companion object
         constant Cart.Companion.LIMIT public 16 | const val LIMIT = 1
         method Cart.Companion.make public 17 | fun make()
         constructor Cart.constructor public 21 | constructor(q: Int) : this(q, \"\") | /** Doc. */
         method Cart.f restricted 22-26 | internal suspend inline fun <R> f(r: R, vararg s: Int): List<R> where R : Any
         function Cart.f.inner public! 23 | fun inner(n: Int)
         method Cart.f.anon public! 24 | fun anon()
         method Cart.open restricted 27 | protected abstract fun open(): Int
         class Cart.In public 28 | inner class In
         class Pair public 30 | data class Pair(val l: Int)
         property Pair.l public 30 | val l: Int
         enum Color public 31-35 | enum class Color(val rgb: Int) : P
         property Color.rgb public 31 | val rgb: Int
         variant Color.RED public 32 | RED(1)
         method Color.RED.x public 32 | override fun x()
         variant Color.GREEN public 33 | GREEN(2)
         method Color.x public 34 | abstract fun x(): Int
         interface Go public 36 | fun interface Go
         method Go.go public 36 | fun go()
         interface Named public 37 | interface Named
         property Named.name public 37 | val name: String
         class One public 38 | object One : Base()
         annotation Mark public 39 | annotation class Mark(val v: String)
         property Mark.v public 39 | val v: String
         type Al public 40 | typealias Al<T> = List<T>
         function ext public 41 | fun String.ext(): Int
         variable prop public 42 | val String.prop: Int
         constant TOP public 43 | const val TOP = 1
         variable hidden private 44 | private val hidden = 2",
    );
}

#[test]
fn bodies_that_end_on_their_last_line_do_not_hide_what_follows() {
    check(
        Kotlin,
        "object A { val x = \"a } ${ f(\"}\") } b\" }\nclass B { companion object { const val C = '}' } }\ninterface D { fun go() /* } */ }\nclass E { fun f() {} }\nval raw = \"\"\" \" } \"\"\"\nclass After { fun g() { h() } }\n",
        "class A public 1 | object A
         property A.x public 1 | val x = \"a } ${ f(\"}\") } b\"
         class B public 2 | class B
         class B.Companion public 2 | companion object
         constant B.Companion.C public 2 | const val C = '}'
         interface D public 3 | interface D
         method D.go public 3 | fun go()
         class E public 4 | class E
         method E.f public 4 | fun f()
         variable raw public 5 | val raw = \"\"\" \" } \"\"\"
         class After public 6 | class After
         method After.g public 6 | fun g()",
    );
}

#[test]
fn uses() {
    check_uses(
        Kotlin,
        "@Ann\nclass A<T>(x: B) : C<T>(d), e.F by g {\n    fun f(h: I): J<K> {\n        val l = M(h)\n        n(l).map { p -> p.q }\n        a foo b\n        x as R\n        ::s\n        if (x is S) return null\n        return \"${t.u}\"\n    }\n}\n",
        "type Ann < A
         type B < A
         inherit C < A
         type T < A
         other d < A
         other e < A
         inherit F < A
         call g < A
         type I < A.f
         type J < A.f
         type K < A.f
         call M < A.f
         other h < A.f
         call n < A.f
         other l < A.f
         call map < A.f
         other p < A.f
         other q < A.f
         other a < A.f
         call foo < A.f
         other b < A.f
         other x < A.f
         type R < A.f
         other s < A.f
         other x < A.f
         type S < A.f
         other t < A.f
         other u < A.f",
    );
}

#[test]
fn imports() {
    check_imports(
        Kotlin,
        "package p\nimport a.b.C\nimport d.e.*\nimport f.G as H\nimport single\n",
        "a.b.C
         d.e {*}
         f.G as H
         single",
    );
}
