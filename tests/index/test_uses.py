"""Reads and writes of fields, constants and variables in each language, by all kinds of evidence.

A line of a fixture that ends in ``//= target...`` (``#=`` in languages with that comment) must have
reads that resolve to exactly these targets, each ``Qualified.name``. A line that ends in
``//= nothing`` must have none. Targets found by name only do not count.
"""

from __future__ import annotations

import re

import pytest

from explorer_core.index.graph import SymbolGraph
from tests.index.memory import MemoryFacts
from tests.index.workspace import facts_of

# ruff: noqa: E501 - an expectation stands on the line it is about

_EXPECTED = re.compile(r"(?://|#)= (.+)$")
_READS = ("read", "argument", "table")

CASES: dict[str, str] = {
    "python: property used as decorator of its setter": """
        //- a.py
        class Page:
            @property
            def title(self): ...
            @title.setter #= Page.title Page.title
            def title(self, value): ...
    """,
    "typescript: ambient declarations": """
        //- types/global.d.ts
        declare const __DEV__: boolean
        //- a.ts
        export const on = () => {
          if (__DEV__) return 1; //= __DEV__
        }
    """,
    "rust: functions named by strings in attributes": """
        //- src/main.rs
        mod dates;
        fn read_size() -> u8 { 1 }
        fn plain() -> u8 { 1 }
        #[derive(Deserialize)]
        struct Page {
            #[serde(default = "read_size", skip_serializing_if = "Option::is_none")] //= read_size
            size: u8,
            #[serde(with = "crate::dates::load_date")] //= load_date
            #[serde(rename = "plain")] //= nothing
            made: u8,
            #[doc = "read_size, plain and dates::load_date"] //= nothing
            last: u8,
        }
        //- src/dates.rs
        pub fn load_date() {}
    """,
    "c: structs by tag and typedef, anonymous members, subscripts, constants, designators": """
        //- a.h
        enum kind { PLAIN, SECURE = 3 };
        typedef struct ctx { int err; struct ctx *next; struct ctx **all; enum kind kind; } ctx;
        typedef struct pair_s { int left; } pair;
        //- a.c
        #include "a.h"
        struct config {
          int type;
          struct { int port; } tcp;
          union { int small; long large; };
          enum { OPEN, SHUT } state;
        };
        static int made;
        int use(struct config config, ctx *c, pair *p, struct pair_s *q) {
          c->err = 1; //= ctx.err
          c->next->err++; //= ctx.next ctx.err
          c->all[0]->err = 2; //= ctx.all ctx.err
          p->left = q->left; //= pair_s.left
          config.tcp.port = 3; //= config.tcp config.tcp.port
          config.large = 4; //= config.large
          made = 5; //= made
          if (config.type == SECURE) return 1; //= config.type kind.SECURE
          if (config.state == SHUT) return 2; //= config.state config.state.SHUT
          ctx local = {
            .err = 3, //= ctx.err
          };
          for (ctx *each = c; each; each = each->next) { //= ctx.next
            each->err = 4; //= ctx.err
          }
          switch (config.type) { //= config.type
          case 1:;
          case 2:
            ctx *chosen = c;
            chosen->err = 5; //= ctx.err
          }
          pair pairs[] = {
            { .left = 1 }, //= pair_s.left
          };
          return made; //= made
        }
        """,
    "c: forward-declared structs mean the definition": """
        //- queue.h
        struct job;
        typedef struct shelf shelf;
        struct queue { struct job *head; shelf *shelf; struct later *later; };
        //- job.h
        struct job { int id; struct job *next; };
        struct shelf { int size; };
        struct later { int when; };
        //- main.c
        #include "queue.h"
        #include "job.h"
        int drain(struct queue *q) {
          q->head->next->id = 1; //= queue.head job.next job.id
          q->shelf->size = 2; //= queue.shelf shelf.size
          q->later->when = 3; //= queue.later later.when
        }
    """,
    "c: extern variable in a header means the definition too": """
        //- a.h
        extern int shared;
        extern int other = 3;
        struct part { int shared; };
        //- a.c
        #include "a.h"
        int shared = 1;
        //- b.c
        #include "a.h"
        static int own;
        int use(struct part *p) {
          shared = 2; //= shared shared
          other = 2; //= other
          p->shared = 2; //= part.shared
          return own; //= own
        }
        """,
    "c++: enumerators of a reopened namespace": """
        //- b.h
        namespace shop { void f(); }
        //- a.h
        namespace shop {
        enum Size { SMALL, LARGE };
        enum class Hue { RED };
        extern int limit;
        }
        //- a.cc
        #include "a.h"
        namespace shop { int limit = 1; }
        namespace other { int limit = 2; }
        //- u.cc
        #include "b.h"
        #include "a.h"
        int use() {
          int a = shop::LARGE; //= shop shop.Size.LARGE
          int b = shop::RED; //= shop
          return shop::limit; //= shop shop.limit shop.limit
        }
        """,
    "c++: typed variables of a namespace": """
        //- a.cc
        namespace shop {
        struct Till { int drawer; };
        Till till;
        Till tills[3];
        int count;
        void f() {
          use(till, count); //= shop.till shop.count
          till.drawer = 1; //= shop.till shop.Till.drawer
          tills[0] = till; //= shop.tills shop.till
        }
        }
    """,
    "c++: scoped enumerators need the name of their enum": """
        //- a.cpp
        namespace n {
        enum open { RED };
        enum class closed { BLUE };
        int pick() {
          int a = RED; //= n.open.RED
          int b = BLUE; //= nothing
          return (int)closed::BLUE; //= n.closed n.closed.BLUE
        }
        }
        """,
    "go: keys of struct literals, also as elements of slices and maps": """
        //- go.mod
        module m
        //- a.go
        package m
        type Server struct { Addr string; Next *Server }
        func make(Addr string) {
          _ = Server{
            Addr: Addr, //= Server.Addr
          }
          _ = []*Server{
            {Addr: "a"}, //= Server.Addr
          }
          _ = map[string]Server{
            "a": {Addr: "a"}, //= Server.Addr
          }
          var s Server
          s.Next.Addr = "b" //= Server.Next Server.Addr
        }
        """,
    "rust: constants and imported enum variants in patterns": """
        //- src/lib.rs
        const LIMIT: u32 = 3;
        enum Way { North, South, East(u32) }
        fn go(pair: (Way, u32), way: Way) {
          use Way::*;
          match pair {
            (North, LIMIT) => {} //= LIMIT Way.North
            (South | East(LIMIT), _) => {} //= LIMIT Way.East Way.South
            (way, Limit) => {} //= nothing
          }
          match way {
            South => {} //= Way.South
            north => stop(north), //= nothing
          }
        }
    """,
    "rust: fields in struct literals and patterns, also in shorthand": """
        //- src/lib.rs
        pub struct Point { x: i32, y: i32 }
        pub enum Shape { Dot { at: Point } }
        impl Point {
          fn moved(self, x: i32) -> Point {
            let Point { y, .. } = self; //= Point.y
            Point {
              x, //= Point.x
              y: y + 1, //= Point.y
            }
          }
        }
        """,
    "ruby: symbols that name methods of the enclosing class or of a receiver of send": """
        //- a.rb
        class Hooks
          def after
          end
          def run(place)
          end
        end
        class Group
          before_action :after, if: :ready #= Group.after Group.ready
          def after
          end
          def ready
          end
          def go(hooks, all)
            hooks.run(:after) #= nothing
            hooks.run(0, place: :after) #= nothing
            all.map(&:after) #= nothing
            hooks.send(:after) #= nothing
            Hooks.new.send(:after) #= Hooks.after
            Hooks.new.method(:run) #= Hooks.run
            send(:after) #= Group.after
            self.send(:after) #= Group.after
            hooks.register self, :after #= Group.after
            method(:after) #= Group.after
          end
        end
        """,
    "rust, java, kotlin, php: uncalled argument means the field, not the method": """
        //- src/lib.rs
        struct Window { title: String }
        impl Window {
          fn title(&self) -> String { self.title.clone() } //= Window.title
          fn show(&self) {
            print(&self.title, &[self.title]); //= Window.title
          }
        }
        fn print(text: &str, all: &[&str]) {}
        //- Window.java
        class Window {
          String title;
          String title() { return ""; }
          void show() { print(this.title, title); } //= Window.title
          void print(String text, String again) {}
        }
        //- window.kt
        class Window(val title: String) {
          fun title() = ""
          fun show() { print(this.title, title) } //= Window.title
          fun print(text: String, again: String) {}
        }
        //- window.php
        <?php
        class Window {
          public string $title;
          function title(): string { return ""; }
          function show() { show_it($this->title); } //= Window.title
        }
        """,
    "c#: members in object initialisers; type named like a member": """
        //- a.cs
        namespace A {
          class Info { public int Name; public int Kind { get; set; } }
          class Made {
            public int Name;
            void M(object o) {
              var i = new Info {
                Name = 1, //= Info.Name
                Kind = this.Name, //= Info.Kind Made.Name
              };
              if (o is Info) return; //= Info
            }
          }
        }
        """,
    "python: assignments to attributes": """
        //- a.py
        count = 0
        class A:
            size: int = 0
            def grow(self, other: "A"):
                self.size = 1 #= A.size
                other.size += 2 #= A.size
                self.size, other.size = 1, 2 #= A.size
        """,
    "javascript: assignments to fields and variables": """
        //- a.js
        let count = 0
        class A {
          size = 0
          grow() {
            this.size = 1 //= A.size
            this.size += 2 //= A.size
            count = 3 //= count
          }
        }
        """,
    "python: keyword arguments are fields if the class has no constructor": """
        //- a.py
        from b import Data, Plain
        class More(Data):
            other: int
        def size(size): ...
        def use(handler: Data):
            Plain(size=1) #= nothing
            Data(size=1) #= Data.size
            More(size=2, #= Data.size
                 other=3, none=4) #= More.other
            size(size=5) #= nothing
            handler(size=6) #= nothing
            unknown.thing(size=7) #= nothing
        //- b.py
        class Plain:
            size: int = 0
            def __init__(self, size): ...
        @dataclass
        class Data:
            size: int = 0
            @classmethod
            def make(cls):
                return cls(size=8) #= Data.size
        """,
    "typescript: reads of a function within itself; typeof types": """
        //- a.ts
        export function made() { return 1 }
        export const table = { field: 1, run() {} };
        export const enum Kind { One }
        //- b.ts
        import { Kind, made, table } from "./a";
        let one: Parameters<typeof made>[0]; //= made
        let two: keyof typeof Kind; //= Kind
        let three: typeof table.run; //= table.run
        function bind(target: EventTarget) {
          const once = () => {
            target.removeEventListener("x", once); //= bind.once
          };
          target.addEventListener("x", once); //= bind.once
          const hidden = () => {
            const hidden = 1;
            target.dispatch(hidden); //= nothing
          };
        }
        export const again = () => {
          setTimeout(again); //= again
        };
        """,
    "typescript: call signatures without semicolons; export type *": """
        //- a.ts
        export type * from './b'
        export interface Get {
          <P extends string>(path: P): Held<P>

          // with more
          <
            P extends string,
            Q
          >(path: P, more: Q): Held<P>
        }
        export class Held<P> {
          size: P
          grow() {
            this.size = 1 //= Held.size
          }
        }
        //- b.ts
        export class Far { size = 0 }
        //- c.ts
        import { Far, Held } from './a'
        function use(far: Far, held: Held<string>) {
          far.size = 1 //= Far.size
          held.size = '' //= Held.size
        }
        """,
    "typescript: destructured members, indexed access types, intersections and unions": """
        //- a.ts
        export interface Box { width: number; lid: Lid }
        export interface Lid { tight: boolean }
        export type Base = Readonly<{ id: string }>
        export type Text = Base & { text: string }
        export type Image = Base & { source: string }
        export type Drawn = Text | Image | null
        export function open(): Box { return null as any }
        //- b.ts
        import { Box, Drawn, Text, open } from './a'
        function take(box: Box, drawn: Drawn, either: Text | Box) {
          const { width, lid: cover } = box; //= Box.width Box.lid
          const { lid = null } = open(); //= Box.lid
          drawn.id; //= Base.id
          drawn.source; //= Image.source
          either.text; //= Text.text
          either.width; //= Box.width
          cover.tight; //= Lid.tight
        }
        function given({ width }: Readonly<Box>) {} //= Box.width
        function typed(width: Box["width"], lid: Box["lid"]) { //= Box.width Box.lid
          lid.tight; //= Lid.tight
        }
        function made(f: (box: Box) => Lid | Text) {
          f.text; //= nothing
        }
        function many(boxes: Box[]) {
          boxes.width; //= nothing
        }
        """,
    "typescript: keys of object literals, by expected type": """
        //- a.ts
        import { helper } from './c'
        export interface Options { limit?: number; next: Next; helper?: unknown }
        export interface Next { name: string }
        export type Each = (given: { options: Options }) => void
        export function run(options: Options) {}
        export function each(f: (given: Options) => void) {}
        const one: Options = {
          limit: 1, //= Options.limit
          next: {
            "name": "", //= Next.name
          },
        };
        function use(limit: number, more: boolean) {
          run({
            limit, //= Options.limit
            helper, //= helper
          });
          run(more ? {
            limit: 1, //= Options.limit
          } : one);
          const none = {
            limit: 1, //= nothing
          };
        }
        function make(): Options {
          return {
            limit: 2, //= Options.limit
          };
        }
        function preset(options: Options = {
          limit: 3, //= Options.limit
        }) {}
        each(({ limit }) => limit); //= Options.limit
        class Held { options: Options; loose: any }
        function assign(held: Held) {
          held.options = {
            limit: 4, //= Options.limit
          };
          held.loose = {
            limit: 5, //= nothing
          };
        }
        //- c.ts
        export function helper() {}
        """,
    "tsx: attributes of components": """
        //- a.tsx
        interface Props { title: string; onPick(): void }
        function Card({ title }: Props) { return <b title={title} />; } //= Props.title
        const shown = <Card
          title="" //= Props.title
          onPick={null} //= Props.onPick
        />;
        """,
    "typescript: elements put into and taken out of collections": """
        //- a.ts
        interface Item { size: number; name: string }
        class Page {
          items: Item[] = [];
          named: Map<string, Item>;
          go() {
            this.items.push({ size: 1 }); //= Page.items Item.size
            this.named.set("a", { size: 1 }); //= Page.named Item.size
            this.items.map(({ size }) => size); //= Page.items Item.size
            const [first] = this.items.map((item) => item.size); //= Page.items Item.size
            for (const { size, name: called } of this.items) { //= Page.items Item.size Item.name
            }
          }
          later(): Promise<Item> {
            this.later().then((item) => item.size, (error) => error.size); //= Item.size
            return this.later().catch((item) => item.size); //= nothing
          }
        }
        """,
    "typescript: type alias is not a value": """
        //- a.ts
        type Error = NodeJS.ErrnoException
        interface Both { held: number }
        const Both = 1
        function fail() {
          log(Error); //= nothing
          log(Both); //= Both
        }
        """,
    "php, python: union types": """
        //- A.php
        <?php
        namespace App\\Far;
        class Box { public int $width; }
        class Lid { public int $tight; }
        class Tied { public int $loose; }
        //- B.php
        <?php
        namespace App;
        use App\\Far\\Lid;
        function use_it(\\App\\Far\\Box|Lid|null $either) {
          $either->width = 1; //= Box.width
          $either->tight = 1; //= Lid.tight
        }
        //- a.py
        class Box:
            width: int
        class Lid:
            tight: int
        def use(either: Box | Lid | None):
            either.width = 1  #= Box.width
            either.tight = 1  #= Lid.tight
        """,
    "kotlin: assignments; argument names are not reads": """
        //- a.kt
        package a
        var size = 0
        class A(var size: Int, var next: A) {
          fun grow(other: B) {
            this.size = 1 //= A.size
            other.size = 2 //= B.size
            next.size = 3 //= A.next A.size
            put(size = 4) //= nothing
          }
        }
        class B(var size: Int)
        fun put(size: Int) {}
        """,
    "scala: a name that is read means the overload without parameters": """
        //- a.scala
        package a
        trait A {
          def body: String
          def body(b: Int): Int = 2
          def show(): Int = this.body.length //= A.body
        }
        """,
    "scala: argument names are not reads": """
        //- a.scala
        package a
        class A(var size: Int) {
          def grow(): Unit = {
            put(size = 4) //= nothing
            size = 5 //= A.size
          }
          def put(size: Int): Unit = {}
        }
        """,
    "php: properties of classes": """
        //- a.php
        <?php
        class A {
          public static $count = 0;
          public $size = 0;
          function grow(A $other) {
            self::$count = 1; //= A.count
            A::$count += 1; //= A A.count
            $other->size = 2; //= A.size
          }
        }
        """,
    "php: callables as pairs of a class or object and a method name": """
        //- routes.php
        <?php
        use App\\Http as Ctl;
        use App\\Http\\LoginController;
        Route::post('/login', [LoginController::class, 'login']); //= LoginController LoginController.login
        Route::get('/login', array(Ctl\\LoginController::class, "show")); //= LoginController LoginController.show
        Route::get('/out', [LoginController::class, 'gone']); //= LoginController
        Route::get('/name', [LoginController::NAME, 'login']); //= LoginController LoginController.NAME
        $data = ['a' => LoginController::class, 'b' => 'login']; //= LoginController
        $more = [LoginController::class, 'login', 1]; //= LoginController
        //- app/Http/LoginController.php
        <?php
        namespace App\\Http;
        class LoginController extends Base {
          const NAME = 'x';
          private Sorter $sorter;
          public function login($rows, Sorter $other) {
            usort($rows, [$this, 'compare']); //= LoginController.compare
            usort($rows, [self::class, 'base']); //= Base.base
            usort($rows, [static::class, 'compare']); //= LoginController.compare
            usort($rows, [$this->sorter, 'sort']); //= LoginController.sorter Sorter.sort
            usort($rows, [$other, 'sort']); //= Sorter.sort
            usort($rows, [new Sorter(), 'sort']); //= Sorter.sort
          }
          public function show() {}
          private function compare($a, $b) {}
        }
        class Base { function base() {} }
        class Sorter { function sort() {} }
        """,
    "php, typescript: fields declared by constructor parameters": """
        //- a.php
        <?php
        class Disk { public string $root = ''; }
        interface Rooted { public function path(): string; }
        class Store implements Rooted {
          public function __construct(private string $path, protected readonly ?Disk $disk = null, int $size = 0) {
            use($path, $size); //= nothing
            $this->path; //= Store.path
          }
          public function path(): string {
            return $this->path . $this->disk->root; //= Store.path Store.disk Disk.root
          }
          public function other(Store $store) {
            return $store->path; //= Store.path
          }
          public function without() {
            return new class(1) {
              public function __construct(private int $path) {}
              public function get() { return $this->path; } //= nothing
            };
          }
        }
        //- a.ts
        interface Sized { readonly size: number }
        class Disk { root = "" }
        class Store implements Sized {
          constructor(private readonly path: string, public disk?: Disk, readonly size = 0, limit: number) {
            use(limit); //= nothing
            this.path; //= Store.path
          }
          get all() {
            return this.path + this.disk.root + this.size; //= Store.path Store.disk Disk.root Store.size
          }
          with(other: Store) {
            return other.disk.root; //= Store.disk Disk.root
          }
        }
    """,
    "swift: implicit members, by comparison or assignment; labels are not reads": """
        //- a.swift
        let kind = 0
        enum Kind { case list(items: Int), other }
        class Held {
          var kind: Kind
          var size = 0
          func grow(other: Held, size: Int) {
            switch other.kind { //= Held.kind
            case .list(let x): break //= Kind.list
            default: break
            }
            if other.kind == .other {} //= Held.kind Kind.other
            other.kind = .other //= Held.kind Kind.other
            let made: Kind = .other //= Kind.other
            put(size: 1, .size) //= nothing
          }
          func put(size: Int, _ other: Kind) {}
        }
        """,
    "swift: implicit members, by type of the parameter": """
        //- a.swift
        enum Kind { case list, other }
        struct Keys { struct Key { static let fast = 1, list = 2 } }
        extension Keys { static func get(for key: Key, in kind: Kind = .other) -> Int { 1 } }
        class Held {
          init(_ kind: Kind, key: Keys.Key?) {}
          func put(_ size: Int, at kind: Kind) {}
        }
        struct Plain { let size: Int; var kind: Kind? }
        func go(held: Held, table: [Kind: Int]) {
          Keys.get(for: .fast) //= Keys Keys.Key.fast
          Keys.get(for: .list, in: .list) //= Keys Keys.Key.list Kind.list
          _ = Held(.list, key: .fast) //= Keys.Key.fast Kind.list
          held.put(1, at: .other) //= Kind.other
          _ = Plain(size: 1, kind: .list) //= Kind.list
          held.put(.other, at: .fast) //= nothing
          elsewhere(.other) //= nothing
        }
        """,
}


@pytest.mark.parametrize("case", CASES)
def test_reads(case: str) -> None:
    memory, fixture = facts_of(CASES[case])
    graph = SymbolGraph(memory)
    expected: dict[str, list[str]] = {}
    found: dict[str, list[str]] = {}
    for path, text in fixture.files.items():
        for number, line in enumerate(text.splitlines(), 1):
            if expectation := _EXPECTED.search(line):
                place = f"{path}:{number}: {line.strip()}"
                expected[place] = sorted(w for w in expectation[1].split() if w != "nothing")
                found[place] = _read_targets_at(memory, graph, path, number)
    assert found == expected


def _read_targets_at(memory: MemoryFacts, graph: SymbolGraph, path: str, line: int) -> list[str]:
    """The qualified names of what the reads on a line resolve to."""
    facts = memory.facts(path)
    assert facts
    targets = {
        edge.target
        for index, reference in enumerate(facts.references)
        if reference.line == line and reference.kind in _READS
        for edge in graph.edges_at(path, index)
        if edge.witness != "graph:name"
    }
    return sorted(graph.symbol(target).qualified_name for target in targets)
