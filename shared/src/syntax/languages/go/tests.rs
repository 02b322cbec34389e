use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Go;

#[test]
fn declarations() {
    check(
        Go,
        "package p\n\n// Shape has edges.\n// Two lines.\ntype Shape struct {\n\tA, b int `json:\"a\"`\n\tBase\n}\n\n// About nothing.\n\nfunc (s *Shape) Edges(n int) (int, error) {\n\treturn 1, nil\n}\nfunc helper() {\n\tconst local = 1\n\tvar v = 2\n}\n",
        "struct Shape public 5-8 | type Shape struct | // Shape has edges. // Two lines.
         field Shape.A public 6 | A, b int `json:\"a\"`
         field Shape.b restricted! 6 | A, b int `json:\"a\"`
         method Shape.Edges public 12-14 | func (s *Shape) Edges(n int) (int, error)
         function helper restricted! 15-18 | func helper()",
    );
    check(
        Go,
        "package p\ntype (\n\t// R reads.\n\tR interface {\n\t\tRead(b []byte) error\n\t\tio.Closer\n\t}\n\tF func(int) string\n\tID = string\n)\nconst (\n\tA = iota\n\tB\n)\nvar x, Y = 1, 2\nfunc (q Late) M() {}\nfunc Map[T any](x T) T { return x }\n",
        "interface R public 4-7 | R interface | // R reads.
         method R.Read public 5 | Read(b []byte) error
         delegate F public 8 | F func(int) string
         type ID public 9 | ID = string
         constant A public 12 | A = iota
         constant B public 13 | B
         variable x restricted! 15 | var x, Y = 1, 2
         variable Y public 15 | var x, Y = 1, 2
         method Late.M public 16 | func (q Late) M()
         function Map public 17 | func Map[T any](x T) T",
    );
}

#[test]
fn uses() {
    check_uses(
        Go,
        "package p\ntype S struct {\n\tBase\n\tn int\n}\nfunc f(a T) { g(a); a.h(); _ = pkg.New[int](S{n: 1}) }\n",
        "inherit Base < S
         type int < S.n
         other a < f
         type T < f
         call g < f
         other a < f
         other a < f
         call h < f
         other pkg < f
         call New < f
         type int < f
         call S < f
         other n < f",
    );
}

#[test]
fn imports() {
    check_imports(
        Go,
        "package p\nimport \"fmt\"\nimport (\n\tx \"a/b\"\n\t. \"c\"\n\t_ `d`\n)\n",
        "fmt
         a/b as x
         c as .
         d as _",
    );
}
