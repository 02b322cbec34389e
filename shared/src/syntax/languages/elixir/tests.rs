use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Elixir;

#[test]
fn modules_and_their_members() {
    check(
        Elixir,
        "defmodule Shop.Cart do\n  @moduledoc \"\"\"\n  Carts.\n  \"\"\"\n  @behaviour Store\n  @limit 5\n  @type t :: %__MODULE__{a: integer}\n  @typep hidden(x) :: x\n  defstruct [:a, b: 1]\n\n  @doc \"Goes.\"\n  @spec go(integer) :: t\n  def go(x, y \\\\ 1) when x > @limit do\n    run(x)\n  end\n\n  def go(_), do: nil\n  defp priv(z), do: z\n  defmacro m(a) do\n    quote do: unquote(a)\n  end\n  defguard is_x(a) when a > 1\n  defdelegate d(a), to: Q\n  def noargs, do: 1\n  def a + b, do: b\n  defmodule Inner do\n    def f(), do: 1\n  end\nend\n\ndefprotocol Named do\n  @callback name(t) :: String.t\n  def label(t)\nend\n\ndefimpl Named, for: Integer do\n  def label(t), do: t\nend\n",
        "module Cart public 1-29 | defmodule Shop.Cart | @moduledoc \"\"\" Carts. \"\"\"
         constant Cart.limit private 6 | @limit 5
         type Cart.t public 7 | @type t :: %__MODULE__{a: integer}
         type Cart.hidden private 8 | @typep hidden(x) :: x
         field Cart.a public 9 | :a
         field Cart.b public 9 | b:
         function Cart.go public 12-15 | def go(x, y \\\\ 1) when x > @limit | @doc \"Goes.\"
         function Cart.go public 17 | def go(_)
         function Cart.priv private 18 | defp priv(z)
         macro Cart.m public 19-21 | defmacro m(a)
         macro Cart.is_x public 22 | defguard is_x(a) when a > 1
         function Cart.d public 23 | defdelegate d(a)
         function Cart.noargs public 24 | def noargs
         operator Cart.+ public 25 | def a + b
         module Cart.Inner public 26-28 | defmodule Inner
         function Cart.Inner.f public 27 | def f()
         interface Named public 31-34 | defprotocol Named
         method Named.name public 32 | @callback name(t) :: String.t
         function Named.label public 33 | def label(t)
         impl Named public 36-38 | defimpl Named, for: Integer
         function Named.label public 37 | def label(t)",
    );
}

#[test]
fn literals_do_not_hide_what_follows() {
    check(
        Elixir,
        "defmodule A do\n  @x ~S\"\"\"\n  def no, do: 1\n  \"\"\"\n  def s, do: \"#{f(\"}\")} end\"\n  def c, do: ?\"\n  def after_all, do: ~r/end/\nend\n",
        "module A public 1-8 | defmodule A
         constant A.x private 2-4 | @x
         function A.s public 5 | def s
         function A.c public 6 | def c
         function A.after_all public 7 | def after_all",
    );
}

#[test]
fn uses() {
    check_uses(
        Elixir,
        "defmodule A do\n  @behaviour B.C\n  @k 1\n  @spec f(D.t) :: e\n  def f(x, %G{h: i}) do\n    J.run(x) |> priv()\n    if @k, do: &l/1\n    fn m -> m.n end\n  end\nend\n",
        "inherit C < A
         type D < A
         call t < A
         type e < A
         type G < A.f
         other i < A.f
         other J < A.f
         call run < A.f
         other x < A.f
         call priv < A.f
         other k < A.f
         other l < A.f
         other m < A.f
         other m < A.f
         call n < A.f",
    );
}

#[test]
fn imports() {
    check_imports(
        Elixir,
        "defmodule A do\n  use GenServer, restart: 1\n  import Ecto.Query, only: [from: 2, where: 3]\n  alias A.{C, D.E}\n  alias E.F, as: G\n  alias __MODULE__.Sub\n  require Logger\nend\n",
        "GenServer
         Ecto.Query {from, where}
         A {C, D.E}
         E.F as G
         __MODULE__.Sub
         Logger",
    );
}
