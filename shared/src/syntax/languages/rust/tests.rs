use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Rust;

#[test]
fn items_and_members() {
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
