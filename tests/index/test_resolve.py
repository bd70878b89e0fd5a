"""What a call resolves to, and by which witness.

Each case lists all ``calls`` edges that the function ``use`` must have.
"""

from __future__ import annotations

import pytest

from explorer_core.index.symbols import CALLABLES, VARIABLES
from tests.index.workspace import graph_of, id_of, show

CASES: dict[str, tuple[str, list[str]]] = {
    "several variables assigned at once": (
        """
        //- a.py
        class Store:
            def load(self): ...
        class Cart:
            def __init__(self, store: Store):
                self.store, self.size = store, 0
            def add(self): ...
        def make() -> Cart: ...
        def use(given: Cart):
            cart, store = make(), given.store
            cart.add()
            store.load()
        """,
        [
            "a.py:use calls a.py:Cart.add type",
            "a.py:use calls a.py:Store.load type",
            "a.py:use calls a.py:make scope",
        ],
    ),
    "variable assigned by a walrus": (
        """
        //- a.py
        class Store:
            def load(self): ...
        def use():
            if store := Store():
                store.load()
        """,
        ["a.py:use calls a.py:Store scope", "a.py:use calls a.py:Store.load type"],
    ),
    "function in the same file": (
        """
        //- a.py
        def f(): ...
        def use():
            f()
        """,
        ["a.py:use calls a.py:f scope"],
    ),
    "nested function shadows one of the module": (
        """
        //- a.py
        def f(): ...
        def use():
            def f(): ...
            f()
        """,
        ["a.py:use calls a.py:use.f scope"],
    ),
    "parameter shadows a function and an import": (
        """
        //- a.py
        from b import save
        def f(): ...
        def use(f, save):
            f()
            save()
        //- b.py
        def save(): ...
        """,
        [],
    ),
    "loop variable shadows an import": (
        """
        //- a.py
        import b
        def use(items):
            for b in items:
                b.f()
        //- b.py
        def f(): ...
        """,
        [],
    ),
    "import with an alias": (
        """
        //- a.py
        from pkg.b import f as g
        def use():
            g()
        //- pkg/__init__.py
        //- pkg/b.py
        def f(): ...
        """,
        ["a.py:use calls pkg/b.py:f import"],
    ),
    "module alias and dotted module": (
        """
        //- a.py
        import pkg.b
        import pkg.c as c
        def use():
            pkg.b.f()
            c.g()
        //- pkg/__init__.py
        //- pkg/b.py
        def f(): ...
        //- pkg/c.py
        def g(): ...
        """,
        ["a.py:use calls pkg/b.py:f import", "a.py:use calls pkg/c.py:g import"],
    ),
    "re-export through a package, with a wildcard and a cycle": (
        """
        //- a.py
        from pkg import f
        def use():
            f()
        //- pkg/__init__.py
        from .inner import *
        //- pkg/inner.py
        from . import *
        from .deep import f
        //- pkg/deep.py
        def f(): ...
        """,
        ["a.py:use calls pkg/deep.py:f import"],
    ),
    "package that imports its own modules": (
        """
        //- pkg/__init__.py
        from . import b
        from pkg import c
        def use():
            b.f()
            c.g()
        //- pkg/b.py
        def f(): ...
        //- pkg/c.py
        def g(): ...
        """,
        [
            "pkg/__init__.py:use calls pkg/b.py:f import",
            "pkg/__init__.py:use calls pkg/c.py:g import",
        ],
    ),
    "module that its package imports too": (
        """
        //- a.py
        from pkg import b
        def use():
            b.f()
        //- pkg/__init__.py
        from . import b
        //- pkg/b.py
        def f(): ...
        """,
        ["a.py:use calls pkg/b.py:f import"],
    ),
    "relative import from a parent package": (
        """
        //- pkg/__init__.py
        //- pkg/util.py
        def f(): ...
        //- pkg/sub/__init__.py
        //- pkg/sub/a.py
        from ..util import f
        def use():
            f()
        """,
        ["pkg/sub/a.py:use calls pkg/util.py:f import"],
    ),
    "package below a source root": (
        """
        //- src/pkg/__init__.py
        def f(): ...
        //- tests/test_a.py
        from pkg import f
        def use():
            f()
        """,
        ["tests/test_a.py:use calls src/pkg/__init__.py:f import"],
    ),
    "namespace package below a source root": (
        """
        //- src/space/a.py
        def f(): ...
        //- src/space/pkg/__init__.py
        //- src/space/pkg/b.py
        def g(): ...
        //- lib/other/c.py
        def h(): ...
        //- tests/test_a.py
        from space.a import f
        from space.pkg.b import g
        from other.c import h
        def use():
            f()
            g()
            h()
        """,
        [
            "tests/test_a.py:use calls src/space/a.py:f import",
            "tests/test_a.py:use calls src/space/pkg/b.py:g import",
        ],
    ),
    "typescript: members of objects that functions return": (
        """
        //- a.ts
        function edit(text: string) {
            const made = {
                replace: (other: string) => { text = other; return made },
                done: () => text,
                count() {},
            }
            return made
        }
        const arrow = () => ({ go() {}, later })
        const block = () => { return { run() {} } }
        export const fresh = () => new Store();
        function later() {}
        function two() {
            const one = { same() {} }
            const other = { same() {} }
            return other
        }
        class Store { load() {} }
        function use() {
            edit("a").replace("b").done()
            const made = edit("c")
            made.count(); made.missing()
            arrow().go(); arrow().later()
            const { run } = block()
            run()
            fresh().load()
            two().same()
        }
        """,
        [
            "a.ts:use calls a.ts:Store.load type",
            "a.ts:use calls a.ts:arrow scope",
            "a.ts:use calls a.ts:arrow.go type",
            "a.ts:use calls a.ts:block scope",
            "a.ts:use calls a.ts:block.run type",
            "a.ts:use calls a.ts:edit scope",
            "a.ts:use calls a.ts:edit.count type",
            "a.ts:use calls a.ts:edit.done type",
            "a.ts:use calls a.ts:edit.replace type",
            "a.ts:use calls a.ts:fresh scope",
            "a.ts:use calls a.ts:later type",
            "a.ts:use calls a.ts:two scope",
        ],
    ),
    "typescript: package of the same repository, by name in package.json": (
        """
        //- packages/shapes/package.json
        {
          "name": "@acme/shapes",
          "main": "dist/index.js"
        }
        //- packages/shapes/src/index.ts
        export { area } from "./area"
        //- packages/shapes/src/area.ts
        export function area() {}
        //- packages/shapes/src/solid/index.ts
        export function volume() {}
        //- packages/shapes/tests/index.ts
        export function area() {}
        //- packages/plain/package.json
        {"name": "plain", "version": "1.0.0"}
        //- packages/plain/index.js
        export function flat() {}
        //- packages/plain/tools/paint.js
        export function paint() {}
        //- apps/web/package.json
        {"name": "web", "dependencies": {"name": "plain"}}
        //- apps/web/main.ts
        import { area } from "@acme/shapes"
        import { volume } from "@acme/shapes/solid"
        import { flat } from "plain"
        import { paint } from "plain/tools/paint.js"
        import { other } from "@acme/elsewhere"
        import { missing } from "plain/nothing"
        function use() {
            area(); volume(); flat(); paint(); other(); missing()
        }
        """,
        [
            "apps/web/main.ts:use calls packages/plain/index.js:flat import",
            "apps/web/main.ts:use calls packages/plain/tools/paint.js:paint import",
            "apps/web/main.ts:use calls packages/shapes/src/area.ts:area import",
            "apps/web/main.ts:use calls packages/shapes/src/solid/index.ts:volume import",
        ],
    ),
    "typescript: path aliases in tsconfig.json and package.json": (
        """
        //- tsconfig.base.json
        {
          "compilerOptions": {
            "baseUrl": ".",
            "paths": {
              // what is shared
              "@acme/shapes": ["libs/shapes/src/index.ts"],
              "@acme/*": [
                "libs/*/src",
                "elsewhere/*"
              ]
            }
          }
        }
        //- libs/shapes/src/index.ts
        export function area() {}
        //- libs/text/src/index.ts
        export function trim() {}
        //- apps/web/tsconfig.json
        {"compilerOptions": {"baseUrl": "./src", "paths": {"~*": ["./*"], "@acme/own": ["own.ts"]}}}
        //- apps/web/package.json
        {"imports": {"#kit/*": "./kit/*.ts", "#mode": {"dev": "./kit/mode.ts", "import": "./x.ts"}}}
        //- apps/web/kit/paint.ts
        export function paint() {}
        //- apps/web/kit/mode.ts
        export function mode() {}
        //- apps/web/src/own.ts
        export function own() {}
        //- apps/web/src/views/list.ts
        export function list() {}
        //- apps/web/src/views/item.ts
        export function item() {}
        //- apps/web/src/views/main.ts
        import { area } from "@acme/shapes"
        import { trim } from "@acme/text"
        import { own } from "@acme/own"
        import { list } from "views/list"
        import { item } from "~views/item"
        import { paint } from "#kit/paint"
        import { mode } from "#mode"
        import { missing } from "@acme/missing"
        function use() {
            area(); trim(); own(); list(); item(); paint(); mode(); missing()
        }
        //- apps/other/main.ts
        import { own } from "@acme/own"
        function other() {
            own()
        }
        """,
        [
            "apps/web/src/views/main.ts:use calls apps/web/kit/mode.ts:mode import",
            "apps/web/src/views/main.ts:use calls apps/web/kit/paint.ts:paint import",
            "apps/web/src/views/main.ts:use calls apps/web/src/own.ts:own import",
            "apps/web/src/views/main.ts:use calls apps/web/src/views/item.ts:item import",
            "apps/web/src/views/main.ts:use calls apps/web/src/views/list.ts:list import",
            "apps/web/src/views/main.ts:use calls libs/shapes/src/index.ts:area import",
            "apps/web/src/views/main.ts:use calls libs/text/src/index.ts:trim import",
        ],
    ),
    "typescript: nearer of two packages with one name": (
        """
        //- one/package.json
        {"name": "kit"}
        //- one/index.ts
        export function cut() {}
        //- one/demo/main.ts
        import { cut } from "kit"
        export function use() { cut() }
        //- two/package.json
        {"name": "kit"}
        //- two/index.ts
        export function cut() {}
        """,
        ["one/demo/main.ts:use calls one/index.ts:cut import"],
    ),
    "external import is never guessed at": (
        """
        //- a.py
        import json
        from requests import get
        def use(x):
            json.dumps(x)
            get(x)
            get(x).json_body()
        //- pkg/__init__.py
        //- pkg/json.py
        def dumps(x): ...
        def get(x): ...
        class R:
            def json_body(self): ...
        """,
        [],
    ),
    "own, inherited and super members": (
        """
        //- a.py
        from b import Base
        class A(Base):
            def own(self): ...
            def use(self):
                self.own()
                self.inherited()
                super().again()
            def again(self): ...
        //- b.py
        class Base:
            def inherited(self): ...
            def again(self): ...
        """,
        [
            "a.py:A.use calls a.py:A.own type",
            "a.py:A.use calls b.py:Base.inherited type",
            "a.py:A.use calls b.py:Base.again type",
        ],
    ),
    "inherited member is not in scope in a class body": (
        """
        //- a.py
        import b
        class Base:
            def b(self): ...
        class Own(Base):
            class Inner(b.Reader):
                def use(self):
                    self.read()
        //- b.py
        class Reader:
            def read(self): ...
        """,
        ["a.py:Own.Inner.use calls b.py:Reader.read type"],
    ),
    "member found in C3 order": (
        """
        //- a.py
        class Top:
            def m(self): ...
        class Left(Top): ...
        class Right(Top):
            def m(self): ...
        class Bottom(Left, Right):
            def use(self):
                self.m()
        """,
        ["a.py:Bottom.use calls a.py:Right.m type"],
    ),
    "without a C3 order, the first written supertype wins": (
        """
        //- a.py
        class Top:
            def m(self): ...
        class Inner(Top):
            def m(self): ...
        class Both(Top, Inner):
            def use(self):
                self.m()
        """,
        ["a.py:Both.use calls a.py:Top.m type"],
    ),
    "cyclic supertypes": (
        """
        //- a.py
        class A(B):
            def use(self):
                self.m()
        class B(A):
            def m(self): ...
        """,
        ["a.py:A.use calls a.py:B.m type"],
    ),
    "member that may be inherited from outside is not guessed at": (
        """
        //- a.py
        from elsewhere import Base
        class A(Base):
            def use(self):
                self.m()
        class B:
            def m(self): ...
        """,
        [],
    ),
    "annotated parameter, constructed local, result of a call": (
        """
        //- a.py
        from b import Store, open_store
        def use(given: Store | None):
            given.save()
            made = Store()
            made.load()
            open_store().close()
        //- b.py
        class Store:
            def save(self): ...
            def load(self): ...
            def close(self): ...
        def open_store() -> "Store": ...
        """,
        [
            "a.py:use calls b.py:Store.save type",
            "a.py:use calls b.py:Store import",
            "a.py:use calls b.py:Store.load type",
            "a.py:use calls b.py:open_store import",
            "a.py:use calls b.py:Store.close type",
        ],
    ),
    "attribute assigned in the constructor, followed step by step": (
        """
        //- a.py
        from b import Engine
        class Car:
            def __init__(self, engine: Engine):
                self.engine = engine
            def use(self):
                self.engine.pump.start()
        //- b.py
        class Pump:
            def start(self): ...
        class Engine:
            def __init__(self):
                self.pump = Pump()
        """,
        ["a.py:Car.use calls b.py:Pump.start type"],
    ),
    "unknown receiver is resolved by name, with namesakes": (
        """
        //- a.py
        def use(x):
            x.commit()
        //- b.py
        class A:
            def commit(self): ...
        class B:
            def commit(self): ...
        def commit(): ...
        """,
        ["a.py:use calls b.py:A.commit name/2", "a.py:use calls b.py:B.commit name/2"],
    ),
    "unbound name is a builtin": (
        """
        //- a.py
        def use():
            open()
        //- b.py
        def open(): ...
        """,
        [],
    ),
    "string literal has no members of the repository": (
        """
        //- a.py
        def use():
            ", ".join([])
        //- b.py
        class Query:
            def join(self): ...
        """,
        [],
    ),
    "list, dict or string has no members of the repository": (
        """
        //- a.py
        class Tray:
            suffix = ".a"
            def pop(self): ...
        class Wide(Tray):
            def __init__(self, made):
                self.kept = []
                self.suffix = ".b"
                self.made = ""
                self.made = Tray()
        def use(given, wide: Wide):
            kept = [1]
            kept.pop()
            table = {one: one for one in given}
            table.pop()
            wide.kept.pop()
            wide.suffix.pop()
            wide.made.pop()
            kept = Tray()
            kept.pop()
        """,
        [
            "a.py:use calls a.py:Tray scope",
            "a.py:use calls a.py:Tray.pop type",
        ],
    ),
    "local variable named like its enclosing function": (
        """
        //- a.py
        def use():
            def made(given):
                made = []
                made.pop()
                return made
            def other():
                other = Tray()
                other.pop()
            other()
            return made(1)
        class Tray:
            def pop(self): ...
        """,
        ["a.py:use calls a.py:use.made scope", "a.py:use calls a.py:use.other scope"],
    ),
    "typescript: list or string has no members of the repository": (
        """
        //- a.ts
        export class Tray {
          private kept;
          constructor() { this.kept = []; }
          pop() {}
          last() { return this.kept.pop(); }
        }
        export function use(given) {
          new Tray().last();
          let all = [1];
          all.pop();
          all = "one";
          all.pop();
        }
        """,
        [
            "a.ts:use calls a.ts:Tray scope",
            "a.ts:use calls a.ts:Tray.last type",
        ],
    ),
    "ruby: list or hash has no members of the repository": (
        """
        //- a.rb
        class Tray
          def pop
          end
          def use
            all = [1]
            all.pop
            all = {}
            all.pop
          end
        end
        """,
        [],
    ),
    "typescript: default, renamed and re-exported imports; index files; suffixes": (
        """
        //- src/a.ts
        import make, { f as g } from "./lib";
        import * as util from "./util.js";
        export function use() {
            make();
            g();
            util.h();
        }
        //- src/lib/index.ts
        export { f } from "./deep";
        export default function make() {}
        //- src/lib/deep.ts
        export function f() {}
        //- src/util.ts
        export const h = () => {};
        """,
        [
            "src/a.ts:use calls src/lib/index.ts:make import",
            "src/a.ts:use calls src/lib/deep.ts:f import",
            "src/a.ts:use calls src/util.ts:h import",
        ],
    ),
    "typescript: own members and the type of a field": (
        """
        //- a.ts
        import { Engine } from "./b";
        class Car {
            constructor(private engine: Engine) {}
            own() {}
            use() {
                this.own();
                this.engine.start();
            }
        }
        //- b.ts
        export class Engine {
            start() {}
        }
        """,
        ["a.ts:Car.use calls a.ts:Car.own type", "a.ts:Car.use calls b.ts:Engine.start type"],
    ),
    "go: package of several files, receivers, embedded types": (
        """
        //- main.go
        package main
        import (
            "fmt"
            "example.org/shop/store"
        )
        func use() {
            s := store.New()
            s.Save()
            s.Log()
            fmt.Println()
            helper()
        }
        //- helper.go
        package main
        func helper() {}
        func Println() {}
        //- store/store.go
        package store
        type Store struct {
            Base
        }
        func New() *Store { return &Store{} }
        func (s *Store) Save() {}
        //- store/base.go
        package store
        type Base struct{}
        func (b *Base) Log() {}
        """,
        [
            "main.go:use calls store/store.go:New import",
            "main.go:use calls store/store.go:Store.Save type",
            "main.go:use calls store/base.go:Base.Log type",
            "main.go:use calls helper.go:helper scope",
        ],
    ),
    "rust: crate paths, modules and implementations": (
        """
        //- src/main.rs
        mod store;
        use crate::store::Store;
        fn use_it() {}
        fn runs(s: &Store) {
            s.save();
            store::open();
            use_it();
        }
        //- src/store.rs
        pub struct Store;
        impl Store {
            pub fn save(&self) {}
        }
        pub fn open() {}
        """,
        [
            "src/main.rs:runs calls src/store.rs:Store.save type",
            "src/main.rs:runs calls src/store.rs:open import",
            "src/main.rs:runs calls src/main.rs:use_it scope",
        ],
    ),
    "java: imports, own package, unqualified, inherited and interface members": (
        """
        //- app/src/org/shop/Cart.java
        package org.shop;
        import org.shop.store.Store;
        import java.util.List;
        class Cart extends Base {
            private Store store;
            void use(List<String> items) {
                store.save();
                check();
                inherited();
                Helper.help();
                items.size();
            }
            void check() {}
        }
        //- app/src/org/shop/Base.java
        package org.shop;
        class Base {
            void inherited() {}
        }
        //- app/src/org/shop/Helper.java
        package org.shop;
        class Helper {
            static void help() {}
            int size() { return 0; }
        }
        //- app/src/org/shop/store/Store.java
        package org.shop.store;
        public interface Store {
            void save();
        }
        """,
        [
            "app/src/org/shop/Cart.java:Cart.use calls "
            "app/src/org/shop/store/Store.java:Store.save type",
            "app/src/org/shop/Cart.java:Cart.use calls app/src/org/shop/Cart.java:Cart.check scope",
            "app/src/org/shop/Cart.java:Cart.use calls "
            "app/src/org/shop/Base.java:Base.inherited scope",
            "app/src/org/shop/Cart.java:Cart.use calls "
            "app/src/org/shop/Helper.java:Helper.help type",
        ],
    ),
    "java: own type name is the type; same-arity overloads all match": (
        """
        //- Pen.java
        class Pen {
            Pen() {}
            static Pen use() {
                draw(1);
                return new Pen();
            }
            static void draw(int x) {}
            static void draw(String x) {}
        }
        """,
        [
            "Pen.java:Pen.use calls Pen.java:Pen.draw scope",
            "Pen.java:Pen.use calls Pen.java:Pen scope",
        ],
    ),
    "php: trait method is found before the interface method": (
        """
        //- src/Client.php
        <?php
        namespace Shop;
        use Shop\\Event\\HasEmitter;
        use Shop\\Event\\Emits;
        class Client implements Emits {
            use HasEmitter;
            function run() {
                $this->emitter();
            }
        }
        //- src/Event/HasEmitter.php
        <?php
        namespace Shop\\Event;
        trait HasEmitter {
            function emitter() {}
        }
        //- src/Event/Emits.php
        <?php
        namespace Shop\\Event;
        interface Emits {
            function emitter();
        }
        """,
        ["src/Client.php:Client.run calls src/Event/HasEmitter.php:HasEmitter.emitter type"],
    ),
    "c: call resolves to included declaration and to definition": (
        """
        //- src/main.c
        #include "store.h"
        int use(void) {
            return store_open();
        }
        //- src/store.h
        int store_open(void);
        //- src/store.c
        #include "store.h"
        int store_open(void) {
            return 1;
        }
        """,
        [
            "src/main.c:use calls src/store.h:store_open import",
            "src/main.c:use calls src/store.c:store_open import",
        ],
    ),
}

CALLERS = ("use", "runs", "run")


@pytest.mark.parametrize("case", CASES)
def test_calls(case: str) -> None:
    source, expected = CASES[case]
    graph = graph_of(source)
    caller = id_of(graph, next(name for name in CALLERS if graph.find(name)))
    found = {show(graph, edge) for edge in graph.outgoing(caller) if edge.relation == "calls"}
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("others", "expected"), [(1, ["a.py:use calls b.py:Box.run name/1"]), (100, [])]
)
def test_no_guess_by_name_that_many_files_define(others: int, expected: list[str]) -> None:
    files = [
        "//- a.py\ndef use(box):\n    box.run()\n//- b.py\nclass Box:\n    def run(self): ...",
        *(f"//- c{n}.py\ndef run(): ..." for n in range(others)),
    ]
    graph = graph_of("\n".join(files) + "\n")
    found = [show(graph, edge) for edge in graph.outgoing(id_of(graph, "use"))]
    assert [edge for edge in found if " calls " in edge] == expected


HANDED_ON = """
//- b.py
class Session:
    def request(self): ...
    def close_all(self): ...
    @lazily
    def age(self): ...
//- a.py
def use({parameter}):
    give({passed})
"""


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ("reply.request", []),  # data, whatever has a method of that name
        ("session.request", ["a.py:use references b.py:Session.request name/1"]),
        ("reply.close_all", ["a.py:use references b.py:Session.close_all name/1"]),
        ("reply.age", ["a.py:use references b.py:Session.age name/1"]),  # may be read like data
        ("reply.request()", ["a.py:use calls b.py:Session.request name/1"]),
    ],
)
def test_passed_member_of_one_word_is_not_resolved_by_name_alone(
    passed: str, expected: list[str]
) -> None:
    source = HANDED_ON.format(parameter=passed.partition(".")[0], passed=passed)
    graph = graph_of(source)
    assert [show(graph, edge) for edge in graph.uses(id_of(graph, "use"))] == expected


FIELD_AND_METHOD = {
    "java": "//- A.java\nclass A {\n int size;\n int size() { return size; }\n"
    " int call() { return this.size(); }\n int read() { return this.size; }\n}\n",
    "kotlin": "//- a.kt\nclass A(val size: Int) {\n fun size(): Int = size\n"
    " fun call(): Int { return size() }\n fun read(): Int { return this.size }\n}\n",
    "php": "//- a.php\n<?php\nclass A {\n private $size;\n function size() {}\n"
    " function call() { $this->size(); }\n function read() { return $this->size; }\n}\n",
    "swift": "//- a.swift\nclass A {\n var size: Int = 0\n func size(of x: Int) -> Int { x }\n"
    " func call() -> Int { return size(of: 1) }\n func read() -> Int { return self.size }\n}\n",
    "rust": "//- src/a.rs\nstruct A { size: u8 }\nimpl A {\n fn size(&self) -> u8 { 1 }\n"
    " fn call(&self) -> u8 { self.size() }\n fn read(&self) -> u8 { self.size }\n}\n",
}


@pytest.mark.parametrize("language", FIELD_AND_METHOD)
def test_call_means_method_and_read_means_field(language: str) -> None:
    graph = graph_of(FIELD_AND_METHOD[language])
    for caller, kinds in (("A.call", CALLABLES), ("A.read", VARIABLES)):
        targets = {edge.target for edge in graph.outgoing(id_of(graph, caller))}
        symbols = [graph.symbol(target) for target in targets]
        assert [each.kind in kinds for each in symbols if each.name == "size"] == [True], symbols
