use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::Lua;

#[test]
fn functions_tables_and_variables() {
    check(
        Lua,
        "local M = {}\nM.sub = { deep = 1 }\n\n--- Adds.\n-- Really.\nlocal function add(a, b)\n  local no = 1\n  return a + b\nend\nfunction M.go(x) return add(x, 1) end\nfunction M.sub.far() end\nfunction M:meth(c) self.x = c end\nM.set = function(q)\n  return q\nend\nM.limit = 5\nM.limit = 6\nlocal t = {\n  a = 1,\n  run = function(z) end,\n  deep = { no = 1, f = function() end },\n  [\"c\"] = 2,\n}\nGLOBAL = 5\nfunction global() end\nlocal y <const>, z = 1, 2\nlocal later\nother.x = 1\nreturn M\n",
        "variable M public 1 | local M = {}
         field M.sub public 2 | M.sub = { deep = 1 }
         field M.sub.deep public 2 | deep = 1
         function add private 6-9 | local function add(a, b) | --- Adds. -- Really.
         function M.go public 10 | function M.go(x)
         function M.sub.far public 11 | function M.sub.far()
         method M.meth public 12 | function M:meth(c)
         function M.set public 13-15 | M.set = function(q)
         field M.limit public 16 | M.limit = 5
         variable t private 18-23 | local t
         field t.a public! 19 | a = 1
         function t.run public! 20 | run = function(z)
         field t.deep public! 21 | deep = { no = 1, f = function() end }
         function t.deep.f public! 21 | f = function()
         variable GLOBAL public 24 | GLOBAL = 5
         function global public 25 | function global()
         variable y private 26 | local y <const>, z = 1, 2
         variable z private 26 | local y <const>, z = 1, 2
         variable later private 27 | local later",
    );
}

#[test]
fn literals_do_not_hide_what_follows() {
    check(
        Lua,
        "local s = [==[\nfunction no() end ]]\n]==]\n--[[ function no() end\n]]\nlocal q = 'it\\'s' .. \"end\"\nfunction after() end\n",
        "variable s private 1-3 | local s
         variable q private 6 | local q = 'it\\'s' .. \"end\" | --[[ function no() end ]]
         function after public 7 | function after()",
    );
}

#[test]
fn uses() {
    check_uses(
        Lua,
        "local function f(a)\n  g(a.b, h)\n  m.n(1):o { k = v }\n  self:p()\n  local x = y\nend\n",
        "call g < f
         other a < f
         other b < f
         other h < f
         other m < f
         call n < f
         call o < f
         other v < f
         call p < f
         other y < f",
    );
}

#[test]
fn imports() {
    check_imports(
        Lua,
        "local m = require(\"a.b\")\nlocal x = require 'c'\nrequire \"d\"\nlocal f = require(\"e\").f\nrequire(name)\n",
        "a.b as m
         c as x
         d
         e",
    );
}
