"""The part of a report that an agent gets as structured content."""

from __future__ import annotations

from typing import Any

import pytest

from explorer_core.contracts import ExploreAnswer, Hop, Site
from tests.golden import golden

HERE, THERE = Site(path="here.py", line=3), Site(path="there.py", line=72)


@pytest.mark.parametrize(
    ("ends", "fields", "expected"),
    [
        (("c1", "c2"), {}, {"reversed": False, "path": None, "line": None, "via": ()}),
        (("c2", "c1"), {}, {"reversed": True}),
        (("c1", "c2"), {"site": HERE}, {"reversed": False, "path": "here.py", "line": 3}),
        (("c2", "c1"), {"site": THERE}, {"reversed": True, "path": "there.py", "line": 72}),
        (("c1", "c2"), {"via": ("Shop.order",)}, {"via": ("Shop.order",)}),
    ],
)
def test_hop_states_its_direction_and_site(
    ends: tuple[str, str], fields: dict[str, Any], expected: dict[str, Any]
):
    report = golden("explain")
    hop = Hop(relation="calls", from_=ends[0], to=ends[1], witness="graph:type", **fields)
    link = report.links[0].model_copy(update={"id": "c1", "hop": hop})
    answer = ExploreAnswer.of(report.model_copy(update={"links": (link,)}), "/w")
    found = answer.flow[0].next
    assert found is not None
    assert (found.relation, found.witness) == ("calls", "graph:type")
    assert {name: getattr(found, name) for name in expected} == expected


def test_answer_contains_the_coverage():
    report = golden("explain")
    assert ExploreAnswer.of(report, "/w").coverage == report.coverage
