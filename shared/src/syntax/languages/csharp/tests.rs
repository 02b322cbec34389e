use super::super::fixture::{check, check_imports, check_uses, facts};
use crate::facts::Note;
use crate::language::Language::CSharp;

#[test]
fn types_and_members() {
    check(
        CSharp,
        "namespace Shop.Core {
  /// <summary>A store.</summary>
  /// <remarks>Slow.</remarks>
  [Obsolete(\"x\")]
  public partial class Store<T> : Base<T>, IStore where T : IItem, new() {
    public const int Max = 1;
    int size = 1, used;
    public string Name { get; private set; } = \"a\";
    public int Count => size;
    protected int Total { get { return 1; } }
    public event EventHandler Opened;
    public event Action Closed { add { } remove { } }
    public Store(int a) : base(a) { }
    ~Store() { }
    public int this[int i] => 1;
    public static Store operator +(Store a, Store b) => a;
    public static implicit operator int(Store s) => 1;
    void IStore.Put<U>(U item) where U : class { int Local(int q) => q; }
    protected internal void Go() { }
    void Hidden() { }
  }
  public enum Level : byte { Low = 1, High }
  public delegate void Changed(int by);
  interface IStore { void Put(); int Size { get; } }
  struct Pair { public int left; }
}
",
        "module Shop.Core public 1-26 | namespace Shop.Core
         class Shop.Core.Store public 4-21 | public partial class Store<T> : Base<T>, IStore where T : IItem, new() | /// <summary>A store.</summary> /// <remarks>Slow.</remarks>
         constant Shop.Core.Store.Max public 6 | public const int Max = 1
         field Shop.Core.Store.size private 7 | int size = 1
         field Shop.Core.Store.used private 7 | used
         property Shop.Core.Store.Name public 8 | public string Name { get; private set; }
         property Shop.Core.Store.Count public 9 | public int Count
         property Shop.Core.Store.Total restricted 10 | protected int Total
         event Shop.Core.Store.Opened public 11 | public event EventHandler Opened
         event Shop.Core.Store.Closed public 12 | public event Action Closed
         constructor Shop.Core.Store.Store public 13 | public Store(int a) : base(a)
         method Shop.Core.Store.~Store private 14 | ~Store()
         operator Shop.Core.Store.this public 15 | public int this[int i]
         operator Shop.Core.Store.operator + public 16 | public static Store operator +(Store a, Store b)
         operator Shop.Core.Store.implicit operator int public 17 | public static implicit operator int(Store s)
         method Shop.Core.Store.Put public 18 | void IStore.Put<U>(U item) where U : class
         function Shop.Core.Store.Put.Local private 18 | int Local(int q)
         method Shop.Core.Store.Go restricted 19 | protected internal void Go()
         method Shop.Core.Store.Hidden private 20 | void Hidden()
         enum Shop.Core.Level public 22 | public enum Level : byte
         variant Shop.Core.Level.Low public 22 | Low = 1
         variant Shop.Core.Level.High public 22 | High
         delegate Shop.Core.Changed public 23 | public delegate void Changed(int by)
         interface Shop.Core.IStore restricted 24 | interface IStore
         method Shop.Core.IStore.Put public 24 | void Put()
         property Shop.Core.IStore.Size public 24 | int Size { get; }
         struct Shop.Core.Pair restricted 25 | struct Pair
         field Shop.Core.Pair.left public 25 | public int left",
    );
}

#[test]
fn a_file_scoped_namespace_holds_the_file() {
    check(
        CSharp,
        "using System;
namespace Shop.Core;

public record Order(int Id) : Base(Id), IOrder;
public record struct Point(int X);
file class Secret { }
",
        "module Shop.Core public 2-6 | namespace Shop.Core
         class Shop.Core.Order public 4 | public record Order(int Id) : Base(Id), IOrder
         property Shop.Core.Order.Id public 4 | int Id
         struct Shop.Core.Point public 5 | public record struct Point(int X)
         property Shop.Core.Point.X public 5 | int X
         class Shop.Core.Secret private 6 | file class Secret",
    );
}

#[test]
fn file_scoped_namespaces_do_not_nest() {
    check(
        CSharp,
        "namespace A;\nclass K { }\nnamespace B;\nclass L { }\n",
        "module A public 1-4 | namespace A
         class A.K restricted 2 | class K
         module B public 3-4 | namespace B
         class B.L restricted 4 | class L",
    );
}

#[test]
fn conditional_parts_are_all_read() {
    check(
        CSharp,
        "class A {
#if LEGACY
[Obsolete]
#endif
public void Go() { }
void After() { }
}
",
        "class A restricted 1-7 | class A
         method A.Go public 2-5 | public void Go()
         method A.After private 6 | void After()",
    );
    let source = "class B {
#if A
#if B
 void Go()
#else
 void Go(int n)
#endif
 { }
#endif
 void After() { }
}
";
    let found = facts(CSharp, source);
    assert!(found.notes.has(Note::SyntaxErrors));
    let named = |name: &str| {
        let names = found.symbols.iter().map(|s| found.names.get(s.name));
        names.filter(|found| *found == name).count()
    };
    assert_eq!((named("Go"), named("After")), (2, 1));
}

#[test]
fn extension_blocks_give_their_members_to_the_class() {
    let source = "static class Ext {\n    extension(string s) { public int L => s.Length; }\n    // Of lists.\n    extension<T>(\n        List<T> list\n    ) where T : Base {\n        public T Last() => list[^1];\n        public static Box<T> operator +(T a, T b) => a;\n    }\n    void extension(int n) { }\n    void After() { extension(1); }\n}\n";
    check(
        CSharp,
        source,
        "class Ext restricted 1-12 | static class Ext
         property Ext.L public 2 | public int L
         method Ext.Last public 7 | public T Last()
         operator Ext.operator + public 8 | public static Box<T> operator +(T a, T b)
         method Ext.extension private 10 | void extension(int n)
         method Ext.After private 11 | void After()",
    );
    let facts = facts(CSharp, source);
    let used = |name: &str| {
        let mut uses = facts.references.iter();
        uses.any(|use_| facts.names.get(use_.name) == name)
    };
    assert!(used("List") && used("Base") && used("list"));
}

#[test]
fn scripts_and_top_level_statements() {
    check(
        CSharp,
        "#r \"nuget: A, 1.0\"\nusing System;\n/// Runs.\nvoid Top() { }\nTop();\n",
        "function Top private 4 | void Top() | /// Runs.",
    );
}

#[test]
fn imports() {
    check_imports(
        CSharp,
        "using System;\nusing static System.Math;\nusing Map = A.Dict<int, string>;\nglobal using X . Y;\nnamespace N { using Z; }\n",
        "System
         System.Math {*}
         A.Dict<int,string> as Map
         pub X.Y
         Z",
    );
}

#[test]
fn uses_and_who_uses() {
    check_uses(
        CSharp,
        "[assembly: Tag]
class K<T> : Base<T>, N.IFace where T : Bound {
  Out? Run(List<Arg> args, params Rest[] rest) {
    var made = new Made<P> { Size = 1 };
    foreach (Item item in args) { Use(item); }
    if (made is Str s || made is not Num { Len: 1 }) { a?.Bar(1); Gen<int>(); N.Q.R(); }
    try { } catch (Err e) when (Check(e)) { }
    Func<int> f = (int p, Par q) => nameof(made);
    return (Cast)x as Other;
  }
  [Fact] public Type P => typeof(Of);
}
",
        "type Tag < file
         inherit Base < K
         type T < K
         other N < K
         inherit IFace < K
         other T < K
         type Bound < K
         type Out < K.Run
         type List < K.Run
         type Arg < K.Run
         type Rest < K.Run
         call Made < K.Run
         type P < K.Run
         other Size < K.Run
         type Item < K.Run
         other args < K.Run
         call Use < K.Run
         other item < K.Run
         other made < K.Run
         type Str < K.Run
         other made < K.Run
         type Num < K.Run
         other Len < K.Run
         other a < K.Run
         call Bar < K.Run
         call Gen < K.Run
         other N < K.Run
         other Q < K.Run
         call R < K.Run
         type Err < K.Run
         call Check < K.Run
         other e < K.Run
         type Func < K.Run
         type Par < K.Run
         other made < K.Run
         type Cast < K.Run
         other x < K.Run
         type Other < K.Run
         type Fact < K.P
         type Type < K.P
         type Of < K.P",
    );
}
