use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Ruby;

#[test]
fn types_and_their_members() {
    check(
        Ruby,
        "# Doc.\n# More.\nclass Shop::Cart < Base::Order\n  include Enumerable\n  LIMIT = 5\n\n  # Makes.\n  def initialize(items, tax: 0)\n    @items = items\n  end\n  def total = items.sum\n  def <=>(other)\n    total <=> other.total\n  end\n  def rate=(value); @rate = value; end\n  def empty? \n    items.empty?\n  end\n  def self.build(*rows, &block) = new(rows)\n  class << self\n    def open; end\n    private\n    def hidden; end\n  end\n  def [](at) = items[at]\nend\ndef Shop.help; end\ndef free; end\n",
        "class Cart public 3-26 | class Shop::Cart < Base::Order | # Doc. # More.
         constant Cart.LIMIT public 5 | LIMIT = 5
         constructor Cart.initialize public 8-10 | def initialize(items, tax: 0) | # Makes.
         method Cart.total public 11 | def total
         method Cart.<=> public 12-14 | def <=>(other)
         method Cart.rate= public 15 | def rate=(value)
         method Cart.empty? public 16-18 | def empty?
         method Cart.build public 19 | def self.build(*rows, &block)
         method Cart.open public 21 | def open
         method Cart.hidden private 23 | def hidden
         method Cart.[] public 25 | def [](at)
         method help public 27 | def Shop.help
         function free public 28 | def free",
    );
}

#[test]
fn access_in_all_its_forms() {
    check(
        Ruby,
        "class A\n  def a; end\n  private\n  def b; end\n  protected\n  def c; end\n  public\n  def d; end\n  # Doc.\n  private def e(x) = x\n  def f; end\n  def self.g; end\n  private :f\n  private_class_method :g\n  private attr_reader :h\n  def i; end\n  INNER = 1\n  private_constant :INNER\nend\n",
        "class A public 1-19 | class A
         method A.a public 2 | def a
         method A.b private 4 | def b
         method A.c restricted 6 | def c
         method A.d public 8 | def d
         method A.e private 10 | def e(x) | # Doc.
         method A.f private 11 | def f
         method A.g private 12 | def self.g
         property A.h private 15 | attr_reader :h
         method A.i public 16 | def i
         constant A.INNER private 17 | INNER = 1",
    );
}

#[test]
fn modules_of_one_name_are_told_apart() {
    check(
        Ruby,
        "module Site\n  module Tracing\n    def trace; end\n  end\n  class Page\n    include Tracing\n  end\nend\nmodule Jobs\n  module Tracing\n  end\nend\n",
        "module Site public 1-8 | module Site
         module Site.Tracing public 2-4 | module Tracing
         method Site.Tracing.trace public 3 | def trace
         class Site.Page public 5-7 | class Page
         module Jobs public 9-12 | module Jobs
         module Jobs.Tracing public 10-11 | module Tracing",
    );
}

#[test]
fn calls_that_define() {
    check(
        Ruby,
        "class A\n  attr_accessor :x, :\"odd name\"\n  attr_reader :y\n  alias size count\n  alias_method :len, :size\n  define_method(:go) { |n| n }\n  define_method(\"stop\") do\n    halt\n  end\nend\nPoint = Struct.new(:a, :b) do\n  def norm; end\nend\nFault = Class.new(StandardError)\nPair = Data.define(:l, :r)\nB, C = 1, 2\nD ||= {\n  k: 1,\n}\nA::E = 3\n",
        "class A public 1-10 | class A
         property A.x public 2 | attr_accessor :x, :\"odd name\"
         property A.odd name public 2 | attr_accessor :x, :\"odd name\"
         property A.y public 3 | attr_reader :y
         method A.size public 4 | alias size count
         method A.len public 5 | alias_method :len, :size
         method A.go public 6 | define_method(:go) { |n| n }
         method A.stop public 7-9 | define_method(\"stop\") do halt end
         class Point public 11-13 | Point = Struct.new(:a, :b)
         method Point.norm public 12 | def norm
         class Fault public 14 | Fault = Class.new(StandardError)
         class Pair public 15 | Pair = Data.define(:l, :r)
         constant B public 16 | B, C = 1, 2
         constant C public 16 | B, C = 1, 2
         constant D public 17-19 | D
         constant E public 20 | A::E = 3",
    );
}

#[test]
fn uses() {
    check_uses(
        Ruby,
        "class A < B::C\n  include D, E::F\n  before_action :check, only: :go\n  attr_reader :own\n  def go(x, y = nil, *rest, k: 1, &blk)\n    @total += helper(x)\n    Item.new(y).save!\n    foo&.bar { |q| q }\n    \"#{name} #{G.h}\"\n  end\nend\n",
        "other B < A
         inherit C < A
         call include < A
         inherit D < A
         other E < A
         inherit F < A
         call before_action < A
         other check < A
         other go < A
         call attr_reader < A
         other total < A.go
         call helper < A.go
         other x < A.go
         call Item < A.go
         call new < A.go
         other y < A.go
         call save! < A.go
         other foo < A.go
         call bar < A.go
         other q < A.go
         other name < A.go
         other G < A.go
         call h < A.go",
    );
}

#[test]
fn imports() {
    check_imports(
        Ruby,
        "require 'set'\nrequire(\"a/b\")\nrequire_relative 'lib/c'\nrequire_relative '../d'\nload \"e.rb\"\nautoload :F, 'f'\nrequire File.join(x, 'y')\nrequire \"x#{y}\"\nfoo.require 'z'\n",
        "set
         a/b
         ./lib/c
         ../d
         e.rb
         f {F}",
    );
}

#[test]
fn literals_do_not_hide_what_follows() {
    check(
        Ruby,
        "A = <<~'RAW'\n  def fake; end\n  #{x}\nRAW\ndef after_raw; end\nB = <<~TEXT\n  #{call(<<~INNER)} tail\n    def no; end\n  INNER\nTEXT\ndef after_nested; end\nC = <<-P.strip\n  #{list.map { |x| x.to_s(2) }.join(\", \")}\n  P\ndef after_call; end\nf(<<~ONE, <<~TWO)\n  1 #{<<~IN.strip} #{<<~ALSO}\n   in\n  IN\n   def fake; end\n  ALSO\nONE\n  2\nTWO\ndef after_two; end\nD = %w[def x end] + %q(end)\ndef after_words; end\nE = /def #{x} \\/ end/\ndef after_regex; end\n=begin\ndef no; end\n=end\ndef after_block; end\n__END__\ndef no; end\n",
        "constant A public 1 | A = <<~'RAW'
         function after_raw public 5 | def after_raw
         constant B public 6 | B = <<~TEXT
         function after_nested public 11 | def after_nested
         constant C public 12 | C = <<-P.strip
         function after_call public 15 | def after_call
         function after_two public 25 | def after_two
         constant D public 26 | D = %w[def x end] + %q(end)
         function after_words public 27 | def after_words
         constant E public 28 | E = /def #{x} \\/ end/
         function after_regex public 29 | def after_regex
         function after_block public 33 | def after_block | =begin def no; end =end",
    );
}
