use super::super::fixture::{check, check_imports, check_uses};
use crate::language::Language::{JavaScript, Tsx, TypeScript};

#[test]
fn functions_and_bindings() {
    check(
        TypeScript,
        "/** Adds. */
export async function add(a: number, b = 1): Promise<number> { return a + b; }
function* walk() {}
export const limit = 10, pick = (x: number) => x;
let state: State | undefined;
var old = function inner() { const local = () => 1; function nested() {} };
export const { host, port: portNumber, ...rest } = settings;
const [first, second = 2] = list;
export const table = {
  one: 1,
};
",
        "function add public 2 | export async function add(a: number, b = 1): Promise<number> | /** Adds. */
         function walk private 3 | function* walk()
         constant limit public 4 | export const limit = 10
         function pick public 4 | pick = (x: number) =>
         variable state private 5 | let state: State | undefined
         function old private 6 | var old = function inner()
         function old.nested private 6 | function nested()
         constant host public 7 | export const { host, port: portNumber, ...rest } = settings
         constant portNumber public 7 | export const { host, port: portNumber, ...rest } = settings
         constant rest public 7 | export const { host, port: portNumber, ...rest } = settings
         constant first private 8 | const [first, second = 2] = list
         constant second private 8 | const [first, second = 2] = list
         constant table public 9-11 | export const table",
    );
}

#[test]
fn classes_and_members() {
    check(
        TypeScript,
        "export abstract class Store<T> extends base.Base<T> implements Closable {
  static readonly size = 4;
  #hidden = 1;
  private cache?: Map<string, T>;
  /** Makes one. */
  constructor(private readonly db: Db, protected url: string, plain: number) { super(); }
  get all(): T[] { return []; }
  set all(v) {}
  protected abstract load(id: string): T;
  find(id: string): T;
  find(id: any) { return this.load(id); }
  handle = () => { helper(); };
  [Symbol.iterator]() {}
  'quoted-name'() {}
}
",
        "class Store public 1-15 | export abstract class Store<T> extends base.Base<T> implements Closable
         field Store.size public 2 | static readonly size = 4
         field Store.#hidden private 3 | #hidden = 1
         field Store.cache private 4 | private cache?: Map<string, T>
         constructor Store.constructor public 6 | constructor(private readonly db: Db, protected url: string, plain: number) | /** Makes one. */
         field Store.db private 6 | private readonly db: Db
         field Store.url restricted 6 | protected url: string
         property Store.all public 7 | get all(): T[]
         property Store.all public 8 | set all(v)
         method Store.load restricted 9 | protected abstract load(id: string): T
         method Store.find public 10 | find(id: string): T
         method Store.find public 11 | find(id: any)
         method Store.handle public 12 | handle = () =>
         method Store.[Symbol.iterator] public 13 | [Symbol.iterator]()
         method Store.quoted-name public 14 | 'quoted-name'()",
    );
}

#[test]
fn decorators_belong_to_what_follows() {
    check(
        TypeScript,
        "/** Greets. */
@One()
@Two
export class Hello {
  @input()
  name = '';

  /** Runs. */
  @dep<Map<string, number>>()
  method() {}
  after() {}
}

export @Late class Other {}
",
        "class Hello public 2-12 | export class Hello | /** Greets. */
         field Hello.name public 5-6 | name = ''
         method Hello.method public 9-10 | method() | /** Runs. */
         method Hello.after public 11 | after()
         class Other public 14 | export @Late class Other",
    );
    check_uses(
        TypeScript,
        "@One() export class Hello { @ro foo() {} }",
        "call One < file\nother ro < Hello",
    );
}

#[test]
fn types_and_their_members() {
    check(
        TypeScript,
        "export interface Shape<in out T> extends Base<T> {
  readonly area: number;
  scale?(by: { factor: number }): void;
  (call: number): string;
}
export type Pair<out T> = { left: T; swap(): void };
type Either =
  | A
  | B;
export enum Color { Red, Green = 2 }
declare const enum Flag { On }
",
        "interface Shape public 1-5 | export interface Shape<in out T> extends Base<T>
         property Shape.area public 2 | readonly area: number
         method Shape.scale public 3 | scale?(by: { factor: number }): void
         type Pair public 6 | export type Pair<out T> = { left: T; swap(): void }
         property Pair.left public 6 | left: T
         method Pair.swap public 6 | swap(): void
         type Either private 7-9 | type Either
         enum Color public 10 | export enum Color
         variant Color.Red public 10 | Red
         variant Color.Green public 10 | Green = 2
         enum Flag private 11 | declare const enum Flag
         variant Flag.On public! 11 | On",
    );
    // Keywords that the grammar takes for parameters are no uses.
    check_uses(
        TypeScript,
        "interface I<in out T> {}\ntype V<T extends K> = W<T>;",
        "type K < V\ntype W < V\ntype T < V",
    );
}

#[test]
fn namespaces_and_ambient_declarations() {
    check(
        TypeScript,
        "export namespace A.B { export const v = 1; const w = 2; }
declare module 'other' { function open(): void; }
declare global { interface Window { app: App } }
declare function loose(a: number): string;
",
        "module A.B public 1 | export namespace A.B
         constant A.B.v public 1 | export const v = 1
         constant A.B.w private 1 | const w = 2
         module other public 2 | declare module 'other'
         function other.open public 2 | function open(): void
         interface Window public 3 | interface Window
         property Window.app public 3 | app: App
         function loose private 4 | declare function loose(a: number): string",
    );
}

#[test]
fn exports_reach_back() {
    check(
        TypeScript,
        "function make() {}\nnamespace make { export const v = 1 }\nfunction other() {}\nexport = make;\n",
        "function make public 1 | function make()
         module make public 2 | namespace make
         constant make.v public 2 | export const v = 1
         function other private 3 | function other()",
    );
    check(
        TypeScript,
        "class A { m() {} }\nclass B { m() {} }\nconst c = 1;\nexport { A as Z };\nexport default c;\n",
        "class A public 1 | class A
         method A.m public 1 | m()
         class B private 2 | class B
         method B.m public! 2 | m()
         constant c public 3 | const c = 1",
    );
    // Without imports and exports the file is a script: its top level is global.
    check(
        JavaScript,
        "function boot() {}\nvar app = {};\n",
        "function boot public 1 | function boot()\nvariable app public 2 | var app = {}",
    );
    check(
        JavaScript,
        "function boot() {}\nexport {};\n",
        "function boot private 1 | function boot()",
    );
}

#[test]
fn anonymous_defaults_are_called_default() {
    check(
        TypeScript,
        "/** Doc. */\nexport default function () {}\n",
        "function default public 2 | export default function () | /** Doc. */",
    );
    check(
        JavaScript,
        "export default class { m() {} }\n",
        "class default public 1 | export default class\nmethod default.m public 1 | m()",
    );
    check(
        TypeScript,
        "export default async () => {};\n",
        "function default public 1 | export default async () =>",
    );
    check(
        TypeScript,
        "export default defineComponent({\n  name: 'x',\n  setup() {},\n  methods: { go: () => {} },\n});\n",
        "constant default public 1-5 | export default
         method default.setup public 3 | setup()
         method default.go public 4 | go: () =>",
    );
    check(
        TypeScript,
        "export default function named() {}\n",
        "function named public 1 | export default function named()",
    );
}

#[test]
fn functions_of_kept_objects() {
    check(
        JavaScript,
        "export const api = {
  get(id) { return { inner() {} }; },
  list: async function () {},
  nested: { deep: () => 1 },
};
run({ skipped() {} });
",
        "constant api public 1-5 | export const api
         method api.get public 2 | get(id)
         method api.list public 3 | list: async function ()
         method api.deep public 4 | deep: () =>",
    );
}

#[test]
fn commonjs() {
    check(
        JavaScript,
        "'use strict';
exports.open = function (path) {};
exports.VERSION = '1';
exports.later = void 0;
module.exports.close = close;
function close() {}
function hidden() {}
exports.Shape = Shape;
function Shape() {}
Shape.prototype.area = function () { return 1; };
Late.prototype.area = function () { return 2; };
response.send = function send() {};
const app = module.exports = {};
app.use = (fn) => fn;
",
        "function open public 2 | exports.open = function (path)
         constant VERSION public 3 | exports.VERSION = '1'
         function close public 6 | function close()
         function hidden private 7 | function hidden()
         function Shape public 9 | function Shape()
         method Shape.area public 10 | Shape.prototype.area = function ()
         method Late.area public 11 | Late.prototype.area = function ()
         function send public 12 | response.send = function send()
         constant app public 13 | const app = module.exports = {}
         method app.use public 14 | app.use = (fn) =>",
    );
    check(
        JavaScript,
        "function a() {}\nfunction b() {}\nfunction c() {}\nmodule.exports = { a, x: b, d() {}, e: () => 1 };\n",
        "function a public 1 | function a()
         function b public 2 | function b()
         function c private 3 | function c()
         function d public 4 | d()
         function e public 4 | e: () =>",
    );
    check(
        JavaScript,
        "exports = module.exports = create;\nfunction create() {}\n",
        "function create public 2 | function create()",
    );
    check(
        JavaScript,
        "module.exports = class Pool { take() {} };\n",
        "class Pool public 1 | module.exports = class Pool\nmethod Pool.take public 1 | take()",
    );
    check(
        JavaScript,
        "module.exports = function () {};\n",
        "function default public 1 | module.exports = function ()",
    );
}

#[test]
fn imports() {
    check_imports(
        TypeScript,
        "import d, { a as b, type C, default as e } from './m';
import * as ns from 'n';
import f, * as g from 'o';
import 'side';
import type { T } from 't';
import x = require('q');
import A = B.C;
export import Z = B.D;
const lazy = await import('./lazy');
import('./later').then(go);
",
        "./m {default as d, a as b, C, default as e}
         n as ns
         o as g {default as f}
         side
         t {T}
         q as x
         B.C as A
         pub B.D as Z
         ./lazy as lazy
         ./later",
    );
    check_imports(
        TypeScript,
        "export * from './x';
export * as ns from './y';
export { a as b, default as c, type D } from './z';
export type * as Api from './api';
export { local };
",
        "pub ./x {*}
         pub ./y {* as ns}
         pub ./z {a as b, default as c, D}
         pub ./api {* as Api}",
    );
    check_imports(
        JavaScript,
        "const fs = require('fs');
const { join, resolve: res, sep = 1 } = require('path');
const parse = require('url').parse;
require('./setup');
module.exports = require('./lib')(fs);
function f() { const late = require('late'); }
const other = require(name);
",
        "fs as fs
         path {join, resolve as res, sep}
         url {parse}
         ./setup
         ./lib
         late as late",
    );
}

#[test]
fn uses_and_who_uses() {
    check_uses(
        TypeScript,
        "import { helper } from './h';
class C extends mixin(B) implements I<J> {
  handle = () => { helper(); };
  run(arg: Arg): Out { return new ns.Made<P>(this.field, arg?.call?.()); }
}
app.use(limit(fn));
tag`text ${name}`;
",
        "call mixin < C
         other B < C
         inherit I < C
         type J < C
         call helper < C.handle
         type Arg < C.run
         type Out < C.run
         other ns < C.run
         call Made < C.run
         type P < C.run
         other field < C.run
         other arg < C.run
         call call < C.run
         other app < file
         call use < file
         call limit < file
         other fn < file
         call tag < file
         other name < file",
    );
    check_uses(
        TypeScript,
        "interface A extends B, c.D<E> {}\nclass K extends L {}\nlet k: typeof v = x as unknown as Y[];",
        "inherit B < A
         other c < A
         inherit D < A
         type E < A
         inherit L < K
         other v < k
         other x < k
         type Y < k",
    );
    check_uses(
        JavaScript,
        "class K extends a.L { m(p, q = d, ...r) { for (const i of is) { try {} catch (e) {} } } }",
        "other a < K\ninherit L < K\nother d < K.m\nother is < K.m",
    );
}

#[test]
fn callbacks_within_a_binding_belong_to_it() {
    check_uses(
        TypeScript,
        "import { create, helper } from './h';\nexport const useX = create((set) => ({ go: () => helper() }));\n",
        "call create < useX\nother go < useX\ncall helper < useX",
    );
}

#[test]
fn elements_call_components() {
    let source = "import { Card, Menu } from './ui';\nexport const View = () => <Card title=\"x\"><div className={style}><Menu.Item {...props} /></div></Card>;\n";
    for language in [Tsx, JavaScript] {
        check_uses(
            language,
            source,
            "call Card < View
             other title < View
             other className < View
             other style < View
             other Menu < View
             call Item < View
             other props < View",
        );
    }
    check(
        Tsx,
        source,
        "function View public 2 | export const View = () =>",
    );
}

#[test]
fn broken_source_keeps_the_rest() {
    check(
        TypeScript,
        "export function before() {}\nconst = ;\nexport class After { m() {} }\n",
        "function before public 1 | export function before()
         class After public 3 | export class After
         method After.m public 3 | m()",
    );
}
