use super::super::fixture::{check, check_imports, check_uses, facts};
use crate::language::Language::Rust;

#[test]
fn records() {
    check(
        Rust,
        "/// A shape.\n///\n/// Flat.\n#[derive(Clone)]\npub struct Shape<T> {\n    /// Edges.\n    pub edges: u32,\n    name: T,\n}\n\npub struct Pair(pub u32, u32);\nstruct Unit;\n",
        "struct Shape public 4-9 | pub struct Shape<T> | /// A shape. /// /// Flat.
         field Shape.edges public 7 | pub edges: u32 | /// Edges.
         field Shape.name private 8 | name: T
         struct Pair public 11 | pub struct Pair(pub u32, u32)
         struct Unit private 12 | struct Unit",
    );
    check(
        Rust,
        "pub(crate) enum E {\n    A,\n    B { x: u8 },\n    C(u8) = 3,\n}\nunion U { a: u8 }\ntype T = Vec<u8>;\n",
        "enum E restricted 1-5 | pub(crate) enum E
         variant E.A public 2 | A
         variant E.B public 3 | B
         field E.B.x public 3 | x: u8
         variant E.C public 4 | C(u8) = 3
         struct U private 6 | union U
         field U.a private 6 | a: u8
         type T private 7 | type T = Vec<u8>",
    );
}

#[test]
fn traits_and_their_members() {
    check(
        Rust,
        "pub trait Draw: Base {\n    type Out;\n    const N: u8 = 1;\n    fn draw(&self) -> u8;\n    fn twice(&self) {}\n}\nimpl<T> Draw for Shape<T> where T: Copy {\n    type Out = u8;\n    fn draw(&self) -> u8 { 1 }\n}\nimpl Shape {\n    pub const MAX: u8 = 2;\n    fn helper() {}\n    pub(super) async unsafe fn go() {}\n}\nimpl Draw for (u8, u8) { fn draw(&self) -> u8 { 1 } }\n",
        "trait Draw public 1-6 | pub trait Draw: Base
         type Draw.Out public 2 | type Out
         constant Draw.N public 3 | const N: u8 = 1
         method Draw.draw public 4 | fn draw(&self) -> u8
         method Draw.twice public 5 | fn twice(&self)
         impl Shape public 7-10 | impl<T> Draw for Shape<T> where T: Copy
         type Shape.Out public 8 | type Out = u8
         method Shape.draw public 9 | fn draw(&self) -> u8
         impl Shape public 11-15 | impl Shape
         constant Shape.MAX public 12 | pub const MAX: u8 = 2
         method Shape.helper private 13 | fn helper()
         method Shape.go restricted 14 | pub(super) async unsafe fn go()
         impl (u8, u8) public 16 | impl Draw for (u8, u8)
         method (u8, u8).draw public 16 | fn draw(&self) -> u8",
    );
}

#[test]
fn modules_values_and_macros() {
    check(
        Rust,
        "pub mod m {\n    //! Inside.\n    //! More.\n    pub fn f() {\n        pub struct Local;\n    }\n    mod private { pub fn g() {} }\n}\nmod file;\nconst TABLE: [u8; 2] = [\n    1, 2,\n];\nstatic mut S: u8 = 0;\nconst _: () = ();\n/// Says.\n#[macro_export]\nmacro_rules! say { ($x:expr) => { $x } }\nextern \"C\" { pub fn c_call(); }\n",
        "module m public 1-8 | pub mod m | //! Inside. //! More.
         function m.f public 4-6 | pub fn f()
         struct m.f.Local public! 5 | pub struct Local
         module m.private private 7 | mod private
         function m.private.g public! 7 | pub fn g()
         module file private 9 | mod file
         constant TABLE private 10-12 | const TABLE: [u8; 2]
         variable S private 13 | static mut S: u8 = 0
         macro say public 16-17 | macro_rules! say | /// Says.
         function c_call public 18 | pub fn c_call()",
    );
}

#[test]
fn one_name_under_two_conditions_is_kept_twice() {
    check(
        Rust,
        "#[cfg(a)]\nfn extract() {}\n#[cfg(not(a))]\nfn extract() {}\n",
        "function extract private 1-2 | fn extract()
         function extract private 3-4 | fn extract()",
    );
}

#[test]
fn documentation_goes_with_what_follows() {
    check(
        Rust,
        "/// A.\n// note\n#[inline] // why\n/// B.\nfn f() {}\n// plain\nfn g() {}\n/** Block. */\nfn h() {}\n//// no\nfn i() {} /// trailing\n\n/// Apart.\n\nfn j() {}\n",
        "function f private 3-5 | fn f() | /// A. // note #[inline] // why /// B.
         function g private 7 | fn g()
         function h private 9 | fn h() | /** Block. */
         function i private 11 | fn i()
         function j private 15 | fn j() | /// Apart.",
    );
}

#[test]
fn uses() {
    check_uses(
        Rust,
        "#[derive(Clone)]\nstruct S(a::T<'static, U>);\ntrait A: n::B + C<D> {}\nimpl A for S { fn f(&self) { self.x.go::<V>(1); new(E { k: 2 }); n::make(\"s\"); } }\nfn m() { vec![g(q), h!(r)]; y.await; Self::z(CONST) }",
        "other derive < file
         other Clone < file
         other a < S
         type T < S
         type U < S
         other n < A
         inherit B < A
         inherit C < A
         type D < A
         inherit A < S
         type S < S
         other x < S.f
         call go < S.f
         type V < S.f
         call new < S.f
         call E < S.f
         other k < S.f
         other n < S.f
         call make < S.f
         call vec < m
         call g < m
         other q < m
         call h < m
         other r < m
         other y < m
         other Self < m
         call z < m
         other CONST < m",
    );
}

#[test]
fn use_trees() {
    check_imports(
        Rust,
        "use a;\nuse a as b;\nuse std::fmt;\nuse crate::x::{self, y as z, w, deep::{K, self as d}, v};\npub use super::*;\npub(crate) use p::{q::*, r};\nextern crate alloc as al;\nuse ::core::mem;\nuse { m::n, o };\n",
        "a
         a as b
         std {fmt}
         crate {x}
         crate::x {y as z, w, deep as d, v}
         crate::x::deep {K}
         pub super {*}
         pub p::q {*}
         pub p {r}
         alloc as al
         ::core {mem}
         m {n}
         o",
    );
}

#[test]
fn other_scripts_are_names_too() {
    let facts = facts(Rust, "struct Größe { 未来: u8 }\n");
    assert_eq!(facts.qualified_name(1), "Größe.未来");
}
