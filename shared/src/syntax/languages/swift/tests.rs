use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Swift;

#[test]
fn types_and_their_members() {
    check(
        Swift,
        "import UIKit\n/// A cart.\n/// More.\n@objc public final class Cart<T: P>: Base<T>, Named where T: Q {\n  let a: Int = 1, b = 2\n  private(set) var v: Foo? { get { 1 } set { x = newValue } }\n  public static let shared = Cart()\n  /** Makes. */\n  init(x: Int, _ y: String = \"\") throws { self.a = x; super.init() }\n  deinit {}\n  fileprivate func f<R>(with z: R, s: Int...) async throws -> [R] where R: Any {\n    let l = g(z)\n    func inner() {}\n    return l\n  }\n  subscript(i: Int) -> Int { 1 }\n  class Inner {}\n}\npublic enum Suit: String, CaseIterable { case a = \"x\", b; case c(Int); indirect case d }\nstruct S { var x = 1; mutating func m() {} }\npublic protocol Named: AnyObject { associatedtype A; var n: Int { get }; func go() -> Int; init() }\nextension Shop.Cart: Other { func ext() {} }\nactor Ac {}\ntypealias Al = [Int]\nfunc top(a: (Int) -> Foo) {}\nlet g = 1\nvar h = 2\nfunc + (a: Int, b: Int) -> Int { a }\n#if DEBUG\nfunc dbg() {}\n#endif\n",
        "class Cart public 4-18 | public final class Cart<T: P>: Base<T>, Named where T: Q | /// A cart. /// More.
         field Cart.a restricted 5 | let a: Int = 1, b = 2
         field Cart.b restricted 5 | let a: Int = 1, b = 2
         property Cart.v restricted 6 | private(set) var v: Foo?
         field Cart.shared public 7 | public static let shared = Cart()
         constructor Cart.init restricted 9 | init(x: Int, _ y: String = \"\") throws | /** Makes. */
         method Cart.f private 11-15 | fileprivate func f<R>(with z: R, s: Int...) async throws -> [R] where R: Any
         function Cart.f.inner restricted! 13 | func inner()
         operator Cart.subscript restricted 16 | subscript(i: Int) -> Int
         class Cart.Inner restricted 17 | class Inner
         enum Suit public 19 | public enum Suit: String, CaseIterable
         variant Suit.a public 19 | case a = \"x\", b
         variant Suit.b public 19 | case a = \"x\", b
         variant Suit.c public 19 | case c(Int)
         variant Suit.d public 19 | indirect case d
         struct S restricted 20 | struct S
         field S.x restricted 20 | var x = 1
         method S.m restricted 20 | mutating func m()
         interface Named public 21 | public protocol Named: AnyObject
         type Named.A public 21 | associatedtype A
         property Named.n public 21 | var n: Int
         method Named.go public 21 | func go() -> Int
         constructor Named.init public 21 | init()
         impl Cart restricted 22 | extension Shop.Cart: Other
         method Cart.ext restricted 22 | func ext()
         class Ac restricted 23 | actor Ac
         type Al restricted 24 | typealias Al = [Int]
         function top restricted 25 | func top(a: (Int) -> Foo)
         constant g restricted 26 | let g = 1
         variable h restricted 27 | var h = 2
         operator + restricted 28 | func + (a: Int, b: Int) -> Int
         function dbg restricted 30 | func dbg()",
    );
}

#[test]
fn literals_do_not_hide_what_follows() {
    check(
        Swift,
        "let a = \"\"\"\n  func no() {} \\(f(\"}\"))\n  \"\"\"\nlet b = #\"raw \" \\#(x) func no() {}\"#\n/* func no() /* nested */ {} */\nlet c = \"}\\\"\"\nfunc after() {}\n",
        "constant a restricted 1-3 | let a
         constant b restricted 4 | let b = #\"raw \" \\#(x) func no() {}\"#
         constant c restricted 6 | let c = \"}\\\"\"
         function after restricted 7 | func after()",
    );
}

#[test]
fn uses() {
    check_uses(
        Swift,
        "@Wrap class A<T>: B.C, D<E> {\n  var f: G = .h\n  func i(j k: L) -> M {\n    let n = O(k).p\n    q(r: s).t { $0 + u }\n    guard let v = w as? X else { return y }\n    return \"\\(z.aa)\"\n  }\n}\n",
        "type Wrap < A
         type B < A
         inherit C < A
         inherit D < A
         type E < A
         type G < A.f
         other h < A.f
         type L < A.i
         type M < A.i
         call O < A.i
         other k < A.i
         other p < A.i
         call q < A.i
         other s < A.i
         call t < A.i
         other u < A.i
         other v < A.i
         other w < A.i
         type X < A.i
         other y < A.i
         other z < A.i
         other aa < A.i",
    );
}

#[test]
fn imports() {
    check_imports(
        Swift,
        "import Foundation\n@testable import struct A.B\n@_exported import C\n",
        "Foundation
         A.B
         pub C",
    );
}
