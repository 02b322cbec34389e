use super::super::fixture::{check, check_imports, check_uses};
use crate::facts::Note;
use crate::language::Language::Java;

#[test]
fn types_and_members() {
    check(
        Java,
        "package a.b;

/** A pool. */
@Named(\"x\")
public final class Pool<T extends Item & Other> extends base.Base<T> implements Closable {
  /** Most. */
  public static final int MAX = 10;
  private int size = 1, used;
  @Nullable String name;
  protected Pool() { super(); }
  @Override
  public <U> void take(int... counts) throws IOException { int local = 1; }
  interface Listener { int ZERO = 0; void on(Event e); private void off() {} }
  static class Inner { void run() { class Local { void deep() {} } } }
}
",
        "class Pool public 4-15 | public final class Pool<T extends Item & Other> extends base.Base<T> implements Closable | /** A pool. */
         constant Pool.MAX public 7 | public static final int MAX = 10 | /** Most. */
         field Pool.size private 8 | private int size = 1
         field Pool.used private 8 | used
         field Pool.name restricted 9 | String name
         constructor Pool.Pool restricted 10 | protected Pool()
         method Pool.take public 11-12 | public <U> void take(int... counts) throws IOException
         interface Pool.Listener restricted 13 | interface Listener
         constant Pool.Listener.ZERO public 13 | int ZERO = 0
         method Pool.Listener.on public 13 | void on(Event e)
         method Pool.Listener.off private 13 | private void off()
         class Pool.Inner restricted 14 | static class Inner
         method Pool.Inner.run restricted 14 | void run()
         class Pool.Inner.run.Local restricted! 14 | class Local
         method Pool.Inner.run.Local.deep restricted! 14 | void deep()",
    );
}

#[test]
fn records_enums_annotations() {
    check(
        Java,
        "public record Person(@NotNull String name, int... ages) implements Named {
  public Person { check(name); }
  static int count() { return 0; }
}
public enum Level { @Deprecated LOW(1) { void act() {} }, HIGH; private int rank; }
public @interface Limit { int value() default 1; }
sealed interface Shape permits Circle, Square {}
",
        "class Person public 1-4 | public record Person(@NotNull String name, int... ages) implements Named
         field Person.name public 1 | String name
         field Person.ages public 1 | int... ages
         constructor Person.Person public 2 | public Person
         method Person.count restricted 3 | static int count()
         enum Level public 5 | public enum Level
         variant Level.LOW public 5 | LOW(1)
         method Level.LOW.act restricted! 5 | void act()
         variant Level.HIGH public 5 | HIGH
         field Level.rank private 5 | private int rank
         annotation Limit public 6 | public @interface Limit
         method Limit.value public 6 | int value() default 1
         interface Shape restricted 7 | sealed interface Shape permits Circle, Square",
    );
}

#[test]
fn contextual_keywords_are_names() {
    check(
        Java,
        "class K { boolean check(boolean sealed) { if (sealed) return !sealed; return record; } void after() {} }",
        "class K restricted 1 | class K
         method K.check restricted 1 | boolean check(boolean sealed)
         method K.after restricted 1 | void after()",
    );
}

#[test]
fn text_blocks_hide_what_they_hold() {
    let source = "class K {\n  String s = \"\"\"\n    \"x\" } \\\"\"\" class No { void no() {} }\n    \"\"\";\n  void after() {}\n}\n";
    check(
        Java,
        source,
        "class K restricted 1-6 | class K
         field K.s restricted 2-4 | String s
         method K.after restricted 5 | void after()",
    );
    check_uses(Java, source, "type String < K");
}

#[test]
fn names_of_all_scripts() {
    check(
        Java,
        "class Tireur { String cibleVisée; }",
        "class Tireur restricted 1 | class Tireur
         field Tireur.cibleVisée restricted 1 | String cibleVisée",
    );
}

#[test]
fn imports() {
    check_imports(
        Java,
        "import java.util.List;\nimport java.io.*;\nimport static a.B.c;\nimport static a.B.*;\nclass K {}\n",
        "java.util.List\njava.io {*}\na.B {c}\na.B {*}",
    );
    let source = "import module java.base;\nclass A { void f() {} }\n";
    check_imports(Java, source, "java.base {*}");
    check(
        Java,
        source,
        "class A restricted 2 | class A\nmethod A.f restricted 2 | void f()",
    );
}

#[test]
fn uses_and_who_uses() {
    check_uses(
        Java,
        "@Tag(key = Keys.A) class K<T> extends p.Base<T> implements I, J<String> {
  Out run(List<Arg> args) throws Err {
    var made = new Made<>(args.size(), this.field);
    for (Item item : args) { use(item); }
    try (Res r = open()) {} catch (Bad e) { }
    call(x -> x.y(), (a, b) -> a, Maker::make);
    Runnable r = new Runnable() { public void run() { inner(); } };
    return switch (o) { case Point(int px, var py) when px > 1 -> px; default -> (Cast) o; };
  }
}
interface N extends M {}
",
        "type Tag < K
         other key < K
         other Keys < K
         other A < K
         type p < K
         inherit Base < K
         type T < K
         inherit I < K
         inherit J < K
         type String < K
         type Out < K.run
         type List < K.run
         type Arg < K.run
         type Err < K.run
         call Made < K.run
         other args < K.run
         call size < K.run
         other field < K.run
         type Item < K.run
         other args < K.run
         call use < K.run
         other item < K.run
         type Res < K.run
         call open < K.run
         type Bad < K.run
         call call < K.run
         other x < K.run
         call y < K.run
         other a < K.run
         other Maker < K.run
         other make < K.run
         type Runnable < K.run
         call Runnable < K.run
         call inner < K.run.run
         other o < K.run
         other Point < K.run
         other px < K.run
         other px < K.run
         type Cast < K.run
         other o < K.run
         inherit M < N",
    );
}

#[test]
fn broken_source_keeps_the_rest() {
    let source = "class A { void f( { } }\nclass B { void g() {} }\n";
    let facts = super::super::fixture::facts(Java, source);
    assert!(facts.notes.has(Note::SyntaxErrors));
    assert!(facts.symbols.iter().any(|s| facts.names.get(s.name) == "g"));
}
