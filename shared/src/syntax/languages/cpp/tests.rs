use super::super::fixture::{check, check_uses};
use crate::language::Language::Cpp;

#[test]
fn classes() {
    check(
        Cpp,
        "namespace a::b {\n// W.\nclass Widget : public Base, private x::Other<int> {\n    int secret;\npublic:\n    Widget(int n) : secret(n) {}\n    ~Widget();\n    virtual void tick() const = 0;\n    bool operator==(const Widget& o) const { return true; }\n    static int made;\nprotected:\n    enum class Mode { A };\n};\n}\nvoid Widget::tick() const {}\nint Unknown::go() { return 1; }\n",
        "module a::b public 1-14 | namespace a::b
         class a::b.Widget public 3-13 | class Widget : public Base, private x::Other<int> | // W.
         field a::b.Widget.secret private 4 | int secret
         constructor a::b.Widget.Widget public 6 | Widget(int n)
         method a::b.Widget.~Widget public 7 | ~Widget()
         method a::b.Widget.tick public 8 | virtual void tick() const = 0
         operator a::b.Widget.operator== public 9 | bool operator==(const Widget& o) const
         field a::b.Widget.made public 10 | static int made
         enum a::b.Widget.Mode restricted 12 | enum class Mode
         variant a::b.Widget.Mode.A public 12 | A
         method a::b.Widget.tick public 15 | void Widget::tick() const
         method Unknown.go public 16 | int Unknown::go()",
    );
}

#[test]
fn templates_aliases_and_unnamed_namespaces() {
    check(
        Cpp,
        "/// Twice.\ntemplate <typename T>\nT twice(T x) { return x; }\ntemplate <class T> struct Box { T item; };\ntemplate <> struct Box<int> {};\nusing Name = std::string;\ntemplate <class T> concept Small = sizeof(T) < 8;\nnamespace { int hidden() { return 1; } }\nextern \"C\" { void c_call(void); }\nconstexpr int K = 1;\n",
        "function twice public 2-3 | template <typename T> T twice(T x) | /// Twice.
         struct Box public 4 | template <class T> struct Box
         field Box.item public 4 | T item
         struct Box public 5 | template <> struct Box<int>
         type Name public 6 | using Name = std::string
         interface Small public 7 | template <class T> concept Small = sizeof(T) < 8
         function hidden private 8 | int hidden()
         function c_call public 9 | void c_call(void)
         constant K public 10 | constexpr int K = 1",
    );
}

#[test]
fn uses() {
    check_uses(
        Cpp,
        "class A : public n::B<C> {};\nvoid f() { new D(1); x.g<int>(); n::h(); E::k; }",
        "other n < A
         inherit B < A
         type C < A
         call D < f
         other x < f
         call g < f
         other n < f
         call h < f
         other E < f
         type k < f",
    );
}

#[test]
fn export_macros_do_not_hide_classes() {
    check(
        Cpp,
        "class ENGINE_API Widget : public Base { void Tick(); };\nenum class CORE_API Mode { A, B };\nCORE_API int f(int);\nstruct ALIGNED(16) Vec { int x; };\n",
        "class Widget public 1 | class ENGINE_API Widget : public Base
         method Widget.Tick private 1 | void Tick()
         enum Mode public 2 | enum class CORE_API Mode
         variant Mode.A public 2 | A
         variant Mode.B public 2 | B
         function f public 3 | CORE_API int f(int)
         struct Vec public 4 | struct ALIGNED(16) Vec
         field Vec.x public 4 | int x",
    );
}

#[test]
fn a_macro_on_its_own_line_does_not_hide_what_follows() {
    check(
        Cpp,
        "LIB_NAMESPACE_DIRECTIVE\nclass Scene { void draw(); };\nEXPORT\nvoid foo(){}\n",
        "class Scene public 2 | class Scene
         method Scene.draw private 2 | void draw()
         function foo public 3-4 | EXPORT void foo()",
    );
}

#[test]
fn macros_within_a_class() {
    check(
        Cpp,
        "class Q_EXPORT List final : public Base<int> {\n  Q_OBJECT\n public:\n  explicit List(int n = 0) noexcept;\n  operator bool() const;\n};\n",
        "class List public 1-6 | class Q_EXPORT List final : public Base<int>
         constructor List.List public 4 | explicit List(int n = 0) noexcept
         operator List.operator bool public 5 | operator bool() const",
    );
}

#[test]
fn test_macros_with_a_block() {
    check(
        Cpp,
        "TEST_CASE_TEMPLATE(\"s\", T, float, double)\n{ }\nint after() { return 1; }\n",
        "function after public 3 | int after()",
    );
}

#[test]
fn preprocessor_branches_inside_declarations() {
    check(
        Cpp,
        "int x =\n#ifdef A\n1\n#else\n2\n#endif\n;\nint g(int n) {\n#ifdef A\n  if (n) {\n#else\n  {\n#endif\n  }\n  return 1;\n}\nint after() { return 0; }\n",
        "variable x public 1-7 | int x
         function g public 8-16 | int g(int n)
         function after public 17 | int after()",
    );
}

#[test]
fn modules_of_newer_standards() {
    check(
        Cpp,
        "export module a;\nimport <vector>;\nexport template<typename T> requires C<T> T twice(T);\n",
        "function twice public 3 | export template<typename T> requires C<T> T twice(T)",
    );
}

#[test]
fn lone_carriage_returns_end_comments() {
    check(
        Cpp,
        "#pragma once\rclass B{};\rint after(){return 0;}\r",
        "class B public 1 | class B
         function after public 1 | int after()",
    );
}
