"""What calls resolve to in each language: packages, imports, scopes and receivers.

A line of a fixture that ends in ``//= target witness`` (``#=`` where that is the comment) must have
calls to just these targets, ``path:Qualified.name`` each; ``//= nothing`` must have none.
"""

from __future__ import annotations

import re

import pytest

from explorer_core.index.graph import SymbolGraph
from tests.index.workspace import facts_of, label

# ruff: noqa: E501 - an expectation stands on the line it is about

_EXPECTED = re.compile(r"(?://|#)= (.+)$")

CASES: dict[str, str] = {
    "values that are called like functions": """
        //- a.py
        class Task:
            @classmethod
            def make(cls):
                return cls() #= a.py:Task scope
            def __call__(self) -> "Task": ...
            def again(self):
                self() #= a.py:Task.__call__ type
        def one(task: Task):
            task()() #= a.py:Task.__call__ type
            task().again() #= a.py:Task.__call__ type, a.py:Task.again type
        class Holder:
            def __init__(self):
                self.task = Task.make() #= a.py:Task.make type
            def run(self):
                self.task() #= a.py:Task.__call__ type
        //- a.php
        <?php
        class Handler {
          function __invoke($x) {}
          static function make() {
            return new self(); //= a.php:Handler scope
          }
        }
        function two(Handler $handler) {
          $handler(1); //= a.php:Handler.__invoke type
        }
        //- a.kt
        class Action { operator fun invoke(x: Int): Int = x }
        fun three(action: Action) {
          action(1) //= a.kt:Action.invoke type
        }
        //- a.swift
        class Effect {
          func callAsFunction() {}
          static func make() -> Effect {
            Self() //= a.swift:Effect scope
          }
        }
        func four(effect: Effect) {
          effect() //= a.swift:Effect.callAsFunction type
        }
        //- a.scala
        class Rule { def apply(x: Int) = x }
        object Main {
          def five(rule: Rule) = {
            rule(1) //= a.scala:Rule.apply type
          }
        }
        //- a.cpp
        struct Less { bool operator()(int x) { return x < 0; } };
        bool six(Less less) {
          return less(1); //= a.cpp:Less.operator() type
        }
        //- a.js
        class Point {
          static at() {
            return new this(); //= a.js:Point scope
          }
        }
    """,
    "ruby: what new makes, and what methods give": """
        //- a.rb
        class Store
          def load
          end
        end
        class Cart
          def self.make
            new(1) #= a.rb:Cart scope
          end
          def self.run
            new.add #= a.rb:Cart scope, a.rb:Cart.add type
          end
          def store
            @store ||= Store.new #= a.rb:Store scope
          end
          def early
            return Store.new unless full? #= a.rb:Store scope
            nothing
          end
          def add
            store.load #= a.rb:Store.load type, a.rb:Cart.store scope
            @store.load #= a.rb:Store.load type
            self.early.load #= a.rb:Store.load type, a.rb:Cart.early type
            [].each { Store.new.load } #= a.rb:Store scope, a.rb:Store.load type
          end
        end
        def use
          Cart.make.add #= a.rb:Cart.make type, a.rb:Cart.add type
          Cart.new(1).store.load #= a.rb:Cart scope, a.rb:Cart.store type, a.rb:Store.load type
        end
    """,
    "rust: modules written inside a file, what they take from around them and pass on": """
        //- src/lib.rs
        mod build;
        pub mod offered {
          pub use crate::build::Builder;
        }
        pub(crate) use held::Held;
        mod held {
          pub struct Held;
          impl Held { pub fn keep(&self) {} }
        }
        impl Default for Held {
          fn default() -> Self {
            Self.keep(); //= src/lib.rs:held.Held.keep type
          }
        }
        //- src/build.rs
        use crate::Held;
        pub struct Builder;
        impl Builder {
          pub fn new() -> Builder { Builder }
          pub fn add(&mut self) {}
        }
        mod tests {
          use super::{Builder, other as named};
          fn adds(held: &Held) {
            let mut builder = Builder::new(); //= src/build.rs:Builder.new type
            builder.add(); //= src/build.rs:Builder.add type
            named(); //= src/build.rs:other import
          }
          mod deeper {
            use super::super::other;
            use super::*;
            fn calls() {
              other(); //= src/build.rs:other import
              adds(); //= src/build.rs:tests.adds scope
            }
          }
        }
        fn other() {}
        //- src/use.rs
        use crate::offered::Builder;
        fn uses() {
          Builder::new(); //= src/build.rs:Builder.new type
        }
        """,
    "rust: whoever is inside a module sees what it takes from elsewhere": """
        //- src/lib.rs
        pub mod net;
        pub mod app;
        //- src/net/mod.rs
        use crate::app::App;
        pub mod route;
        //- src/net/route.rs
        use super::*;
        fn inside() {
          App::new(); //= src/app.rs:App.new type
        }
        //- src/app.rs
        use crate::net::*;
        pub struct App;
        impl App { pub fn new() -> Self { App } }
        //- src/other.rs
        use crate::net::*;
        fn outside() {
          App::new(); //= nothing
        }
        """,
    "rust: roots under names of their own": """
        //- Cargo.toml
        [package]
        name = "tool"
        //- src/lib.rs
        pub fn run() {}
        //- tests/all.rs
        mod util;
        mod feature;
        fn main() {
          util::setup(); //= tests/util.rs:setup import
          tool::run(); //= src/lib.rs:run import
        }
        //- tests/feature.rs
        use crate::util::{Dir, setup};
        fn works() {
          setup(); //= tests/util.rs:setup import
          Dir::new(); //= tests/util.rs:Dir.new type
        }
        //- tests/util.rs
        pub fn setup() {}
        pub struct Dir;
        impl Dir { pub fn new() -> Dir { Dir } }
        """,
    "rust: macros, and what they are given": """
        //- Cargo.toml
        [package]
        name = "tool"
        //- src/lib.rs
        #[macro_use]
        mod macros;
        pub mod run;
        //- src/macros.rs
        macro_rules! check { ($x:expr) => { $x } }
        //- src/run.rs
        pub struct Dir;
        impl Dir {
          pub fn new() -> Dir { Dir }
          pub fn create(&self) -> bool { true }
        }
        check!(|dir: Dir| {
          dir.create(); //= src/run.rs:Dir.create type
        });
        only_here! {
          pub fn declared(dir: Dir) {
            dir.create(); //= src/run.rs:Dir.create type
          }
        }
        fn runs() {
          let dir = Dir::new(); //= src/run.rs:Dir.new type
          check!(dir.create()); //= src/macros.rs:check import, src/run.rs:Dir.create type
          check!(vec![one(dir.create())]); //= src/macros.rs:check import, src/run.rs:Dir.create type
          declared(dir); //= src/run.rs:declared scope
          template! {
            fn written() {}
          }
          written(); //= nothing
        }
        //- other/Cargo.toml
        [package]
        name = "other"
        //- other/src/lib.rs
        fn far() {
          check!(1); //= nothing
        }
        """,
    "rust: what wrappers pass on, derived traits, and paths to other packages": """
        //- src/lib.rs
        use std::sync::{Arc, Mutex};
        use outcome::Result as Outcome;
        mod outcome;
        pub trait Parse { fn parse() -> Self where Self: Sized; fn again(&self) {} }
        #[derive(Debug, Parse)]
        pub struct Conf<'a> { next: Option<&'a Conf<'a>>, shared: Arc<Mutex<Part>> }
        pub struct Part;
        impl Part { fn turn(&self) -> Outcome<Part> { Ok(Part) } fn len(&self) {} }
        impl<'a> Conf<'a> {
          fn next(&self) -> Option<&'a Conf<'a>> { self.next }
          fn list<T>(&self) -> Vec<T> { vec![] }
          async fn load(&self) -> Result<Part, String> { Ok(Part) }
        }
        async fn uses(conf: Conf<'_>) {
          conf.next().unwrap().list::<Part>(); //= src/lib.rs:Conf.next type, src/lib.rs:Conf.list type
          conf.load().await?.turn(); //= src/lib.rs:Conf.load type, src/lib.rs:Part.turn type
          conf.shared.lock().unwrap().turn(); //= src/lib.rs:Part.turn type
          if let Some(next) = conf.next() { //= src/lib.rs:Conf.next type
            next.list::<u8>(); //= src/lib.rs:Conf.list type
          }
          let part = conf.load().await.unwrap(); //= src/lib.rs:Conf.load type
          part.turn().unwrap().len(); //= src/lib.rs:Part.turn type, src/lib.rs:Part.len type
          Conf::parse().again(); //= src/lib.rs:Parse.parse type, src/lib.rs:Parse.again type
          String::new().len(); //= nothing
          std::env::turn(); //= nothing
        }
        //- src/outcome.rs
        pub type Result<T> = std::result::Result<T, String>;
        """,
    "a type parameter is what it must be": """
        //- src/lib.rs
        pub trait Save { fn save(&self); fn open() -> Self; }
        pub trait Load { fn load(&self); }
        pub struct Box2<P>(P);
        impl<P: Save + Load> Box2<P> {
          fn both(&self, held: P) {
            held.save(); //= src/lib.rs:Save.save type
            held.load(); //= src/lib.rs:Load.load type
            P::open(); //= src/lib.rs:Save.open type
          }
        }
        fn free<P>(held: P) {
          held.save(); //= nothing
        }
        fn stated<Q>(held: Q) where Q: Load + 'static {
          held.load(); //= src/lib.rs:Load.load type
        }
        //- a.ts
        interface Shape { area(): number }
        function largest<T extends Shape, U>(shape: T, other: U) {
          shape.area(); //= a.ts:Shape.area type
        }
        class Holder<T extends Shape> {
          held: T;
          total() {
            this.held.area(); //= a.ts:Shape.area type
          }
        }
        //- org/A.java
        package org;
        interface Animal { void eat(); }
        interface Pet { void sit(); }
        class Cage<T extends Animal & Pet> {
          void feed(T it) {
            it.eat(); //= org/A.java:Animal.eat type
            it.sit(); //= org/A.java:Pet.sit type
          }
        }
        //- A.cs
        interface IAnimal { void Eat(); }
        class Cage<T> where T : class, IAnimal {
          void Feed(T it) {
            it.Eat(); //= A.cs:IAnimal.Eat type
          }
        }
        //- A.kt
        interface Bird { fun fly() }
        interface Loud { fun sing() }
        fun <T : Bird> release(it: T) where T : Loud {
          it.fly() //= A.kt:Bird.fly type
          it.sing() //= A.kt:Loud.sing type
        }
        //- A.swift
        protocol Fish { func swim() }
        func free<T: Fish, U>(it: T, other: U) where U: Fish {
          it.swim() //= A.swift:Fish.swim type
          other.swim() //= A.swift:Fish.swim type
        }
        //- a.go
        package a
        type Runner interface { Run() }
        func Start[T Runner](it T) {
          it.Run() //= a.go:Runner.Run type
        }
        //- A.scala
        trait Worm { def dig(): Unit }
        class Soil[T <: Worm] {
          def turn(it: T) = {
            it.dig() //= A.scala:Worm.dig type
          }
        }
        """,
    "what is cast is what it is cast to": """
        //- A.java
        package app;
        class Use {
          void use(Object o, Other f) {
            ((Disk) o).keep(); //= A.java:Disk.keep type
            ((app.Disk<Other>) f.field).keep(); //= A.java:Disk.keep type
            ((Other) o).other.keep(); //= A.java:Other.keep type
            ((java.util.List) o).keep(); //= nothing
            (f).keep(); //= A.java:Other.keep type
          }
        }
        class Disk { void keep() {} }
        class Other { Object field; Other other; void keep() {} }
        //- a.ts
        interface Disk { keep(): void }
        class Other { keep() {} beside(): unknown { return 0; } }
        function use(o: any, f: Other) {
          (o as Disk).keep(); //= a.ts:Disk.keep type
          (<Disk>o).keep(); //= a.ts:Disk.keep type
          (f.beside() as Disk).keep(); //= a.ts:Disk.keep type, a.ts:Other.beside type
          (o as unknown as Disk).keep(); //= a.ts:Disk.keep type
        }
        //- a.kt
        class Disk { fun keep() {} }
        class Other { fun keep() {} }
        fun use(o: Any) {
          (o as Disk).keep() //= a.kt:Disk.keep type
        }
        fun maybe(o: Any) {
          (o as? Disk)?.keep() //= a.kt:Disk.keep type
        }
        //- go.mod
        module x
        //- a/a.go
        package a
        type Disk struct{}
        func (d *Disk) Keep() {}
        type Other struct{}
        func (d *Other) Keep() {}
        func use(o any) {
          o.(*Disk).Keep() //= a/a.go:Disk.Keep type
          o.(interface{ Keep() }).Keep() //= nothing
        }
        //- a.cs
        class Disk { public void Keep() {} }
        class Other { public void Keep() {} }
        class Use {
          void Run(object o) {
            ((Disk)o).Keep(); //= a.cs:Disk.Keep type
            (o as Disk).Keep(); //= a.cs:Disk.Keep type
          }
        }
        //- a.cpp
        struct Disk { void keep() {} };
        struct Other { void keep() {} };
        void use(void *o) {
          ((Disk *)o)->keep(); //= a.cpp:Disk.keep type
          (*(Disk *)o).keep(); //= a.cpp:Disk.keep type
        }
        //- Cargo.toml
        [package]
        name = "x"
        //- src/lib.rs
        pub struct Disk;
        pub struct Other;
        impl Keeps for Disk { fn keep() {} }
        impl Other { fn keep() {} }
        fn uses() {
          <Disk as Keeps>::keep(); //= src/lib.rs:Disk.keep type
        }
        """,
    "what begins with a name that nothing here bears is not of here": """
        //- A.java
        package app;
        import java.util.List;
        class Use {
          Object known;
          void use(Object given) {
            Unheard.keep(); //= nothing
            Unheard.INSTANCE.keep(); //= nothing
            unheard().keep(); //= nothing
            List.of().keep(); //= nothing
            given.each(one -> one.keep()); //= A.java:Disk.keep name, A.java:Other.keep name
          }
        }
        class Disk { void keep() {} }
        class Other { void keep() {} }
        //- a.kt
        class Tape { fun wind() {} }
        fun use(all: Each) {
          all.each { it.wind() } //= a.kt:Tape.wind name
          Unheard.wind() //= nothing
        }
        //- a.py
        class Disk:
            def keep(self): ...
            mend = each(lambda self: self.keep()) #= a.py:Disk.keep type
        def use():
            Unheard.keep() #= nothing
        //- a.php
        <?php
        class Disk { function keep() {} }
        Unheard::keep(); //= nothing
        """,
    "members written for types of elsewhere": """
        //- src/text/Text.kt
        package text
        class Url {
          fun open() {}
          companion object {
            fun String.toUrl(): Url = make(this)
            fun String.toSafeUrl(): Url = this.toUrl() //= src/text/Text.kt:Url.String.toUrl type
          }
        }
        fun make(s: String): Url = Url()
        fun ByteArray.toUrl(): Url = Url()
        fun String.shout() = trimmed() //= src/text/Text.kt:String.trimmed scope
        fun String.trimmed() = this
        //- src/app/App.kt
        package app
        import text.Url.Companion.toUrl
        class Base : Elsewhere() {
          fun run(s: String, all: List<Any>) {
            s.toUrl().open() //= src/text/Text.kt:Url.String.toUrl type, src/text/Text.kt:Url.open type
            "x".toUrl() //= src/text/Text.kt:Url.String.toUrl import, src/text/Text.kt:ByteArray.toUrl import
            s.trim() //= nothing
            all.each { it.shout() } //= src/text/Text.kt:String.shout name
            hear() //= src/app/App.kt:Elsewhere.hear name
          }
        }
        fun Elsewhere.hear() {}
        //- Sources/A.swift
        extension Array {
          func paired() -> Pairs { Pairs() }
        }
        extension Pairs { func joined() {} }
        struct Pairs {}
        func use(list: Array<Int>, other: [Int], name: String) {
          list.paired().joined() //= Sources/A.swift:Array.paired type, Sources/A.swift:Pairs.joined type
          other.paired() //= Sources/A.swift:Array.paired name
          name.count() //= nothing
          if let pairs = list.first as? Pairs {
            pairs.joined() //= Sources/A.swift:Pairs.joined type
          }
        }
        //- Text.cs
        namespace N {
          static class Texts {
            public static string Twice(this string s) { return s; }
            public static Box Boxed(this IThing x) { return new Box(); }
          }
          class Box { public void Open() {} }
          class Use : Elsewhere {
            void Run(string s, IThing thing, object o) {
              s.Twice(); //= Text.cs:Texts.string.Twice type
              "x".Twice(); //= Text.cs:Texts.string.Twice name
              thing.Boxed().Open(); //= Text.cs:Texts.IThing.Boxed type, Text.cs:Box.Open type
              s.Trim(); //= nothing
              Twice(); //= nothing
              var box = (Box)o;
              box.Open(); //= Text.cs:Box.Open type
            }
          }
        }
        """,
    "types written with what they are nested in, and subscripts, which are no calls": """
        //- Sources/A.swift
        struct Node {
          struct Tag { func show() {} }
          enum Kind { case plain }
        }
        struct Other { struct Tag { func show() {} } }
        struct Store {
          var items: [Int]
          func items(at: Int) -> Other.Tag { Other.Tag() } //= Sources/A.swift:Other.Tag type
        }
        func use(store: Store, tag: Node.Tag) {
          tag.show() //= Sources/A.swift:Node.Tag.show type
          let first = store.items[0] //= nothing
          let second = store.items(at: 0) //= Sources/A.swift:Store.items type
          second.show() //= Sources/A.swift:Other.Tag.show type
        }
        //- a.kt
        class Box {
          open class Lid { fun lift() {} }
        }
        class Pot {
          open class Lid { fun lift() {} }
        }
        class Cover : Pot.Lid() { //= a.kt:Pot.Lid type
          fun use(lid: Box.Lid) {
            lid.lift() //= a.kt:Box.Lid.lift type
            lift() //= a.kt:Pot.Lid.lift scope
          }
        }
        """,
    "kotlin: a constructor written out on a line of its own": """
        //- a.kt
        class Logger
          @JvmOverloads
          constructor(
            private val sink: Sink = Sink(),
          ) : Base() { //= a.kt:Base scope
            fun log() {
              sink.write() //= a.kt:Sink.write type
              flush() //= a.kt:Base.flush scope
            }
          }
        class Quiet<T : Any>
          internal constructor(val logger: Logger) {
            fun log() = logger.log() //= a.kt:Logger.log type
          }
        open class Base { fun flush() {} }
        class Sink { fun write() {} }
        """,
    "what functions give whose body is one expression": """
        //- a.kt
        class Request {
          fun newBuilder() = Builder(this)
          class Builder(val request: Request) {
            fun url(url: String) = apply { this.toString() }
            fun also2() = this
            fun build() = request as Request
            val again get() = newest()
            fun newest(): Builder = this
          }
        }
        fun use(request: Request) {
          request.newBuilder().url("x").also2().again.build().newBuilder() //= a.kt:Request.newBuilder type, a.kt:Request.Builder.url type, a.kt:Request.Builder.also2 type, a.kt:Request.Builder.build type
        }
        //- a.scala
        class Query {
          def both(x: Int) = this
          def made = new Plan(1)
          def copied = fresh()
          def fresh(): Query = null
        }
        class Plan(x: Int) { def run() = 1 }
        class Use {
          def use(q: Query) = {
            q.both(1).both(2) //= a.scala:Query.both type
            q.made.run() //= a.scala:Plan.run type
            q.copied.both(3) //= a.scala:Query.both type
          }
        }
        """,
    "a function and a local variable of one name": """
        //- a.kt
        class Url {
          fun port() = 1
          fun domain(domain: String): Url = domain(domain, true) //= a.kt:Url.domain scope
          fun domain(domain: String, only: Boolean): Url = this
          fun show(shown: (Int) -> Int) {
            val port = port() //= a.kt:Url.port scope
            shown(port) //= nothing
          }
          fun shown() {}
        }
        //- A.java
        class A {
          String key(String k) { return k; }
          void use(String key) {
            key(key); //= A.java:A.key scope
          }
        }
        //- go.mod
        module x
        //- a/a.go
        package a
        func limit() int { return 1 }
        func use() {
          limit := limit() //= a/a.go:limit scope
          print(limit)
        }
        """,
    "scala: a package and an object elsewhere of one name": """
        //- build.sc
        object shop extends Module { def compile = 1 }
        //- src/shop/Api.scala
        package shop
        trait Api { def read() = 1 }
        //- src/shop/Use.scala
        package shop
        class Use[A <: shop.Api](val api: A) {
          def use() = api.read() //= src/shop/Api.scala:Api.read type
        }
        """,
    "long chains of calls": """
        //- src/lib.rs
        pub struct Command;
        impl Command {
          pub fn new(name: &str) -> Command { Command }
          pub fn arg(self, text: &str) -> Self { self }
          pub fn run(self) -> Matches { Matches }
        }
        pub struct Matches;
        impl Matches { pub fn get(&self) {} }
        fn main() {
          let found = Command::new("a name that is long enough to be left out of what is kept") //= src/lib.rs:Command.new type
            .arg("the first (of several")
            // with a remark (that says nothing)
            .arg("the second, which goes to http://somewhere") // and another
            .arg(&format!("{}", [1, 2, 3].iter().map(|n| { n + 1 }).sum::<i32>()))
            .run(); //= src/lib.rs:Command.run type
          found.get(); //= src/lib.rs:Matches.get type
        }
        //- a.ts
        class Query {
          where(text: string): Query { return this }
          first(): Row { return new Row() }
        }
        class Row { read() {} }
        function ask(query: Query) {
          query.where("some condition that is long").where("another condition that is long too").first()
            .read() //= a.ts:Row.read type
          query.where("some condition that is long").where("another condition that is long")[0].first()
            .read() //= a.ts:Row.read name
        }
        //- org/A.java
        package org;
        class Request {
          Request header(String name, String value) { return this; }
          Answer send() { return null; }
        }
        class Answer { void show() {} }
        class Sends {
          void go() {
            new Request()
              .header("Accept", "application/json; charset=utf-8") // what we want (and get)
              .header("Agent", "a name that is (long")
              .send() //= org/A.java:Request.send type
              .show(); //= org/A.java:Answer.show type
          }
        }
        """,
    "another name for a type": """
        //- src/lib.rs
        pub struct Part;
        impl Part { pub fn turn(&self) {} }
        type Piece = Part;
        type Text = String;
        fn turns(piece: Piece, text: Text) {
          piece.turn(); //= src/lib.rs:Part.turn type
          text.turn(); //= nothing
        }
        //- a.ts
        interface Shape { area(): number }
        type Form = Shape;
        function size(form: Form) {
          form.area(); //= a.ts:Shape.area type
        }
        //- A.kt
        class Bird { fun fly() {} }
        typealias Flyer = Bird
        typealias Action = (Bird) -> Unit
        fun release(it: Flyer) {
          it.fly() //= A.kt:Bird.fly type
        }
        //- A.swift
        class Fish { func swim() {} }
        typealias Swimmer = Fish
        func free(it: Swimmer) {
          it.swim() //= A.swift:Fish.swim type
        }
        //- a.go
        package a
        type Runner struct{}
        func (r Runner) Run() {}
        type Sprinter = Runner
        func Start(it Sprinter) {
          it.Run() //= a.go:Runner.Run type
        }
        //- a.cpp
        struct Wheel { void spin() {} };
        using Disc = Wheel;
        void turn(Disc disc) {
          disc.spin(); //= a.cpp:Wheel.spin type
        }
        """,
    "members of types that are nested or qualified": """
        //- a.swift
        struct Parser {
          struct Lookahead { func a() {} }
        }
        //- b.swift
        extension Parser.Lookahead {
          func b() {
            a() //= a.swift:Parser.Lookahead.a scope
            self.c() //= b.swift:Parser.Lookahead.c type
          }
          func c() {}
        }
        //- a.h
        struct Outer { struct Inner { void f(); void g(); }; };
        //- a.cpp
        #include "a.h"
        namespace q { struct T { void h() {} void i(); }; }
        void Outer::Inner::f() {
          this->g(); //= a.h:Outer.Inner.g type, a.cpp:Outer::Inner.g type
        }
        void Outer::Inner::g() {}
        void q::T::i() {
          h(); //= a.cpp:q.T.h scope
        }
        //- src/lib.rs
        mod sub;
        mod run;
        pub trait Run { fn run(&self); fn go(&self) {} }
        //- src/sub.rs
        pub mod inner { pub struct Sub; }
        //- src/run.rs
        use crate::{Run, sub};
        impl Run for sub::inner::Sub {
          fn run(&self) {
            self.go() //= src/lib.rs:Run.go type
          }
        }
        """,
    "types of one name in one package are of the program they are used in": """
        //- one/src/Base.scala
        class Base { def run() = 1 }
        //- two/src/Base.scala
        class Base { def run() = 2 }
        //- two/src/Use.scala
        class Use extends Base {
          def go() = run() //= two/src/Base.scala:Base.run scope
          def make() = new Base().run() //= two/src/Base.scala:Base.run type, two/src/Base.scala:Base scope
        }
        //- one/app/Main.java
        package app;
        class Main { static void start() {} }
        //- two/app/Main.java
        package app;
        class Main { static void start() {} }
        //- two/use/Use.java
        package use;
        import app.Main;
        class Use {
          void go() { Main.start(); } //= two/app/Main.java:Main.start type
        }
        """,
    "javascript: destructured members and results": """
        //- store.js
        export class Store {
          load() {}
          get near() { return new Near() }
        }
        export class Near { here() {} }
        export function make() { return new Store() }
        export function Button() {}
        export default memo(Button)
        //- use.js
        import Button, { make, Store } from './store.js'
        function use({ other }) {
          const { load, near: close } = make() //= store.js:make import
          load() //= store.js:Store.load type
          close.here() //= store.js:Near.here type
          const [a, b] = [make(), new Store()] //= store.js:make import, store.js:Store import
          a.load() //= store.js:Store.load type
          b.load() //= store.js:Store.load type
          other() //= nothing
          Button() //= store.js:Button import, store.js:default import
        }
        """,
    "javascript: types in documentation comments": """
        //- a.js
        class Store {
          load() {}
        }
        /**
         * @param {Store} given
         * @returns {Store}
         */
        function make(given) {
          given.load() //= a.js:Store.load type
          return pick(given)
        }
        function use() {
          make().load() //= a.js:make scope, a.js:Store.load type
        }
        """,
    "typescript: members of a typed parameter": """
        //- types.ts
        export interface Props { store: Store; onPick(): void }
        export class Store { load() {} }
        //- use.ts
        import { Props } from './types'
        export function use({ store, onPick }: Props) {
          store.load() //= types.ts:Store.load type
          onPick() //= types.ts:Props.onPick type
        }
        """,
    "php: namespaces by their last name and in full; documented types": """
        //- src/Handler/Curl.php
        <?php
        namespace Shop\\Handler;
        class Curl {
            public function send() {}
            /** @return Curl */
            public static function make() { return make_one(); }
        }
        //- src/functions.php
        <?php
        namespace Shop;
        function bundle() {}
        //- tests/Use.php
        <?php
        namespace Shop\\Tests;
        use Shop\\Handler;
        class UseTest {
            /** @var Handler\\Curl */
            private $kept;
            /** @param Handler\\Curl $given */
            function use($given) {
                $a = new Handler\\Curl(3); //= src/Handler/Curl.php:Curl import
                $a->send(); //= src/Handler/Curl.php:Curl.send type
                $given->send(); //= src/Handler/Curl.php:Curl.send type
                $this->kept->send(); //= src/Handler/Curl.php:Curl.send type
                Handler\\Curl::make()->send(); //= src/Handler/Curl.php:Curl.make type, src/Handler/Curl.php:Curl.send type
                \\Shop\\bundle(); //= src/functions.php:bundle scope
                \\Other\\bundle(); //= nothing
            }
        }
        """,
    "go: a module is named by its file, one inside another too": """
        //- go.mod
        module acme.org/tools/v2
        //- tools.go
        package tools
        func Open() {}
        //- store/store.go
        package store
        func Keep() {}
        //- tools_test.go
        package tools_test
        import (
            "acme.org/tools/v2"
            "other.org/tools/store"
        )
        func TestOpen() {
            tools.Open() //= tools.go:Open import
            store.Keep() //= nothing
        }
        //- cmd/go.mod
        module "acme.org/tools/v2/cmd"
        //- cmd/main.go
        package main
        import (
            "acme.org/tools/v2"
            "acme.org/tools/v2/cmd/flags"
            "acme.org/tools/v2/store"
        )
        func main() {
            tools.Open() //= tools.go:Open import
            store.Keep() //= store/store.go:Keep import
            flags.Parse() //= cmd/flags/flags.go:Parse import
        }
        //- cmd/flags/flags.go
        package flags
        func Parse() {}
        """,
    "go: a package calls itself otherwise than its folder": """
        //- go.mod
        module acme.org/go-queue
        //- queue.go
        package queue
        func Open() *Queue { return nil }
        type Queue struct{}
        func (q *Queue) Put() {}
        //- other/other.go
        package other
        func Open() {}
        //- queue_test.go
        package queue_test
        import (
            "acme.org/go-queue/other"
            "acme.org/go-queue"
        )
        func TestOpen(given *queue.Queue) {
            given.Put() //= queue.go:Queue.Put type
            made := queue.Open() //= queue.go:Open import
            made.Put() //= queue.go:Queue.Put type
            other.Open() //= other/other.go:Open import
        }
        """,
    "go: a package is a folder under any name, an alias too": """
        //- go.mod
        module example.org/shop
        //- main.go
        package main
        import (
            "example.org/shop/internal/store"
            db "example.org/shop/db"
            . "example.org/shop/dot"
            _ "example.org/shop/side"
            "net/http"
        )
        func main() {
            store.Open() //= internal/store/open.go:Open import
            db.Open() //= db/db.go:Open import
            Dotted() //= dot/dot.go:Dotted import
            http.Open() //= nothing
            helper() //= main_test_helper.go:helper scope
        }
        //- main_test_helper.go
        package main
        func helper() {}
        //- other/helper.go
        package other
        func helper() {}
        //- internal/store/open.go
        package store
        func Open() {}
        //- db/db.go
        package db
        func Open() {}
        //- dot/dot.go
        package dot
        func Dotted() {}
        //- side/side.go
        package side
        func init() {}
        """,
    "go: receivers, fields, embedded types, constructors and results": """
        //- a.go
        package a
        type Engine struct {
            *Pump
            log Logger
            parts map[string]*Part
        }
        type Logger interface {
            Log(text string)
        }
        type Pump struct{}
        type Part struct{}
        func (p *Pump) Start() {}
        func (p *Part) Turn() {}
        func NewEngine() (*Engine, error) { return &Engine{}, nil }
        func (e *Engine) Run(given Part) {
            e.log.Log("x") //= a.go:Logger.Log type
            e.Start() //= a.go:Pump.Start type
            e.Pump.Start() //= a.go:Pump.Start type
            given.Turn() //= a.go:Part.Turn type
            made := &Part{}
            made.Turn() //= a.go:Part.Turn type
            var later *Part
            later.Turn() //= a.go:Part.Turn type
            built := new(Part)
            built.Turn() //= a.go:Part.Turn type
            other, err := NewEngine() //= a.go:NewEngine scope
            other.Start() //= a.go:Pump.Start type
            func() {
                e.Start() //= a.go:Pump.Start type
            }()
        }
        """,
    "go: a local hides a package": """
        //- a.go
        package a
        import "example.org/shop/store"
        func Use(store *Local) {
            store.Open() //= a.go:Local.Open type
        }
        type Local struct{}
        func (l *Local) Open() {}
        //- store/store.go
        package store
        func Open() {}
        //- b.go
        package a
        import "example.org/shop/store"
        func Other() {
            store.Open() //= store/store.go:Open import
        }
        """,
    "rust: use trees, crate, self, super, aliases and globs": """
        //- src/lib.rs
        pub mod net;
        pub mod util;
        mod inner {
            pub fn deep() {}
            pub fn up() {
                super::top(); //= src/lib.rs:top import
                deep(); //= src/lib.rs:inner.deep scope
            }
        }
        pub fn top() {}
        pub fn all() {
            inner::deep(); //= src/lib.rs:inner.deep scope
            self::top(); //= src/lib.rs:top import
            crate::net::http::get(); //= src/net/http.rs:get import
        }
        //- src/net/mod.rs
        pub mod http;
        pub use self::http::get as fetch;
        pub fn listen() {}
        //- src/net/http.rs
        use super::listen;
        use crate::util::{self, trim as cut, text::*};
        pub fn get() {
            listen(); //= src/net/mod.rs:listen import
            super::listen(); //= src/net/mod.rs:listen import
            cut(); //= src/util/mod.rs:trim import
            util::trim(); //= src/util/mod.rs:trim import
            wrap(); //= src/util/text.rs:wrap import
            std::mem::drop(1); //= nothing
        }
        //- src/util/mod.rs
        pub mod text;
        pub fn trim() {}
        //- src/util/text.rs
        pub fn wrap() {}
        //- src/main.rs
        use shop::net::fetch;
        fn main() {
            serde::fetch(); //= nothing
        }
        """,
    "rust: crates of the workspace, by the names they give themselves": """
        //- Cargo.toml
        [workspace]
        members = ["crates/*"]
        [package]
        name = "tool"
        //- src/lib.rs
        pub use tool_parse::*;
        //- tests/all.rs
        use tool::read;
        use tool_print::text::Line;
        fn all() {
            read(); //= crates/parse/src/lib.rs:read import
            tool_parse::read(); //= crates/parse/src/lib.rs:read import
            Line::new(); //= crates/print/src/text.rs:Line.new type
            tool_lost::read(); //= nothing
        }
        //- crates/parse/Cargo.toml
        [package]
        version = "1.0.0"
        name = "tool-parse"
        //- crates/parse/src/lib.rs
        pub fn read() {}
        //- crates/print/Cargo.toml
        [package]
        name = "tool-print"
        [[test]]
        name = "tool-lost"
        //- crates/print/src/lib.rs
        pub mod text;
        //- crates/print/src/text.rs
        pub struct Line;
        impl Line { pub fn new() -> Self { Line } }
        """,
    "rust: associated functions, methods, traits and fields": """
        //- src/main.rs
        mod store;
        use store::{Store, Save};
        struct App { store: Store, items: Vec<Store> }
        impl App {
            fn new(store: Store) -> Self { App { store, items: vec![] } }
            fn run(&self, other: Box<Store>, any: &dyn Save) {
                self.step(); //= src/main.rs:App.step type
                Self::step_all(); //= src/main.rs:App.step_all type
                self.store.save(); //= src/store.rs:Store.save type
                other.save(); //= src/store.rs:Store.save type
                any.save(); //= src/store.rs:Save.save type
                Store::open().save(); //= src/store.rs:Store.open type, src/store.rs:Store.save type
                let made = Store::open(); //= src/store.rs:Store.open type
                made.load(); //= src/store.rs:Save.load type
            }
            fn step(&self) {}
            fn step_all() {}
        }
        fn main() {
            let app = App::new(Store::open()); //= src/main.rs:App.new type, src/store.rs:Store.open type
            app.run(); //= src/main.rs:App.run type
        }
        //- src/store.rs
        pub struct Store;
        impl Store {
            pub fn open() -> Store { Store }
        }
        impl Save for Store {
            fn save(&self) {}
        }
        pub trait Save {
            fn save(&self);
            fn load(&self) {}
        }
        """,
    "java: single, wildcard and static imports, inner types, own package first": """
        //- src/org/shop/App.java
        package org.shop;
        import org.shop.store.*;
        import static org.shop.util.Texts.trim;
        import static org.shop.util.Numbers.*;
        import org.other.Gone;
        class App {
            private final Store store = new Store(); //= src/org/shop/store/Store.java:Store import
            void run(Outer.Inner inner, Gone gone) {
                store.save(); //= src/org/shop/store/Store.java:Store.save type
                trim("x"); //= src/org/shop/util/Texts.java:Texts.trim import
                round(1); //= src/org/shop/util/Numbers.java:Numbers.round import
                inner.go(); //= src/org/shop/Outer.java:Outer.Inner.go type
                Outer.make().go(); //= src/org/shop/Outer.java:Outer.make type, src/org/shop/Outer.java:Outer.Inner.go type
                gone.save(); //= nothing
                this.run(null, null); //= src/org/shop/App.java:App.run type
                new Near().here(); //= src/org/shop/Near.java:Near scope, src/org/shop/Near.java:Near.here type
                for (Near near : all()) { //= src/org/shop/App.java:App.all scope
                    near.here(); //= src/org/shop/Near.java:Near.here type
                }
            }
            Near[] all() { return null; }
        }
        //- src/org/shop/Near.java
        package org.shop;
        class Near { void here() {} }
        //- src/org/far/Near.java
        package org.far;
        class Near { void here() {} }
        //- src/org/shop/Outer.java
        package org.shop;
        class Outer {
            static Inner make() { return null; }
            static class Inner { void go() {} }
        }
        //- src/org/shop/store/Store.java
        package org.shop.store;
        public class Store { public void save() {} }
        //- src/org/shop/util/Texts.java
        package org.shop.util;
        public class Texts { public static String trim(String s) { return s; } }
        //- src/org/shop/util/Numbers.java
        package org.shop.util;
        public class Numbers { public static int round(int n) { return n; } }
        """,
    "java: super, generics and interfaces": """
        //- A.java
        class Base<T> {
            void close() {}
            T value;
        }
        interface Shape { void draw(); default void paint() {} }
        class Circle extends Base<String> implements Shape {
            @Override public void draw() {}
            @Override void close() {
                super.close(); //= A.java:Base.close type
                draw(); //= A.java:Circle.draw scope
                paint(); //= A.java:Shape.paint scope
            }
        }
        class Use {
            void all(Shape shape, Circle circle, java.util.Optional<Circle> maybe) {
                shape.draw(); //= A.java:Shape.draw type
                circle.close(); //= A.java:Circle.close type
                circle.paint(); //= A.java:Shape.paint type
            }
        }
        """,
    "kotlin: top-level functions, extensions, objects, companions, java types": """
        //- src/shop/App.kt
        package shop
        import shop.store.Store
        import shop.store.open as openStore
        import shop.text.*
        class App(private val store: Store, val name: String) {
            private val other = Store.create() //= src/shop/store/Store.kt:Store.create type
            lateinit var late: Store
            fun run() {
                store.save() //= src/shop/store/Store.kt:Store.save type
                other.save() //= src/shop/store/Store.kt:Store.save type
                late?.save() //= src/shop/store/Store.kt:Store.save type
                openStore() //= src/shop/store/Store.kt:open import
                store.describe() //= src/shop/text/Text.kt:Store.describe type
                Registry.add(store) //= src/shop/Registry.kt:Registry.add type
                helper() //= src/shop/Registry.kt:helper scope
                Legacy.call() //= src/shop/Legacy.java:Legacy.call type
                val made = Store("x") //= src/shop/store/Store.kt:Store import
                made.save() //= src/shop/store/Store.kt:Store.save type
                name.trim() //= nothing
            }
        }
        //- src/shop/Registry.kt
        package shop
        object Registry { fun add(x: Any) {} }
        fun helper() {}
        //- src/shop/Legacy.java
        package shop;
        public class Legacy { public static void call() {} }
        //- src/shop/store/Store.kt
        package shop.store
        class Store(val path: String) {
            fun save() {}
            companion object {
                fun create(): Store = Store("x")
            }
        }
        fun open(): Store = Store.create()
        //- src/shop/text/Text.kt
        package shop.text
        import shop.store.Store
        fun Store.describe(): String = path
        """,
    "c#: usings, aliases, static usings, nested namespaces, partial types, extensions": """
        //- App.cs
        using Shop.Data;
        using static Shop.Util.Texts;
        using Db = Shop.Data.Store;
        using System.IO;
        namespace Shop
        {
            public partial class App : Base
            {
                private readonly Store _store;
                public Store Current { get; set; }
                public void Run(Db given)
                {
                    _store.Save(); //= Data/Store.cs:Store.Save type
                    Current.Save(); //= Data/Store.cs:Store.Save type
                    given.Save(); //= Data/Store.cs:Store.Save type
                    this.Part(); //= App.Part.cs:App.Part type
                    Part(); //= App.Part.cs:App.Part scope
                    Inherited(); //= Base.cs:Base.Inherited scope
                    base.Inherited(); //= Base.cs:Base.Inherited type
                    Trim("x"); //= Util/Texts.cs:Texts.Trim import
                    Util.Texts.Trim("x"); //= Util/Texts.cs:Texts.Trim type
                    var made = new Store(); //= Data/Store.cs:Store import
                    made.Save(); //= Data/Store.cs:Store.Save type
                    File.Open("x"); //= nothing
                }
            }
        }
        //- App.Part.cs
        namespace Shop;
        public partial class App { void Part() {} }
        //- Base.cs
        namespace Shop;
        public class Base { protected void Inherited() {} }
        //- Data/Store.cs
        namespace Shop.Data {
            public class Store { public void Save() {} }
        }
        //- Util/Texts.cs
        namespace Shop.Util;
        public static class Texts { public static string Trim(string s) => s; }
        """,
    "c#: a member called like its type, where a type is written and where a value is": """
        //- Colour.cs
        namespace Paint {
            public class Colour { public Colour() {} public void Mix() {} public static Colour Of() => null; }
        }
        //- Box.cs
        namespace Paint {
            public class Box : Base {
                public Colour Colour { get; set; }
                readonly Colour _spare;
                void Run(Box other) {
                    Colour.Mix(); //= Colour.cs:Colour.Mix type
                    other.Colour.Mix(); //= Colour.cs:Colour.Mix type
                    _spare.Mix(); //= Colour.cs:Colour.Mix type
                    Colour.Of(); //= Colour.cs:Colour.Of type
                    new Colour(); //= Colour.cs:Colour scope
                    new Base(); //= Box.cs:Base scope
                }
            }
            public class Base { public Base() {} }
        }
        """,
    "c#: usings from the namespaces around and through others; extensions as functions; operators": """
        //- Use.cs
        using Shop.Tools;
        namespace Shop.Sales
        {
            using static Inner.Texts;
            using static Numbers;
            class Use {
                static void Run(Cart cart) {
                    Trim(); //= Texts.cs:Texts.Trim import
                    Add(); //= Numbers.cs:Numbers.Add import
                    Twice(cart); //= nothing
                    Numbers.Twice(cart); //= Numbers.cs:Numbers.Cart.Twice type
                    cart.Twice(); //= Numbers.cs:Numbers.Cart.Twice type
                    string.IsBlank("x"); //= Numbers.cs:Numbers.string.IsBlank name
                }
                public static bool operator ==(Use left, Use right) => left.Same(right); //= Use.cs:Use.Same type
                bool Same(Use other) => true;
            }
        }
        //- Texts.cs
        namespace Shop.Sales.Inner { public static class Texts { public static void Trim() {} } }
        //- Numbers.cs
        namespace Shop.Tools {
            public static class Numbers {
                public static void Add() {}
                public static Cart Twice(this Cart cart) => Plus(cart); //= Numbers.cs:Numbers.Plus scope
                static Cart Plus(Cart cart) => Twice(cart); //= Numbers.cs:Numbers.Cart.Twice scope
                public static bool IsBlank(this string s) => true;
            }
            public class Cart {}
        }
        """,
    "c#: conditionals in the middle of statements and declarations": """
        //- A.cs
        namespace N {
            public class A : Base
        #if WIDE
                , IWide
        #endif
            {
                void Run(int x) {
                    if (x == 1) { One(); } //= A.cs:A.One scope
        #if WIDE
                    else if (x == 2) { Two(); } //= A.cs:A.Two scope
        #endif
                    else { Three(); } //= A.cs:A.Three scope
                }
        #if WIDE
                void One(int x) {
        #else
                void One(string x) {
        #endif
                    Two(); //= A.cs:A.Two scope
                }
                void Two() {}
                void Three() {}
            }
            public class Base {}
        }
        """,
    "scala: imports from the packages around": """
        //- a/Use.scala
        package shop.sales
        import inner.Texts._
        import inner.Cart
        class Use {
          def run(cart: Cart) = {
            trim() //= a/Texts.scala:Texts.trim import
            cart.add() //= a/Texts.scala:Cart.add type
          }
        }
        //- a/Texts.scala
        package shop.sales.inner
        object Texts { def trim() = 1 }
        class Cart { def add() = 1 }
        """,
    "c: includes, static functions of one file, struct pointers": """
        //- src/main.c
        #include "store.h"
        #include <stdio.h>
        static void helper(void) {}
        int main(void) {
            store_open(); //= src/store.h:store_open import, src/store.c:store_open import
            helper(); //= src/main.c:helper scope
            printf("x"); //= nothing
            return 0;
        }
        //- src/store.h
        #include "base.h"
        int store_open(void);
        //- src/base.h
        void base_init(void);
        #define CHECK(x) base_check(x)
        //- src/base.c
        #include "base.h"
        static void helper(void) {}
        void base_init(void) {
            helper(); //= src/base.c:helper scope
        }
        //- src/store.c
        #include "store.h"
        int store_open(void) {
            base_init(); //= src/base.h:base_init import, src/base.c:base_init import
            CHECK(1); //= src/base.h:CHECK import
            return 1;
        }
        """,
    "c: a body in a file that includes the declaration through another": """
        //- main.c
        #include "api.h"
        int main(void) {
            start(); //= base.h:start import, impl.c:start import
            return 0;
        }
        //- api.h
        #include "base.h"
        //- base.h
        void start(void);
        //- impl.c
        #include "api.h"
        void start(void) {
        }
        //- fake.c
        void start(void) {
        }
        """,
    "c++: classes declared and defined apart, namespaces, inheritance, pointers": """
        //- include/store.h
        #pragma once
        #include "base.h"
        namespace shop {
        class Store : public Base {
         public:
          Store();
          void save();
          static Store* create();
          void flush() { save(); } //= include/store.h:shop.Store.save scope, src/store.cpp:shop.Store.save scope
        };
        void open();
        }
        //- include/base.h
        namespace shop {
        class Base {
         public:
          virtual void close();
        };
        }
        //- src/store.cpp
        #include "../include/store.h"
        #include "../include/base.h"
        namespace shop {
        Store::Store() {}
        void Store::save() {
          close(); //= include/base.h:shop.Base.close scope
          this->flush(); //= include/store.h:shop.Store.flush type
        }
        void open() {}
        }
        //- src/main.cpp
        #include "../include/store.h"
        #include <memory>
        using namespace shop;
        void run(Store& given, std::unique_ptr<Store> owned) {
          given.save(); //= include/store.h:shop.Store.save type, src/store.cpp:shop.Store.save type
          owned->flush(); //= include/store.h:shop.Store.flush type
          shop::open(); //= include/store.h:shop.open import, src/store.cpp:shop.open import
          Store* made = Store::create(); //= include/store.h:shop.Store.create type
          made->flush(); //= include/store.h:shop.Store.flush type
        }
        """,
    "php: use, aliases, groups, functions, own namespace, statics": r"""
        //- src/App.php
        <?php
        namespace Shop;
        use Shop\Data\Store;
        use Shop\Data\Store as Db;
        use Shop\Util\{Texts, Numbers as N};
        use function Shop\Util\trim_all;
        class App extends Base {
            private Store $store;
            public function __construct(private Db $db, Near $near) {
                $this->near = $near;
            }
            public function run(?Store $given): void {
                $this->store->save(); //= src/Data/Store.php:Store.save type
                $this->db->save(); //= src/Data/Store.php:Store.save type
                $this->near->here(); //= src/Near.php:Near.here type
                $given->save(); //= src/Data/Store.php:Store.save type
                Texts::trim('x'); //= src/Util/Texts.php:Texts.trim type
                N::round(1); //= src/Util/Numbers.php:Numbers.round type
                trim_all(); //= src/Util/functions.php:trim_all import
                self::make(); //= src/App.php:App.make type
                static::make(); //= src/App.php:App.make type
                parent::run(null); //= src/Base.php:Base.run type
                $made = new Store(); //= src/Data/Store.php:Store import
                $made->save(); //= src/Data/Store.php:Store.save type
                self::make()->run(null); //= src/App.php:App.make type, src/App.php:App.run type
                strlen('x'); //= nothing
            }
            public static function make(): static { return new static(); }
        }
        //- src/Near.php
        <?php
        namespace Shop;
        class Near { function here() {} }
        //- src/Base.php
        <?php
        namespace Shop;
        class Base { function run($x) {} }
        //- src/Data/Store.php
        <?php
        namespace Shop\Data;
        class Store { function save() {} }
        //- src/Util/Texts.php
        <?php
        namespace Shop\Util;
        class Texts { static function trim($x) {} }
        //- src/Util/Numbers.php
        <?php
        namespace Shop\Util;
        class Numbers { static function round($x) {} }
        //- src/Util/functions.php
        <?php
        namespace Shop\Util;
        function trim_all() {}
        """,
    "ruby: modules, mixins, constants, own and inherited methods": """
        //- lib/shop/app.rb
        require_relative "store"
        module Shop
          class App < Base
            include Logging
            def initialize
              @store = Store.new #= lib/shop/store.rb:Shop.Store scope
            end
            def run
              @store.save #= lib/shop/store.rb:Shop.Store.save type
              helper #= lib/shop/app.rb:Shop.App.helper scope
              self.helper #= lib/shop/app.rb:Shop.App.helper type
              log("x") #= lib/shop/logging.rb:Shop.Logging.log scope
              inherited_one #= lib/shop/base.rb:Shop.Base.inherited_one scope
              Shop::Store.open #= lib/shop/store.rb:Shop.Store.open type
            end
            def helper
            end
          end
        end
        //- lib/shop/base.rb
        module Shop
          class Base
            def inherited_one
            end
          end
        end
        //- lib/shop/logging.rb
        module Shop
          module Logging
            def log(text)
            end
          end
        end
        //- lib/shop/store.rb
        module Shop
          class Store
            def self.open
            end
            def save
            end
          end
        end
        """,
    "swift: own module, extensions, protocols, optionals, initialisers": """
        //- Sources/Shop/App.swift
        import Foundation
        class App: Base, Runs {
            let store: Store
            var maybe: Store?
            init(store: Store) {
                self.store = store
            }
            func run() {
                store.save() //= Sources/Shop/Store.swift:Store.save type
                self.store.describe() //= Sources/Shop/Text.swift:Store.describe type
                maybe?.save() //= Sources/Shop/Store.swift:Store.save type
                maybe!.save() //= Sources/Shop/Store.swift:Store.save type
                helper() //= Sources/Shop/Store.swift:helper scope
                inherited() //= Sources/Shop/Base.swift:Base.inherited scope
                let made = Store.open() //= Sources/Shop/Store.swift:Store.open type
                made.save() //= Sources/Shop/Store.swift:Store.save type
            }
        }
        //- Sources/Shop/Base.swift
        class Base { func inherited() {} }
        protocol Runs { func run() }
        //- Sources/Shop/Store.swift
        struct Store {
            static func open() -> Store { return Store() }
            func save() {}
        }
        func helper() {}
        //- Sources/Shop/Text.swift
        extension Store {
            func describe() {
                save() //= Sources/Shop/Store.swift:Store.save scope
            }
        }
        """,
    "scala: packages, renames, wildcards, objects, traits, companions": """
        //- src/shop/App.scala
        package shop
        import shop.data.{Store, Cache => Quick}
        import shop.text._
        class App(store: Store) extends Base with Logging {
          val quick: Quick = new Quick() //= src/shop/data/Store.scala:Cache import
          def run(): Unit = {
            store.save() //= src/shop/data/Store.scala:Store.save type
            quick.clear() //= src/shop/data/Store.scala:Cache.clear type
            Texts.trim("x") //= src/shop/text/Texts.scala:Texts.trim type
            log("x") //= src/shop/Base.scala:Logging.log scope
            inherited() //= src/shop/Base.scala:Base.inherited scope
            val made = Store.open() //= src/shop/data/Store.scala:Store.open type
            made.save() //= src/shop/data/Store.scala:Store.save type
          }
        }
        //- src/shop/Base.scala
        package shop
        class Base { def inherited(): Unit = {} }
        trait Logging { def log(text: String): Unit = {} }
        //- src/shop/data/Store.scala
        package shop.data
        class Store { def save(): Unit = {} }
        object Store { def open(): Store = new Store() }
        class Cache { def clear(): Unit = {} }
        //- src/shop/text/Texts.scala
        package shop.text
        object Texts { def trim(s: String): String = s }
        """,
    "javascript: require, exports, destructuring, classes, prototypes": """
        //- src/app.js
        const store = require("./store");
        const { open, close: shut } = require("./store");
        const Engine = require("./engine");
        function run() {
          store.open(); //= src/store.js:open import
          open(); //= src/store.js:open import
          shut(); //= src/store.js:close import
          const engine = new Engine(); //= src/engine.js:Engine import
          engine.start(); //= src/engine.js:Engine.start type
        }
        //- src/store.js
        function open() {}
        function close() {}
        module.exports = { open, close };
        //- src/engine.js
        class Engine { start() { this.stop(); } stop() {} }
        module.exports = Engine;
        """,
    "javascript: a default export that is a table of functions": """
        //- src/app.js
        import utils, { merge } from "./utils.js";
        import * as all from "./utils.js";
        function run() {
          utils.isText(1); //= src/utils.js:isText import
          utils.own(1); //= src/utils.js:default.own import
          utils.unknown(1); //= nothing
          merge(); //= src/utils.js:merge import
          all.merge(); //= src/utils.js:merge import
          handlers.isText(); //= src/utils.js:isText scope
        }
        import { isText } from "./utils.js";
        const handlers = { isText };
        //- src/utils.js
        function isText() {}
        export function merge() {}
        export default {
          isText,
          own() {},
        };
        """,
    "typescript: barrels, namespaces, generics, inherited members, path aliases": """
        //- src/app.ts
        import { Store, type Options } from "@/data";
        import * as text from "./text";
        export class App extends Base<Store> {
          #store: Store;
          private readonly maybe?: Store;
          constructor(store: Store) { super(); this.#store = store; } //= src/app.ts:Base type
          async run(options: Options): Promise<Store> {
            this.#store.save(); //= src/data/store.ts:Store.save type
            this.maybe?.save(); //= src/data/store.ts:Store.save type
            text.trim("x"); //= src/text/trim.ts:trim import
            this.inherited(); //= src/app.ts:Base.inherited type
            options.done(); //= src/data/options.ts:Options.done type
            const again = await this.run(options); //= src/app.ts:App.run type
            again.save(); //= src/data/store.ts:Store.save type
            return again;
          }
        }
        class Base<T> { inherited() {} }
        //- src/data/index.ts
        export * from "./store";
        export { Options } from "./options";
        //- src/data/store.ts
        export class Store { save() {} }
        //- src/data/options.ts
        export interface Options { done(): void }
        //- src/text/index.ts
        export { default as trim } from "./trim";
        //- src/text/trim.ts
        export default function trim(s: string) {}
        """,
}


@pytest.mark.parametrize("case", CASES)
def test_calls(case: str) -> None:
    memory, fixture = facts_of(CASES[case])
    graph = SymbolGraph(memory)
    wanted: dict[str, str] = {}
    found: dict[str, str] = {}
    for path, text in fixture.files.items():
        for number, line in enumerate(text.splitlines(), 1):
            expected = _EXPECTED.search(line)
            if expected:
                place = f"{path}: {line.split('=')[0].strip(' /#')}"
                wanted[place] = ", ".join(sorted(expected.group(1).split(", ")))
                found[place] = _calls_at(graph, path, number)
    assert found == wanted


def _calls_at(graph: SymbolGraph, path: str, line: int) -> str:
    """The targets of the calls on a line."""
    holders = [s.id for s in graph.symbols_in(path)]
    edges = {e for h in holders for e in graph.outgoing(h) if e.relation == "calls"}
    shown = {
        f"{label(graph, edge.target)} {edge.witness.removeprefix('graph:')}"
        for edge in edges
        if edge.line == line
    }
    return ", ".join(sorted(shown)) or "nothing"
