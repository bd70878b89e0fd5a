"""Adaptive sizing: when a file is reduced to its signatures; nothing else may change."""

from __future__ import annotations

import pytest

from explorer_core.index.flow import find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.skeleton import ShownFile, sized
from explorer_core.index.spine import Spine
from tests.fixture import Fixture
from tests.index.workspace import facts_of, id_of

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

ANNOTATED = """
//- src/Step.java
package org.shop;
interface Step {
    void run(Order order);
}
//- src/Flow.java
package org.shop;
class Flow {
    void all(Order order) {
        new First().run(order);
    }
}
""" + "".join(
    f"""//- src/{name}.java
package org.shop;
@Named(
    "Step.{name}.run"
)
@Deprecated
final class {name} implements Step {{
    @Override
    @Traced(
        name = "step"
    )
    public void run(
        Order order
    ) {{
{BODY}
    }}
}}
"""
    for name in ("First", "Second", "Third")
)

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


def sized_files(
    source: str, seeds: list[str], files: list[str], *, adaptive: bool = True
) -> list[ShownFile]:
    memory, fixture = facts_of(source)
    graph = SymbolGraph(memory)
    spine = find_spine(graph, {id_of(graph, seed): 1.0 for seed in seeds})
    return _sized_along(graph, fixture, spine, files, adaptive=adaptive)


def _sized_along(
    graph: SymbolGraph, fixture: Fixture, spine: Spine, files: list[str], *, adaptive: bool = True
) -> list[ShownFile]:
    def lines(path: str) -> list[str]:
        return fixture.files[path].splitlines()

    return sized(graph, dict.fromkeys(files, ()), spine, lines, adaptive=adaptive)


def render(found: list[ShownFile]) -> str:
    return "\n\n".join(one.render() for one in found)


def skeletons(found: list[ShownFile]) -> list[str]:
    return [one.path for one in found if one.is_skeleton]


FILES = ["app/call.py", "app/bridge.py", "app/cache.py", "app/connect.py", "app/base.py"]


def test_family_members_off_the_spine_become_skeletons() -> None:
    found = sized_files(FAMILY, ["call", "Bridge.intercept"], FILES)
    assert skeletons(found) == ["app/cache.py", "app/connect.py"]


def test_one_family_member_stays_whole_if_none_is_on_the_spine() -> None:
    source = FAMILY + "//- app/else.py\ndef go():\n    stop()\ndef stop():\n    pass\n"
    found = sized_files(source, ["go", "stop"], ["app/bridge.py", "app/connect.py"])
    assert skeletons(found) == ["app/connect.py"]


def test_skeleton_shows_lines_that_name_symbols() -> None:
    found = sized_files(FAMILY, ["call", "Bridge.intercept"], ["app/connect.py"])
    text = render(found)
    assert "class Connect(Interceptor):" in text
    assert "def intercept(self, chain):" in text
    assert "step_3" not in text
    assert "only signatures are shown" in text
    for segment in found[0].segments:
        assert segment.lines[0].strip().startswith(("class", "def"))


def test_skeleton_skips_annotations_above_signatures() -> None:
    found = sized_files(ANNOTATED, ["Flow.all", "First.run"], ["src/Second.java"])
    assert [line.strip() for segment in found[0].segments for line in segment.lines] == [
        "final class Second implements Step {",
        "public void run(",
    ]


HANDLERS = ["one.py", "two.py", "three.py", "four.py"]
TABLE_REGISTRATION = "HANDLERS = [\n    one,\n    two,\n    three,\n]"
REGISTRATIONS = {
    "a table": TABLE_REGISTRATION,
    "a table on one line": "HANDLERS = [one, two, three]",
    "one call": "register(one, two, three)",
    "one call over several lines": "register(\n    one,\n    two,\n    three,\n)",
    "a map": "HANDLERS = {\n    'a': one,\n    'b': two,\n    'c': three,\n}",
}


@pytest.mark.parametrize("registration", REGISTRATIONS)
def test_functions_registered_together_are_siblings(registration: str) -> None:
    source = REGISTERED.replace(TABLE_REGISTRATION, REGISTRATIONS[registration])
    assert skeletons(sized_files(source, ["run", "other"], HANDLERS)) == ["two.py", "three.py"]


def test_functions_of_different_shape_are_not_siblings() -> None:
    source = REGISTERED.replace("def three(request)", "def three(request, more, *rest)")
    assert not skeletons(sized_files(source, ["run", "other"], HANDLERS))


def test_parameter_count_with_comparison_in_default_value() -> None:
    source = REGISTERED.replace("(request)", "(request, limit, more)")
    source = source.replace("def three(request, limit,", "def three(request, limit=1 > 0,")
    assert skeletons(sized_files(source, ["run", "other"], HANDLERS)) == ["two.py", "three.py"]


def test_functions_registered_apart_are_not_siblings() -> None:
    apart = "register(one)\n\n\n\nregister(two)\n\n\n\nregister(three)"
    source = REGISTERED.replace(TABLE_REGISTRATION, apart)
    assert not skeletons(sized_files(source, ["run", "other"], HANDLERS))


def test_helper_keeps_family_member_whole_only_if_called_from_outside() -> None:
    source = FAMILY.replace("//- app/call.py", "def _reset(): ...\n//- app/call.py")
    found = sized_files(source, ["call", "Bridge.intercept"], FILES)
    assert skeletons(found) == ["app/cache.py", "app/connect.py"]
    used = source.replace("def call():", "from .connect import _reset\ndef call():\n    _reset()")
    assert skeletons(sized_files(used, ["call", "Bridge.intercept"], FILES)) == ["app/cache.py"]


def test_skeleton_is_never_longer_than_the_whole_file() -> None:
    source = FAMILY.replace(BODY, "        pass")
    found = sized_files(source, ["call", "Bridge.intercept"], FILES)
    whole = sized_files(source, ["call", "Bridge.intercept"], FILES, adaptive=False)
    assert all(len(a.render()) <= len(b.render()) for a, b in zip(found, whole, strict=True))
    assert "app/connect.py" not in skeletons(found)


@pytest.mark.parametrize("adaptive", [True, False])
def test_family_of_two_stays_whole(adaptive: bool) -> None:
    source = FAMILY.partition("//- app/connect.py")[0] + "//- app/go.py\ndef go(): ...\n"
    found = sized_files(source, ["go"], ["app/bridge.py", "app/cache.py"], adaptive=adaptive)
    assert not skeletons(found)


def test_disabled_sizing_equals_sizing_without_spine() -> None:
    memory, fixture = facts_of(FAMILY)
    graph = SymbolGraph(memory)
    off = _sized_along(graph, fixture, Spine(), FILES, adaptive=False)
    on = _sized_along(graph, fixture, Spine(), FILES)
    assert render(off) == render(on)
    spine = find_spine(graph, {id_of(graph, "call"): 1.0})
    assert render(_sized_along(graph, fixture, spine, FILES, adaptive=False)) == render(off)
