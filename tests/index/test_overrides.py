"""Members that override or implement a supertype's members, in every first-class language."""

from __future__ import annotations

import pytest

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Edge
from tests.index.workspace import facts_of, label

CASES: dict[str, tuple[str, list[str]]] = {
    "python": (
        "//- a.py\nclass Base:\n  def run(self): ...\n"
        "//- b.py\nfrom a import Base\nclass Sub(Base):\n"
        "  def run(self): ...\n  def own(self): ...\n",
        ["b.py:Sub.run a.py:Base.run"],
    ),
    "typescript": (
        "//- a.ts\nexport interface Base { run(): void }\nexport class Old { stop() {} }\n"
        "//- b.ts\nimport { Base, Old } from './a'\n"
        "class Sub extends Old implements Base { run() {}\n stop() {}\n own() {} }\n",
        ["b.ts:Sub.run a.ts:Base.run", "b.ts:Sub.stop a.ts:Old.stop"],
    ),
    "javascript": (
        "//- a.js\nclass Base { run() {} }\nclass Sub extends Base { run() {}\n own() {} }\n",
        ["a.js:Sub.run a.js:Base.run"],
    ),
    "go": (
        "//- a.go\npackage a\ntype Base interface { Run() }\ntype Sub struct{}\n"
        "func (s *Sub) Run() {}\nfunc (s *Sub) Own() {}\n",
        ["a.go:Sub.Run a.go:Base.Run"],
    ),
    "rust": (
        "//- src/lib.rs\ntrait Base { fn run(&self); }\nstruct Sub;\n"
        "impl Base for Sub { fn run(&self) {} }\nimpl Sub { fn own(&self) {} }\n",
        ["src/lib.rs:Sub.run src/lib.rs:Base.run"],
    ),
    "java": (
        "//- A.java\npackage a;\ninterface Base { void run(); }\n"
        "class Sub implements Base { public void run() {} void own() {} }\n",
        ["A.java:Sub.run A.java:Base.run"],
    ),
    "kotlin": (
        "//- a.kt\npackage a\nopen class Base { open fun run() {} }\n"
        "class Sub : Base() { override fun run() {}\n fun own() {} }\n",
        ["a.kt:Sub.run a.kt:Base.run"],
    ),
    "c++": (
        "//- a.hpp\nstruct Base { virtual void run() = 0; };\n"
        "struct Sub : public Base { void run() override {} void own() {} };\n",
        ["a.hpp:Sub.run a.hpp:Base.run"],
    ),
    "c#": (
        "//- A.cs\nnamespace N { interface IBase { void Run(); }\n"
        "class Sub : IBase { public void Run() {} void Own() {} } }\n",
        ["A.cs:Sub.Run A.cs:IBase.Run"],
    ),
    "ruby": (
        "//- a.rb\nmodule Base\n  def run; end\nend\n"
        "class Sub\n  include Base\n  def run; end\n  def own; end\nend\n",
        ["a.rb:Sub.run a.rb:Base.run"],
    ),
    "php": (
        "//- A.php\n<?php\ninterface Base { public function run(); }\n"
        "class Sub implements Base { public function run() {} public function own() {} }\n",
        ["A.php:Sub.run A.php:Base.run"],
    ),
    "swift": (
        "//- a.swift\nprotocol Base { func run() }\n"
        "class Sub: Base {\n func run() {}\n func own() {}\n}\n",
        ["a.swift:Sub.run a.swift:Base.run"],
    ),
    "scala": (
        "//- a.scala\ntrait Base { def run(): Unit }\n"
        "class Sub extends Base {\n def run(): Unit = {}\n def own(): Unit = {}\n}\n",
        ["a.scala:Sub.run a.scala:Base.run"],
    ),
    "rust: impl in another file than the type": (
        "//- src/lib.rs\nmod sub; mod run;\npub trait Base { fn run(&self); }\n"
        "//- src/sub.rs\npub mod inner { pub struct Sub<T>(T); }\n"
        "//- src/run.rs\nuse crate::{Base, sub};\n\n"
        "impl<T> Base for sub::inner::Sub<T> { fn run(&self) {} }\n",
        ["src/run.rs:sub::inner::Sub.run src/lib.rs:Base.run"],
    ),
    "swift: extension in another file than the type": (
        "//- a.swift\nprotocol Base { func run() }\nstruct Outer { struct Sub {} }\n"
        "//- b.swift\n\n\n\n\nextension Outer.Sub: Base { func run() {} }\n",
        ["b.swift:Outer.Sub.run a.swift:Base.run"],
    ),
    "c: functions in struct initialisers": (
        "//- a.h\ntypedef int (*check_fn)(int one, int two);\n"
        "struct base { const char *name; int (*run)(int one); check_fn check; void *data; };\n"
        "typedef struct base base_t;\n"
        '//- a.c\n#include "a.h"\n'
        "static int sub_run(int one) { return one; }\n"
        "int sub_check(int one, int two) { return two; }\n"
        "static int not_placed(int one) { return one; }\n"
        "int with_two(int one, int two) { return one; }\n"
        'const struct base sub = { .name = "sub", .run = sub_run };\n'
        '//- b.c\n#include "a.h"\nint sub_check(int one, int two);\n'
        "static int run_first(int one) { return one; }\n"
        "static int with_two(int one, int two) { return one; }\n"
        "static int counts[] = { run_first };\n"
        "base_t subs[] = {\n"
        '  { "a", &run_first, sub_check },\n'
        '  { "b", with_two },\n'
        '  [4] = { "c", .check = with_two, run_first },\n};\n',
        [
            "a.c:sub_run a.h:base.run",
            "a.c:sub_check a.h:base.check",
            "b.c:run_first a.h:base.run",
            "b.c:with_two a.h:base.check",
        ],
    ),
    "c: functions declared before struct initialisers name them": (
        "//- a.h\nstruct base { int (*run)(int one); };\n"
        "int shared(int one);\nint library(int one);\n"
        '//- a.c\n#include "a.h"\nstatic int first(int one);\n'
        "const struct base sub = { .run = first };\nconst struct base other = { .run = shared };\n"
        "const struct base last = { .run = library };\n"
        "void init(struct base *b) { b->run = first; }\n"
        "static int first(int one) { return one; }\n"
        '//- b.c\n#include "a.h"\nint shared(int one) { return one; }\n',
        ["a.c:first a.h:base.run", "a.h:library a.h:base.run", "b.c:shared a.h:base.run"],
    ),
    "c: functions assigned to struct fields": (
        "//- a.h\nstruct vo { int (*draw)(struct vo *v); void (*stop)(void); int kind;\n"
        "  struct { int (*open)(int one); } ops; };\n"
        '//- a.c\n#include "a.h"\n'
        "static int draw_frame(struct vo *v) { return 1; }\n"
        "static int other(struct vo *v) { return 1; }\n"
        "static int draw(struct vo *v) { return 1; }\n"
        "static int open_it(int one) { return 1; }\n"
        "static void stop_it(void) {}\n"
        "static int called(void) { return 1; }\n"
        "void init(struct vo *v, int gpu, void (*stop_it)(void)) {\n"
        "  v->draw = draw_frame;\n  if (gpu) v->draw = &other;\n  v->draw = draw;\n"
        "  v->ops.open = open_it;\n  v->kind = called();\n  v->stop = stop_it;\n}\n",
        [
            "a.c:draw_frame a.h:vo.draw",
            "a.c:other a.h:vo.draw",
            "a.c:draw a.h:vo.draw",
            "a.c:open_it a.h:vo.ops.open",
        ],
    ),
    "go: functions assigned to struct fields": (
        "//- a.go\npackage a\ntype Server struct {\n  Run, Stop func(one int)\n"
        "  steps map[string]func(one int)\n  inner struct { Open func(one int) }\n}\n"
        "var Open = run\n"
        "func run(one int) {}\nfunc two(one int) {}\nfunc open(one int) {}\n"
        "func (s *Server) handle(one int) {}\n"
        "func New(stop func(one int)) *Server {\n  s := &Server{}\n  s.Run = run\n"
        '  s.Run = s.handle\n  s.steps["two"] = two\n  s.Stop = stop\n  s.inner.Open = open\n'
        "  Open = two\n  return &Server{Stop: s.handle}\n}\n",
        [
            "a.go:run a.go:Server.Run",
            "a.go:Server.handle a.go:Server.Run",
            "a.go:Server.handle a.go:Server.Stop",
            "a.go:two a.go:Server.steps",
            "a.go:open a.go:Server.inner.Open",
        ],
    ),
    "go: functions in struct literals": (
        "//- a.go\npackage a\ntype Hook struct { Name string; Run func(one int) }\n"
        "type Server struct{}\nfunc (s *Server) handle(one int) {}\nvar server Server\n"
        "func run(one int) {}\nfunc two(one, two int) {}\n"
        'var hooks = []Hook{{"a", run}, {Name: "b", Run: server.handle}, {"c", two}}\n'
        "func more(run func(int)) *Hook { return &Hook{Run: run} }\n",
        ["a.go:run a.go:Hook.Run", "a.go:Server.handle a.go:Hook.Run"],
    ),
    "java: anonymous classes": (
        "//- A.java\npackage a;\npublic interface Base<T> { void run(T one); }\n"
        "//- B.java\npackage b;\nimport a.Base;\nclass Use {\n"
        "  Base<String> field = new Base<String>() { @Override public void run(String one) {} };\n"
        "  void go(Base<String> base) { go(new Base<>() {\n"
        "    public void run(String one) {}\n void own() {}\n  }); }\n}\n",
        ["B.java:Use.field.run A.java:Base.run", "B.java:Use.go.run A.java:Base.run"],
    ),
    "kotlin: anonymous objects": (
        "//- a.kt\npackage a\ninterface Base { fun run() }\n"
        "open class Other(val one: Int) { open fun stop() {} }\n"
        "//- b.kt\npackage b\nimport a.Base\nimport a.Other\n"
        "val field = object : Other(1), Base { override fun run() {}\n override fun stop() {} }\n"
        "fun go(base: Base) { go(object : Base { override fun run() {} })\n}\n",
        [
            "b.kt:field.run a.kt:Base.run",
            "b.kt:field.stop a.kt:Other.stop",
            "b.kt:go.run a.kt:Base.run",
        ],
    ),
    "scala: self type is not a supertype": (
        "//- a.scala\ntrait Base { def run(): Unit }\ntrait Sub { self: Base =>\n"
        "  def run(): Unit = {}\n}\n"
        "class Both extends Base with Sub {\n  def run(): Unit = {}\n}\n",
        ["a.scala:Both.run a.scala:Base.run", "a.scala:Both.run a.scala:Sub.run"],
    ),
    "scala: anonymous classes": (
        "//- a.scala\ntrait Base { def run(): Unit }\nclass Use {\n"
        "  val field = new Base { def run(): Unit = {} }\n"
        "  def go(base: Base): Unit = go(new Base {\n    override def run(): Unit = {}\n  })\n}\n",
        ["a.scala:Use.field.run a.scala:Base.run", "a.scala:Use.go.run a.scala:Base.run"],
    ),
    "php: anonymous classes": (
        "//- A.php\n<?php\nnamespace N;\ninterface Base { public function run(); }\n"
        "class Other { public function stop() {} }\n"
        "//- B.php\n<?php\nnamespace M;\nuse N\\Base;\nuse N\\Other;\n"
        "function make() { return new class(1) extends Other implements Base {\n"
        "  public function run() {}\n  public function stop() {}\n}; }\n",
        ["B.php:make.run A.php:Base.run", "B.php:make.stop A.php:Other.stop"],
    ),
    "typescript: anonymous classes": (
        "//- a.ts\nexport interface Base { run(): void }\nexport class Other { stop() {} }\n"
        "export function make() { return class extends Other implements Base {\n"
        "  run() {}\n  stop() {}\n} }\n",
        ["a.ts:make.run a.ts:Base.run", "a.ts:make.stop a.ts:Other.stop"],
    ),
    "typescript: members of object literals, by expected type": (
        "//- a.ts\nexport interface Base { run?: (one: Item) => void; stop(): void; part: Part }\n"
        "export interface Part { put(): void }\nexport class Item {}\n"
        "export type Option = Base | false | Option[]\n"
        "export interface Options { bases?: Option[]; one: Partial<Part> & Other }\n"
        "interface Other { give: () => void }\n"
        "export function use(options: Options, ...more: Base[]) {}\n"
        "export const register = <T extends Base>(base: T) => base\n"
        "export class Kept { constructor(base: Base) {} }\n"
        "//- b.ts\nimport { Base, Kept, register, use } from './a'\n"
        "function result(): Base { return { run() {}, stop: () => {}, part: { put() {} } } }\n"
        "async function later(): Promise<Base> { return { run() {} } }\n"
        "const arrow = (): Base => ({ run: () => {} })\n"
        "const variable: Base = { run() {}, own() {} }\n"
        "const checked = { run() {} } satisfies Base\n"
        "const fixed = { run() {} } as const\n"
        "class Holder { base: Base = { run() {} } }\n"
        "class Sub extends Kept { constructor() { super({ run() {} }) } }\n"
        "function list() { use({ bases: [{ run() {} }] }) }\n"
        "function both() { use({ one: { put() {}, give() {} } }) }\n"
        "function rest() { use({}, { run() {} }, { stop() {} }) }\n"
        "function bound() { register({ run() {} }) }\n"
        "const plain = { run() {} }\nfunction unknown() { elsewhere({ run() {} }) }\n",
        [
            "b.ts:result.run a.ts:Base.run",
            "b.ts:result.stop a.ts:Base.stop",
            "b.ts:result.put a.ts:Part.put",
            "b.ts:later.run a.ts:Base.run",
            "b.ts:arrow.run a.ts:Base.run",
            "b.ts:variable.run a.ts:Base.run",
            "b.ts:checked.run a.ts:Base.run",
            "b.ts:Holder.base.run a.ts:Base.run",
            "b.ts:Sub.constructor.run a.ts:Base.run",
            "b.ts:list.run a.ts:Base.run",
            "b.ts:both.put a.ts:Part.put",
            "b.ts:both.give a.ts:Other.give",
            "b.ts:rest.run a.ts:Base.run",
            "b.ts:rest.stop a.ts:Base.stop",
            "b.ts:bound.run a.ts:Base.run",
        ],
    ),
    "c#: supertype named by another part of a partial class": (
        "//- A.cs\npartial class Sub { public void Run() {} }\n"
        "//- B.cs\ninterface IBase { void Run(); }\n\n\n\npartial class Sub : IBase {}\n",
        ["A.cs:Sub.Run B.cs:IBase.Run"],
    ),
}

OVERLOADED: dict[str, tuple[str, list[tuple[int, int]]]] = {
    "swift, by labels": (
        "//- a.swift\nprotocol Base {\n  func run(_ one: Int, at two: String) -> Int?\n"
        "  func run(_ one: Int, with two: @escaping (Int) -> Void)\n"
        "  func run(_ one: Int)\n  subscript(one: Int) -> Int { get }\n"
        "  static func < (one: Self, two: Self) -> Bool\n}\n"
        "class Sub: Base {\n  func run(_ any: Int, at `two`: String) -> Int? { nil }\n"
        "  func run(_ one: Int, with other: @escaping (Int) -> Void) {}\n"
        "  func run(_ one: Int) {}\n  func run(_ one: Int, by two: String) {}\n"
        "  subscript(other: Int) -> Int { 1 }\n"
        "  static func < (left: Sub, right: Sub) -> Bool { true }\n}\n",
        [(9, 2), (10, 3), (11, 4), (13, 5), (14, 6)],
    ),
    "swift, past a nearer overload with other labels": (
        "//- a.swift\nclass Base {\n  func run(at one: Int) {}\n}\n"
        "class Middle: Base {\n  func run(by one: Int) {}\n}\n"
        "class Sub: Middle {\n  override func run(at one: Int) {}\n}\n",
        [(8, 2)],
    ),
    "swift, by types": (
        "//- a.swift\nprotocol Base {\n  func run(_ one: Int)\n  func run(_ one: String)\n}\n"
        "class Sub: Base {\n  func run(_ one: Int) {}\n  func run(_ one: String) {}\n}\n",
        [(6, 2), (7, 3)],
    ),
    "java": (
        "//- A.java\ninterface Base<T> {\n  void run();\n  void run(int one);\n"
        "  void run(String one);\n  void run(T one, int two);\n}\n"
        "class Sub implements Base<Long> {\n  public void run() {}\n"
        "  public void run(final int one) {}\n  public void run(String other) {}\n"
        "  public void run(Long one, int two) {}\n  void run(int one, int two, int three) {}\n}\n",
        [(8, 2), (9, 3), (10, 4), (11, 5)],
    ),
    "c#": (
        "//- A.cs\nabstract class Base {\n  public virtual void Run(int one) {}\n"
        "  public virtual void Run(int? one) {}\n"
        "  public virtual void Run(int one, int two) {}\n}\n"
        "class Sub : Base {\n  public override void Run(int? one) {}\n"
        "  public override void Run(int one, int two = 2) {}\n}\n",
        [(7, 3), (8, 4)],
    ),
    "kotlin": (
        "//- a.kt\ninterface Base {\n  fun run(one: Int)\n  fun run(one: List<Int>)\n"
        "  fun run(one: Int, two: Int)\n}\n"
        "class Sub : Base {\n  override fun run(one: List<Int>) {}\n"
        "  override fun run(one: Int) {}\n  fun run() {}\n}\n",
        [(7, 3), (8, 2)],
    ),
    "scala, with results that are functions": (
        "//- a.scala\ntrait Base {\n  def run(one: Int): Int\n  def run(one: Int, two: Int): Int\n"
        "  def make: (Int) => Int\n}\n"
        "class Sub extends Base {\n  def run(one: Int, two: Int): Int = 1\n"
        "  def make: Int => Int = one => one\n}\n",
        [(7, 3), (8, 4)],
    ),
    "c++": (
        "//- a.hpp\nstruct Base {\n  virtual void run() = 0;\n  virtual void run(int one) = 0;\n"
        "  virtual void run(const char *one) = 0;\n};\n"
        "struct Sub : public Base {\n  void run(void) override {}\n"
        "  void run(int) override {}\n};\n",
        [(7, 2), (8, 3)],
    ),
    "c#, with private, static and differently typed methods": (
        "//- A.cs\ninterface IBase {\n  void Run(int? one);\n  void Go(Item one);\n"
        "  void Stop(Item one);\n  T Give<T>(T one);\n}\n"
        "class Sub : IBase {\n  public void Run(int? one) {}\n"
        "  private void Run(Item one) {}\n  public static void Go(Item one) {}\n"
        "  public void Stop(Other one) {}\n  public Item Give(Item one) {}\n}\n"
        "class Item {}\nclass Other {}\n",
        [(8, 2), (12, 5)],
    ),
    "c#, with one exact match of parameters": (
        "//- A.cs\ninterface IBase {\n  void Run(List<int> one);\n}\n"
        "class Sub : IBase {\n  public void Run(List<int> one) {}\n"
        "  public void Run(List<string> one) {}\n}\n",
        [(5, 2)],
    ),
    "java, with one parameter of a different type": (
        "//- A.java\nclass Base<T> {\n  void run(a.b.Item one) {}\n  void give(T one) {}\n"
        "  private void hide(int one) {}\n  static void make(int one) {}\n}\n"
        "class Sub extends Base<Item> {\n  void run(Item one) {}\n  void run(Other one) {}\n"
        "  void give(Item one) {}\n  void hide(int one) {}\n  void make(int one) {}\n}\n"
        "class Item {}\nclass Other {}\n",
        [(8, 2), (10, 3)],
    ),
    "kotlin, with a type alias": (
        "//- a.kt\ntypealias Key = String\ninterface Base {\n  fun run(one: Key)\n"
        "  fun go(one: String)\n}\n"
        "class Sub : Base {\n  override fun run(one: String) {}\n  fun go(one: Int) {}\n}\n",
        [(7, 3)],
    ),
    "ruby, with class methods and instance methods": (
        "//- a.rb\nclass Base\n  def self.run; end\n  def self.go; end\nend\n"
        "class Sub < Base\n  def run; end\n  def self.go; end\nend\n",
        [(7, 3)],
    ),
    "typescript, with static and instance methods": (
        "//- a.ts\nclass Base {\n  static run() {}\n  go() {}\n}\n"
        "class Sub extends Base {\n  run() {}\n  go() {}\n}\n",
        [(7, 3)],
    ),
    "python, without overloads": (
        "//- a.py\nclass Base:\n  def run(self): ...\n"
        "class Sub(Base):\n  def run(self, more=1): ...\n",
        [(4, 2)],
    ),
}


def overrides_in(source: str) -> tuple[SymbolGraph, list[Edge]]:
    """The graph and all ``overrides`` edges. Checks that both ends of an edge agree."""
    memory, fixture = facts_of(source)
    graph = SymbolGraph(memory)
    symbols = [symbol.id for path in fixture.files for symbol in graph.symbols_in(path)]
    edges = [edge for symbol in symbols for edge in graph.overrides(symbol)]
    assert all(edge in graph.overridden_by(edge.target) for edge in edges)
    return graph, edges


@pytest.mark.parametrize(("source", "expected"), OVERLOADED.values(), ids=OVERLOADED)
def test_each_overload_overrides_its_counterpart(
    source: str, expected: list[tuple[int, int]]
) -> None:
    graph, edges = overrides_in(source)
    assert sorted((e.line, graph.symbol(e.target).line) for e in edges) == expected


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_overrides(source: str, expected: list[str]) -> None:
    graph, edges = overrides_in(source)
    shown = {f"{label(graph, edge.source)} {label(graph, edge.target)}" for edge in edges}
    assert sorted(shown) == sorted(expected)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.java", "class Holder { Base go() { return new Base() { public void run() {} }; } }"),
        (
            "a.kt",
            "class Holder { val base = object : Other(1), Base {\n override fun run() {}\n}\n}",
        ),
        ("a.scala", "class Holder { val base = new Base { def run(): Unit = {} } }"),
        ("a.php", "<?php class Holder { function go() { return new class extends Base {}; } }"),
    ],
)
def test_anonymous_class_supertypes_are_not_those_of_enclosing_class(path: str, text: str) -> None:
    memory, _ = facts_of(f"//- {path}\n{text}\n")
    facts = memory.facts(path)
    assert facts is not None
    assert "Holder" in [each.name for each in facts.definitions]
    assert facts.supertypes == ()


@pytest.mark.parametrize("case", CASES)
def test_supertype_edge_has_the_line_naming_it(case: str) -> None:
    memory, fixture = facts_of(CASES[case][0])
    graph = SymbolGraph(memory)
    symbols = [symbol.id for path in fixture.files for symbol in graph.symbols_in(path)]
    edges = [edge for symbol in symbols for edge in graph.supertypes(symbol)]
    for edge in edges:
        line = fixture.files[edge.path].splitlines()[edge.line - 1]
        assert graph.symbol(edge.target).name in line
        sites = {(other.path, other.line) for other in graph.subtypes(edge.target)}
        assert (edge.path, edge.line) in sites
