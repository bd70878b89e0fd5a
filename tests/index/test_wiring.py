"""How applications wire themselves: names passed to calls, put in tables, applied as decorators,
and re-exported.

Each case names a symbol and the files or functions that must refer to it, besides its callers.
"""

from __future__ import annotations

import pytest

from tests.index.workspace import graph_of, id_of, label

CASES: dict[str, tuple[str, str, set[str]]] = {
    "python: argument, keyword, table, decorator, default": (
        """
        //- a.py
        def traced(f): return f
        def handle(request): ...
        TABLE = {"handle": handle}
        ROWS = [("a", handle)]
        def setup(app):
            app.register("x", handle)
            app.register(callback=handle)
        @traced
        def other(f=handle): ...
        """,
        "handle",
        {"a.py:TABLE", "a.py:ROWS", "a.py:setup", "a.py:other"},
    ),
    "python: decorator with arguments, from another module": (
        """
        //- a.py
        from pkg import route
        @route("/x")
        def index(): ...
        //- pkg/__init__.py
        from pkg.routing import route
        __all__ = ["route"]
        //- pkg/routing.py
        def route(path): ...
        """,
        "route",
        {"a.py:index"},
    ),
    "python: decorator defined in a class for its own methods": (
        """
        //- a.py
        class Field:
            def once(f): ...
            @once
            def get(self): ...
            @once
            class Inner:
                def once(self): ...
        """,
        "Field.once",
        {"a.py:Field.get", "a.py:Field.Inner"},
    ),
    "javascript: argument, table, shorthand, method, export list": (
        """
        //- a.js
        import { handle } from './index.js'
        const table = { handle, named: handle }
        function setup(app) {
          app.get('/x', handle)
          app.use([handle])
        }
        //- index.js
        export { handle } from './handle.js'
        //- handle.js
        function handle(request) {}
        export { handle }
        """,
        "handle.js:handle",
        {"a.js:table", "a.js:setup", "handle.js"},
    ),
    "typescript: re-export of all names by an index file; decorator; JSX": (
        """
        //- a.tsx
        import { Button, Injectable } from './parts'
        @Injectable()
        export class Service {}
        export const View = () => <Row onClick={Button}><Button></Button></Row>
        //- parts/index.ts
        export * from './button'
        //- parts/button.tsx
        export function Button() { return null }
        export function Injectable() { return Button }
        """,
        "Button",
        {"a.tsx:View", "parts/button.tsx:Injectable"},
    ),
    "go: argument, map, struct, slice": (
        """
        //- a.go
        package a
        func handle(w int) {}
        var table = map[string]func(int){"x": handle}
        var rows = []func(int){handle}
        var route = Route{Handler: handle}
        func setup(r Router) { r.GET("/x", handle) }
        """,
        "handle",
        {"a.go:table", "a.go:rows", "a.go:route", "a.go:setup"},
    ),
    "rust: argument, array, struct, attribute, use": (
        """
        //- src/main.rs
        mod handlers;
        use crate::handlers::{self, handle as h};
        static TABLE: [fn(); 1] = [h];
        fn setup(app: App) {
            app.route("/x", get(handlers::handle));
            let r = Route { run: h };
        }
        //- src/handlers.rs
        pub fn handle() {}
        """,
        "handle",
        {"src/main.rs:TABLE", "src/main.rs:setup"},
    ),
    "java: method references and annotations": (
        """
        //- A.java
        package a;
        class A {
            static void handle(String x) {}
            void setup(Router r) { r.on("x", A::handle); }
            @Traced void other() {}
        }
        //- Traced.java
        package a;
        @interface Traced {}
        """,
        "handle",
        {"A.java:A.setup"},
    ),
    "kotlin: callable references and tables": (
        """
        //- a.kt
        package a
        fun handle(x: String) {}
        val rows = listOf(::handle)
        fun setup(r: Router) { r.on("x", ::handle) }
        """,
        "handle",
        {"a.kt:rows", "a.kt:setup"},
    ),
    "c: pointers in tables and arguments, through an include": (
        """
        //- a.h
        void handle(int x);
        //- a.c
        #include "a.h"
        static struct route routes[] = { { "x", handle }, { .run = &handle } };
        void setup(void) { on("x", handle); }
        """,
        "handle",
        {"a.c:routes", "a.c:setup"},
    ),
    "c++: functions and member pointers as arguments": (
        """
        //- a.cpp
        struct A { void run(); };
        void handle(int x) {}
        std::vector<F> rows = {handle};
        void setup(R& r) { r.on("x", &A::run); r.on("y", handle); }
        """,
        "handle",
        {"a.cpp:rows", "a.cpp:setup"},
    ),
    "c#: method groups, events and attributes": (
        """
        //- A.cs
        namespace N {
            class A {
                static void Handle(string x) {}
                Action<string>[] rows = { Handle };
                void Setup(R r) { r.On("x", Handle); r.Changed += Handle; }
            }
        }
        """,
        "Handle",
        {"A.cs:A.Setup", "A.cs:A.rows"},
    ),
    "ruby: method objects": (
        """
        //- a.rb
        def handle(x); end
        def setup(r)
          r.on("x", method(:handle))
          handle 1
        end
        """,
        "handle",
        {"a.rb:setup"},
    ),
    "php: first-class callables": (
        """
        //- A.php
        <?php
        class A {
            public static function handle() {}
            public function setup($r) { $r->on('x', self::handle(...)); }
        }
        """,
        "handle",
        {"A.php:A.setup"},
    ),
    "swift: functions as arguments and in arrays": (
        """
        //- a.swift
        func handle(x: String) {}
        let rows = [handle]
        func setup(r: Router) { r.on("x", use: handle) }
        """,
        "handle",
        {"a.swift:rows", "a.swift:setup"},
    ),
    "scala: functions as arguments": (
        """
        //- a.scala
        object A {
          def handle(x: String): Unit = {}
          val rows = List(handle)
          def setup(r: Router) = r.on("x", handle)
        }
        """,
        "handle",
        {"a.scala:A.rows", "a.scala:A.setup"},
    ),
    "lua: functions in tables and arguments": (
        """
        //- a.lua
        local function handle(x) end
        local rows = { run = handle }
        function setup(r) r.on("x", handle) end
        """,
        "handle",
        {"a.lua:rows", "a.lua:setup"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_wired_symbol_is_referenced(case: str) -> None:
    source, name, expected = CASES[case]
    graph = graph_of(source)
    found = {
        label(graph, edge.source)
        for edge in graph.incoming(id_of(graph, name))
        if edge.relation in ("references", "calls")
    }
    assert expected <= found


REEXPORTED: dict[str, tuple[str, str, set[str]]] = {
    "python packages": (
        """
        //- pkg/__init__.py
        from .a import f
        //- pkg/a.py
        def f(): ...
        //- use.py
        import pkg
        from pkg import f as g
        """,
        "f",
        {"pkg/__init__.py", "use.py"},
    ),
    "typescript index files": (
        """
        //- lib/index.ts
        export { f as g } from './a'
        //- lib/a.ts
        export function f() {}
        //- use.ts
        import { g } from './lib'
        """,
        "f",
        {"lib/index.ts", "use.ts"},
    ),
    "rust use": (
        """
        //- src/lib.rs
        mod a;
        pub use a::f;
        //- src/a.rs
        pub fn f() {}
        //- src/b.rs
        use crate::f;
        """,
        "f",
        {"src/lib.rs", "src/b.rs"},
    ),
    "java static imports": (
        """
        //- a/A.java
        package a;
        public class A { public static void f() {} }
        //- b/B.java
        package b;
        import static a.A.f;
        """,
        "f",
        {"b/B.java"},
    ),
    "php use function": (
        """
        //- a.php
        <?php
        namespace A;
        function f() {}
        //- b.php
        <?php
        namespace B;
        use function A\\f;
        """,
        "f",
        {"b.php"},
    ),
    "kotlin imports with an alias": (
        """
        //- a.kt
        package a
        fun f() {}
        //- b.kt
        package b
        import a.f as g
        """,
        "f",
        {"b.kt"},
    ),
}


@pytest.mark.parametrize("case", REEXPORTED)
def test_reexported_symbol_is_imported(case: str) -> None:
    source, name, expected = REEXPORTED[case]
    graph = graph_of(source)
    edges = graph.incoming(id_of(graph, name))
    assert expected <= {label(graph, e.source) for e in edges if e.relation == "imports"}
