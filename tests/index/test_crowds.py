"""Code bases of thousands of similar files: chains through them all, and names that all define."""

from __future__ import annotations

import pytest

from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.resolution.names.packages import NAMESAKES
from explorer_core.index.symbols import SymbolId
from tests.index.memory import MemoryFacts
from tests.index.workspace import id_of, label

MANY = 400
"""More files than a recursion with a few calls per file could handle."""

REEXPORTED: dict[str, tuple[str, str, str]] = {
    "m{}.py": ("def target(): pass\n", "from m{} import *\n", "def use(): target()\n"),
    "m{}.ts": (
        "export function target() {{}}\n",
        "export * from './m{}'\n",
        "import {{ target }} from './m{}'\nfunction use() {{ target() }}\n",
    ),
    "m{}.js": (
        "export function target() {{}}\n",
        "export {{ target }} from './m{}'\n",
        "import {{ target }} from './m{}'\nfunction use() {{ target() }}\n",
    ),
    "m{}.h": (
        "static void target(void) {{}}\n",
        '#include "m{}.h"\n',
        '#include "m{}.h"\nstatic void use(void) {{ target(); }}\n',
    ),
    "m{}.rb": (
        "def target\nend\n",
        "require_relative 'm{}'\n",
        "require_relative 'm{}'\ndef use\n  target()\nend\n",
    ),
}
"""By path: the text of the first file, of each further file, and of the last."""

SAME_NAMES: dict[str, tuple[str, str]] = {
    "p{}/m.py": (
        "from p{before}.m import *\nclass A(A): pass\nclass B(A):\n  def run(self): A().run()\n",
        "from p{before}.m import *\nclass U(A):\n  def go(self): A().run()\n",
    ),
    "p{}/m.ts": (
        "export * from '../p{before}/m'\nexport class A extends B {{ run() {{ new A() }} }}\n",
        "import {{ A }} from '../p{before}/m'\nclass U extends A {{ go() {{ new A().run() }} }}\n",
    ),
    "p{}/m.java": (
        "class A extends B {{ void run() {{ new B().run(); }} }}\nclass B extends A {{}}\n",
        "class U extends A {{ void go() {{ new A().run(); run(); A.run(); }} }}\n",
    ),
    "p{}/m.kt": (
        "open class A : B() {{ fun run() {{ B().run() }} }}\nopen class B : A()\n",
        "class U : A() {{ fun go() {{ A().run(); run() }} }}\n",
    ),
    "p{}/m.scala": (
        "class A extends B {{ def run() = new B().run() }}\nclass B extends A\n",
        "class U extends A {{ def go() = new A().run() }}\n",
    ),
    "p{}/m.swift": (
        "class A: B {{ func run() {{ B().run() }} }}\nclass B: A {{}}\n",
        "class U: A {{ func go() {{ A().run() }} }}\n",
    ),
    "p{}/m.php": (
        "<?php\nclass A extends B {{ function run() {{ (new B)->run(); }} }}\n"
        "class B extends A {{}}\n",
        "<?php\nclass U extends A {{ function go() {{ (new A)->run(); }} }}\n",
    ),
    "p{}/m.cs": (
        "partial class A : B {{ void Run() {{ new B(); }} }}\npartial class B : C {{}}\n",
        "class U : A {{ void Go() {{ new A().Run(); }} }}\n",
    ),
    "p{}/m.rb": (
        "class A < B\n  def run\n    B.new.run\n  end\nend\nclass B < C\nend\n",
        "class U < A\n  def go\n    A.new.run\n  end\nend\n",
    ),
    "p{}/m.go": (
        "package p\ntype A struct {{ B }}\ntype B struct {{ A }}\n"
        "func (a A) run() {{ a.B.run() }}\n",
        "package p\ntype U struct {{ A }}\nfunc (u U) do() {{ u.A.run() }}\n",
    ),
    "p{}/m.rs": (
        "use super::p{before}::*;\nstruct A; impl A {{ fn run(&self) {{ A.run() }} }}\n",
        "use super::p{before}::*;\nfn u() {{ A.run() }}\n",
    ),
    "p{}/m.hpp": (
        '#include "../p{before}/m.hpp"\nclass A : public B {{ void run() {{ A a; a.run(); }} }};\n',
        '#include "../p{before}/m.hpp"\nclass U : public A {{ void go() {{ A a; a.run(); }} }};\n',
    ),
}
"""By path: the text of each file, all of which define the same names, and of one that uses them."""


def _graph_of_files(files: dict[str, str]) -> SymbolGraph:
    memory = MemoryFacts()
    for path, text in files.items():
        facts = extract(path, text)
        assert facts is not None
        memory.set(path, facts)
    return SymbolGraph(memory)


@pytest.mark.parametrize("name", REEXPORTED)
def test_name_reexported_through_many_files_resolves(name: str) -> None:
    first, between, last = REEXPORTED[name]
    files = {name.format(at): between.format(at - 1) for at in range(1, MANY)}
    files[name.format(0)] = first.format()
    files[name.format(MANY)] = between.format(MANY - 1) + last.format(MANY - 1)
    graph = _graph_of_files(files)
    calls = [e for e in graph.outgoing(id_of(graph, "use")) if e.relation == "calls"]
    assert [label(graph, e.target) for e in calls] == [f"{name.format(0)}:target"]


def test_members_are_found_along_long_inheritance_chain() -> None:
    types = "".join(f"class A{at} extends A{at - 1} {{ m{at}() {{}} }}\n" for at in range(1, MANY))
    calls = "".join(f"new A{MANY - 1}().m{at}()\n" for at in range(1, MANY))
    graph = _graph_of_files({"a.js": f"class A0 {{}}\n{types}function use() {{\n{calls}}}\n"})
    called = {label(graph, e.target) for e in graph.outgoing(id_of(graph, "use"))}
    assert {f"a.js:A{at}.m{at}" for at in range(MANY - 20, MANY)} <= called


@pytest.mark.parametrize("name", SAME_NAMES)
def test_name_defined_in_many_files_has_few_targets(name: str) -> None:
    every, user = SAME_NAMES[name]
    files = {name.format(at): every.format(before=(at - 1) % MANY) for at in range(MANY)}
    files[name.format(MANY)] = user.format(before=MANY - 1)
    graph = _graph_of_files(files)
    for path in (name.format(MANY // 2), name.format(MANY)):
        for symbol in graph.symbols_in(path):
            called: dict[int, set[SymbolId]] = {}
            for edge in graph.outgoing(symbol.id):
                if edge.relation == "calls":
                    called.setdefault(edge.line, set()).add(edge.target)
            assert all(len(targets) <= 3 * NAMESAKES for targets in called.values())


def test_mutually_recursive_namesakes_do_not_block_other_calls() -> None:
    both = "function f() { return g().a }\nfunction g() { var x = f(), y = g(); return x.b(y) }\n"
    graph = _graph_of_files({"a.js": both * MANY + "function h() {}\nf().a\nh()\n"})
    edges = graph.outgoing(SymbolId("a.js", TOP))
    assert "a.js:h" in {label(graph, e.target) for e in edges if e.relation == "calls"}
