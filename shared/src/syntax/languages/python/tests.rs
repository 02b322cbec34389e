use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Python;

#[test]
fn classes_and_functions() {
    check(
        Python,
        "class K(Base, metaclass=M):\n    \"\"\"A thing.\"\"\"\n    size: int = 3\n    _hidden = 1\n    def __init__(self, n):  # makes\n        '''Makes.'''\n        self.n = n\n        self.n = 2\n        other.m = 3\n    @property\n    def v(self) -> int:\n        return 1\n    @v.setter\n    def v(self, x): ...\n    async def go(self):\n        def inner(): pass\n    class Nested: pass\n",
        "class K public 1-17 | class K(Base, metaclass=M) | \"\"\"A thing.\"\"\"
         field K.size public 3 | size: int = 3
         field K._hidden private 4 | _hidden = 1
         constructor K.__init__ public 5-9 | def __init__(self, n) | '''Makes.'''
         field K.n public 7 | self.n = n
         property K.v public 10-12 | def v(self) -> int
         property K.v public 13-14 | def v(self, x)
         method K.go public 15-16 | async def go(self)
         function K.go.inner public! 16 | def inner()
         class K.Nested public 17 | class Nested",
    );
}

#[test]
fn overloads_are_all_kept() {
    check(
        Python,
        "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): return a\n",
        "function f public 1-2 | def f(a: int)
         function f public 3-4 | def f(a: str)
         function f public 5 | def f(a)",
    );
}

#[test]
fn module_variables() {
    check(
        Python,
        "SCHEMA = 1\nx, y = make()\nx = 3\na = b = 2\nPoint: TypeAlias = tuple[int, int]\ntype Vec[T] = list[T]\nbig = [\n    1,\n]\nif True:\n    late = 1\nfor i in x:\n    pass\nmatch = 4\nmatch x:\n    case [a, K(b=1)]:\n        pass\ndef after(): local = 1\n",
        "constant SCHEMA public 1 | SCHEMA = 1
         variable x public 2 | x, y = make()
         variable y public 2 | x, y = make()
         variable a public 4 | a = b = 2
         variable b public 4 | b = 2
         type Point public 5 | Point: TypeAlias = tuple[int, int]
         type Vec public 6 | type Vec[T] = list[T]
         variable big public 7-9 | big
         variable late public 11 | late = 1
         variable match public 14 | match = 4
         function after public 18 | def after()",
    );
}

#[test]
fn one_assignment_sets_many() {
    check(
        Python,
        "(a, [b, *c]), d[0], *e = make()\nclass K:\n    u, (v, w) = 1, (2, 3)\n    def __init__(self):\n        self.x, (other.y, self.z) = local, q = make()\n",
        "variable a public 1 | (a, [b, *c]), d[0], *e = make()
         variable b public 1 | (a, [b, *c]), d[0], *e = make()
         variable c public 1 | (a, [b, *c]), d[0], *e = make()
         variable e public 1 | (a, [b, *c]), d[0], *e = make()
         class K public 2-5 | class K
         field K.u public 3 | u, (v, w) = 1, (2, 3)
         field K.v public 3 | u, (v, w) = 1, (2, 3)
         field K.w public 3 | u, (v, w) = 1, (2, 3)
         constructor K.__init__ public 4-5 | def __init__(self)
         field K.x public 5 | self.x, (other.y, self.z) = local, q = make()
         field K.z public 5 | self.x, (other.y, self.z) = local, q = make()",
    );
}

#[test]
fn uses() {
    check_uses(
        Python,
        "@deco.ated(1)\nclass A(p.B, Generic[T]):\n    def f(self, x: List[X]) -> Y:\n        g(self.h(x))(f\"{z.q()}\")\n",
        "other deco < file
         call ated < file
         other p < A
         inherit B < A
         inherit Generic < A
         other T < A
         other self < A.f
         other x < A.f
         type List < A.f
         type X < A.f
         type Y < A.f
         call g < A.f
         other self < A.f
         call h < A.f
         other x < A.f
         other z < A.f
         call q < A.f",
    );
}

#[test]
fn imports() {
    check_imports(
        Python,
        "import os, numpy as np\nimport a.b.c\nfrom . import x\nfrom ..pkg.mod import (y as z, w)\nfrom m import *\nfrom n import k as k\nfrom __future__ import annotations\n",
        "os
         numpy as np
         a.b.c
         . {x}
         ..pkg.mod {y as z, w}
         m {*}
         pub n {k}
         __future__ {annotations}",
    );
}

#[test]
fn odd_strings_do_not_hide_what_follows() {
    check(
        Python,
        "v = rf\"a{x}\\d\" F\"{y!r:>{w}}\"\ndef after(): pass\n",
        "variable v public 1 | v = rf\"a{x}\\d\" F\"{y!r:>{w}}\"
         function after public 2 | def after()",
    );
}
