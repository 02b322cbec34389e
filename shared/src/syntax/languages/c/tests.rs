use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::C;

#[test]
fn functions_and_variables() {
    check(
        C,
        "// Adds.\nint add(int a, int b) {\n    int local = 1;\n    return a;\n}\nstatic char **names(void);\nextern int count, *p;\nconst int limit = 3;\nint (*handler)(int), table[2] = {\n  1,\n};\n",
        "function add public 2-5 | int add(int a, int b) | // Adds.
         function names private 6 | static char **names(void)
         variable count public 7 | extern int count, *p
         variable p public 7 | extern int count, *p
         constant limit public 8 | const int limit = 3
         variable handler public 9-11 | int (*handler)(int), table[2] = { 1, }
         variable table public 9-11 | int (*handler)(int), table[2]",
    );
}

#[test]
fn records() {
    check(
        C,
        "/** A point. */\nstruct point {\n    int x, y;\n    struct { int deep; } in;\n};\nenum color { RED = 1, BLUE };\ntypedef struct {\n    int n;\n} box_t, *box_p;\ntypedef struct node { struct node *next; } node_t;\ntypedef unsigned long ulong_t;\ntypedef int (*compare)(void *);\nstruct only_named;\nunion u { int i; } global;\n",
        "struct point public 2-5 | struct point | /** A point. */
         field point.x public 3 | int x, y
         field point.y public 3 | int x, y
         field point.deep public 4 | int deep
         field point.in public 4 | in
         enum color public 6 | enum color
         variant color.RED public 6 | RED = 1
         variant color.BLUE public 6 | BLUE
         struct box_t public 7-9 | typedef struct
         field box_t.n public 8 | int n
         type box_p public 9 | *box_p
         struct node public 10 | struct node
         field node.next public 10 | struct node *next
         type node_t public 10 | node_t
         type ulong_t public 11 | typedef unsigned long ulong_t
         type compare public 12 | typedef int (*compare)(void *)
         struct u public 14 | union u
         field u.i public 14 | int i
         variable global public 14 | global",
    );
}

#[test]
fn macros_and_includes() {
    check(
        C,
        "#ifndef A_H\n#define A_H\n#include <stdio.h>\n#include \"a/b.h\"\n#define N 3\n#define MAX(a, b) \\\n    ((a) > (b))\n#endif\n",
        "macro N public 5 | #define N 3
         macro MAX public 6-7 | #define MAX(a, b)",
    );
    check_imports(
        C,
        "#include <stdio.h>\n#include \"a/b.h\"\n",
        "pub <stdio.h>\npub \"a/b.h\"",
    );
}

#[test]
fn uses() {
    check_uses(
        C,
        "void f(struct s *p) { g(p->h(1), (*q)(MAX)); t x = { .n = 1 }; }",
        "type s < f
         other p < f
         call g < f
         other p < f
         call h < f
         call q < f
         other MAX < f
         type t < f
         other x < f
         other n < f",
    );
}

#[test]
fn comments_within_a_macro_do_not_end_it() {
    check(
        C,
        "#define A(x, /* spare */ y) \\\n    f(x) /* or */ \\\n    g(\"/*\", y) /* end */\nint after(void);\n#define B 1 /* one\n  two */\nint last;\n",
        "macro A public 1-3 | #define A(x, /* spare */ y)
         function after public 4 | int after(void)
         macro B public 5-6 | #define B
         variable last public 7 | int last",
    );
}

#[test]
fn bodies_of_macros_use_names() {
    check_uses(
        C,
        "#define SIZE (BASE * 2u) // of BASE\n#define LOG(level, ...) \\\n    do { if (level > max) write_log(level, \"it's \\\" x\", 'y', __VA_ARGS__); /* it's z */ } while (0)\nint after = SIZE;\n",
        "other BASE < SIZE
         other max < LOG
         call write_log < LOG
         other SIZE < after",
    );
}

#[test]
fn macros_that_make_functions_are_no_functions() {
    check(
        C,
        "#define FOO(n) void n(void){}\nFOO(a)\nFOO(b)\nint after(void) { return 0; }\n",
        "macro FOO public 1 | #define FOO(n)
         function after public 4 | int after(void)",
    );
    check_uses(
        C,
        "FOO(a)\nFOO(\"b\", 1)\n",
        "call FOO < file\nother a < file\ncall FOO < file",
    );
}

#[test]
fn a_macro_in_place_of_the_type() {
    check(
        C,
        "AP_DECLARE(status_t) do_it(const req *r);\nint after(void);\n",
        "function do_it public 1 | AP_DECLARE(status_t) do_it(const req *r)
         function after public 2 | int after(void)",
    );
}

#[test]
fn a_macro_on_its_own_line_does_not_hide_what_follows() {
    check(
        C,
        "TEST_END\nstatic const struct operations table = { .open = run };\n\nEND_DECLS\n\nextern int x;\nSTATUS\nrun(void)\n{\n}\n",
        "constant table private 2 | static const struct operations table = { .open = run }
         variable x public 6 | extern int x
         function run public 7-10 | STATUS run(void)",
    );
}

#[test]
fn names_in_parentheses() {
    check(
        C,
        "int (plain)(int);\nLIB_API int (lib_error) (State *s);\nLIB_API State *(lib_new) ( void );\nAPI void (run) (void) { }\nint (*pointer)(int);\nvoid (*handler(int n, void (*f)(int)))(int);\nMACRO(a) (b);\nint after;\n",
        "function plain public 1 | int (plain)(int)
         function lib_error public 2 | int (lib_error) (State *s)
         function lib_new public 3 | State *(lib_new) ( void )
         function run public 4 | void (run) (void)
         variable pointer public 5 | int (*pointer)(int)
         function handler public 6 | void (*handler(int n, void (*f)(int)))(int)
         variable after public 8 | int after",
    );
}

#[test]
fn annotations_are_no_names() {
    check(
        C,
        "/* Starts. */\nasmlinkage __visible void __init start(void)\n{\n}\nstruct s { int a; } __packed;\nextern int __must_check thing(void);\n",
        "function start public 2-4 | void __init start(void) | /* Starts. */
         struct s public 5 | struct s
         field s.a public 5 | int a
         function thing public 6 | extern int __must_check thing(void)",
    );
}
