"""Adaptive sizing: when a file is reduced to its signatures, and that nothing else changes."""

from __future__ import annotations

import pytest

from explorer_core.index.flow import Spine, find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.skeleton import Shown, render, sized
from tests.fixture import Fixture
from tests.index.workspace import facts_of, one

BODY = "\n".join(f"        step_{i} = {i}" for i in range(12))

FAMILY = f"""
//- app/base.py
class Interceptor:
    def intercept(self, chain): ...
def mark(f): return f
//- app/bridge.py
from .base import Interceptor
class Bridge(Interceptor):
    def intercept(self, chain):
{BODY}
        return chain.proceed()
//- app/cache.py
from .base import Interceptor, mark
class Cache(Interceptor):
    @mark
    def intercept(
        self, chain):
{BODY}
        return chain.proceed()
//- app/connect.py
from .base import Interceptor
class Connect(Interceptor):
    def intercept(self, chain):
{BODY}
//- app/call.py
from .bridge import Bridge
def call():
    return Bridge().intercept(None)
"""

REGISTERED = (
    """
//- main.py
from one import one
from two import two
from three import three
from four import other
HANDLERS = [
    one,
    two,
    three,
]
def run():
    other()
"""
    + "".join(
        f"//- {name}.py\ndef {name}(request):\n    pass\n{BODY.replace('        ', '    ')}\n"
        for name in ("one", "two", "three")
    )
    + "//- four.py\ndef other():\n    pass\n"
)


def shown(source: str, seeds: list[str], files: list[str], *, adaptive: bool = True) -> list[Shown]:
    memory, fixture = facts_of(source)
    graph = SymbolGraph(memory)
    spine = find_spine(graph, {one(graph, seed): 1.0 for seed in seeds})
    return _sized(graph, fixture, spine, files, adaptive=adaptive)


def _sized(
    graph: SymbolGraph, fixture: Fixture, spine: Spine, files: list[str], *, adaptive: bool = True
) -> list[Shown]:
    def lines(path: str) -> list[str]:
        return fixture.files[path].splitlines()

    return sized(graph, dict.fromkeys(files, ()), spine, lines, adaptive=adaptive)


def skeletons(found: list[Shown]) -> list[str]:
    return [one.path for one in found if one.is_skeleton]


FILES = ["app/call.py", "app/bridge.py", "app/cache.py", "app/connect.py", "app/base.py"]


def test_family_members_off_the_spine_are_signatures() -> None:
    found = shown(FAMILY, ["call", "Bridge.intercept"], FILES)
    assert skeletons(found) == ["app/cache.py", "app/connect.py"]


def test_without_a_member_on_the_spine_one_exemplar_stays_whole() -> None:
    source = FAMILY + "//- app/else.py\ndef go():\n    stop()\ndef stop():\n    pass\n"
    found = shown(source, ["go", "stop"], ["app/bridge.py", "app/connect.py"])
    assert skeletons(found) == ["app/connect.py"]


def test_signature_lines_are_the_lines_that_name_the_symbols() -> None:
    found = shown(FAMILY, ["call", "Bridge.intercept"], ["app/connect.py"])
    text = render(found)
    assert "class Connect(Interceptor):" in text
    assert "def intercept(self, chain):" in text
    assert "step_3" not in text
    assert "only signatures are shown" in text
    for segment in found[0].segments:
        assert segment.lines[0].strip().startswith(("class", "def"))


def test_functions_registered_together_are_siblings() -> None:
    found = shown(REGISTERED, ["run", "other"], ["one.py", "two.py", "three.py", "four.py"])
    assert skeletons(found) == ["two.py", "three.py"]


@pytest.mark.parametrize("adaptive", [True, False])
def test_a_pair_stays_whole(adaptive: bool) -> None:
    source = FAMILY.partition("//- app/connect.py")[0] + "//- app/go.py\ndef go(): ...\n"
    found = shown(source, ["go"], ["app/bridge.py", "app/cache.py"], adaptive=adaptive)
    assert not skeletons(found)


def test_off_and_no_spine_are_byte_identical() -> None:
    memory, fixture = facts_of(FAMILY)
    graph = SymbolGraph(memory)
    off = _sized(graph, fixture, Spine(), FILES, adaptive=False)
    on = _sized(graph, fixture, Spine(), FILES)
    assert render(off) == render(on)
    spine = find_spine(graph, {one(graph, "call"): 1.0})
    assert render(_sized(graph, fixture, spine, FILES, adaptive=False)) == render(off)
