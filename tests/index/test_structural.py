"""Types that implement an interface by having its methods: Go interfaces and Python protocols."""

from __future__ import annotations

import pytest

from explorer_core.index.graph import SymbolGraph
from tests.index.workspace import graph_of, id_of, show

SHAPES = """
//- go.mod
module acme.org/m
//- shapes/shape.go
package shapes
type Pen struct{}
type Shape interface {
	Area(scale, depth float64) (float64, error)
	Draw(pen *Pen)
}
type Drawn interface {
	Shape
	Names() []string
}
type Tagged interface { String() string }
type Inked interface { Ink() *Pen }
type hidden interface { Fill(pen Pen); seal() }
//- other/square.go
package other
import "acme.org/m/shapes"
type Square struct{}
func (s *Square) Area(a float64, _ float64) (area float64, err error) { return }
func (s *Square) Draw(p *shapes.Pen) {}
func (s *Square) String() string { return "" }
"""
IMPLEMENTS = "other/square.go:Square implements shapes/shape.go:Shape type"


def implements_edges(graph: SymbolGraph, *paths: str) -> list[str]:
    """All ``implements`` edges of some files. Checks that types and interfaces agree on them."""
    symbols = [s.id for path in paths for s in graph.symbols_in(path)]
    above = {e for s in symbols for e in graph.supertypes(s) if e.relation == "implements"}
    below = {e for s in symbols for e in graph.subtypes(s) if e.relation == "implements"}
    assert above == below
    return sorted(show(graph, edge) for edge in above)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [IMPLEMENTS]),
        ("Draw(p *shapes.Pen)", "Draw(p shapes.Pen)", []),
        ("Draw(p *shapes.Pen)", "Draw(p *Pen)", []),
        ("Draw(p *shapes.Pen)", "Paint(p *shapes.Pen)", []),
        ("Area(a float64, _ float64)", "Area(a float64)", []),
        ("(area float64, err error)", "float64", []),
        (
            "func (s *Square) String() string",
            "func (s *Square) Names() []string",
            [IMPLEMENTS.replace(":Shape", ":Drawn"), IMPLEMENTS],
        ),
        (
            "type Square struct{}",
            "type Base struct{}\ntype Square struct{ Base }\n"
            "func (b Base) Ink() *shapes.Pen { return nil }",
            [
                "other/square.go:Base implements shapes/shape.go:Inked type",
                IMPLEMENTS.replace(":Shape", ":Inked"),
                IMPLEMENTS,
            ],
        ),
        (
            "type Square struct{}",
            "type Square struct{}\n"
            "func (s Square) Fill(p shapes.Pen) {}\nfunc (s Square) seal() {}",
            [IMPLEMENTS],
        ),
        ("	Draw(pen *Pen)\n", "	Draw(pen *Pen)\n	io.Reader\n", []),
        (
            "type Square struct{}",
            "type Square struct{}\nvar _ shapes.Tagged = (*Square)(nil)",
            [IMPLEMENTS.replace("type", "import").replace(":Shape", ":Tagged"), IMPLEMENTS],
        ),
        (
            "type Square struct{}",
            "type Square struct{}\nvar _ shapes.Tagged = &Square{}\nvar s shapes.Inked = Square{}",
            [IMPLEMENTS.replace("type", "import").replace(":Shape", ":Tagged"), IMPLEMENTS],
        ),
    ],
)
def test_go_type_implements_interface_whose_methods_it_has(
    before: str, after: str, expected: list[str]
) -> None:
    assert before in SHAPES
    graph = graph_of(SHAPES.replace(before, after, 1) if before else SHAPES)
    assert implements_edges(graph, "other/square.go", "shapes/shape.go") == sorted(expected)


def test_asserted_interface_adds_no_methods_to_a_type() -> None:
    graph = graph_of("""
//- a.go
package a
type Shape interface { Draw() }
type Square struct { outside.Square }
var _ Shape = (*Square)(nil)
func draw(s *Square) { s.Draw() }
""")
    assert not [e for e in graph.outgoing(id_of(graph, "draw")) if e.relation == "calls"]


PROTOCOL = """
//- protocol.py
from typing import Protocol
class Parser(Protocol):
    name: str
    def parse(self, path: str, *, archive: bool = True) -> None: ...
    def text(self) -> str: ...
    @property
    def pages(self) -> int: ...
//- parsers.py
class Mail:
    name = "mail"
    pages = 1
    def parse(self, path, archive=False): ...
    def text(self): return ""
"""
MAIL = "parsers.py:Mail implements protocol.py:Parser type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [MAIL]),
        ("archive=False", "archive=False, more=1", [MAIL]),
        ("archive=False", "archive, more", []),
        ("archive=False", "", []),
        ("def text(self): return", "def words(self): return", []),
        ("    pages = 1\n", "", []),
        ("def text(self): return", "text = 1\n    def words(self): return", []),
        # inherited members count
        ("class Mail:", "class Base:\n    pages = 2\nclass Mail(Base):", [MAIL]),
        # one method is too little evidence
        ("    def text(self) -> str: ...\n", "", []),
        # not a protocol: the base is missing, or is the repository's own
        ("Parser(Protocol)", "Parser", []),
        ("from typing import Protocol", "class Protocol: ...", []),
        # the type is a protocol itself
        ("class Mail:", "from typing import Protocol\nclass Mail(Protocol):", []),
    ],
)
def test_python_class_implements_protocol_whose_members_it_has(
    before: str, after: str, expected: list[str]
) -> None:
    assert before in PROTOCOL
    graph = graph_of(PROTOCOL.replace(before, after) if before else PROTOCOL)
    assert implements_edges(graph, "protocol.py", "parsers.py") == expected
    overriding = {
        f"{graph.symbol(e.source).qualified_name} {graph.symbol(e.target).qualified_name}"
        for s in graph.symbols_in("parsers.py")
        for e in graph.overrides(s.id)
        if e.target.path == "protocol.py"
    }
    assert ("Mail.parse Parser.parse" in overriding) == bool(expected)
