"""What a compiler's answers change in hops: better witnesses, new relations, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from explorer_core.channels.compiler import CompilerError, CompilerPlace
from explorer_core.contracts import Hop, LineRange, Link, Site
from explorer_core.vouching import Vouched, vouch

TEXTS = {
    "caller.py": ["def caller():", "    return shape.area()"],
    "shape.py": ["class Square(Shape):", "    def area(self):", "        return 4"],
}
NAMES = {"caller.py": (1, 4), "shape.py": (2, 8)}
AT_TARGET = [CompilerPlace("shape.py", LineRange(start=2, end=2), "area")]
AT_SOURCE = [CompilerPlace("caller.py", LineRange(start=1, end=1), "caller")]
AT_SITE = [CompilerPlace("caller.py", LineRange(start=2, end=2))]
ELSEWHERE = [CompilerPlace("other.py", LineRange(start=2, end=2)), CompilerPlace("shape.py", None)]


class Provider:
    """Answers each method with its places. A string is reported as trouble."""

    name, witness, soft_deadline_s = "Provider", "editor", 1.0

    def __init__(self, **answers: Any) -> None:
        self._answers = answers
        self.asked: list[tuple[str, str, int, int]] = []

    def covers(self, path: str) -> bool:
        return True

    def __getattr__(self, method: str) -> Any:
        async def answer(path: str, line: int, column: int) -> list[CompilerPlace]:
            self.asked.append((method, path, line, column))
            response = self._answers.get(method, [])
            if isinstance(response, str):
                raise CompilerError(response)
            return response

        return answer


def link(id: str, path: str, start: int, end: int, hop: Hop | None = None) -> Link:  # noqa: A002
    return Link(
        id=id,
        path=path,
        range=LineRange(start=start, end=end),
        role="",
        fact="",
        quote=TEXTS[path][end - 1],
        quote_range=LineRange(start=end, end=end),
        hop=hop,
    )


def hop(relation: Any = "calls", **more: Any) -> Hop:
    site = Site(path="caller.py", line=2)
    return Hop(relation=relation, from_="c1", to="c2", site=site, witness="graph:name", **more)


async def vouch_for_two_links(
    provider: Provider,
    known: Hop | None,
    parts: tuple[int, int] = (1, 2),
    texts: dict[str, list[str]] = TEXTS,
) -> Vouched:
    """Vouch for two links whose places begin at the lines ``parts``."""
    links = [link("c1", "caller.py", parts[0], 2, known), link("c2", "shape.py", parts[1], 3)]
    return await vouch(links, provider, texts.get, lambda each: NAMES[each.path])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("relation", "answers"),
    [
        ("calls", {"definition": AT_TARGET}),
        ("calls", {"definition": ELSEWHERE, "implementations": AT_TARGET}),
        ("calls", {"incoming_calls": AT_SOURCE}),
        ("calls", {"outgoing_calls": AT_TARGET}),
        ("references", {"references": AT_SITE}),
        ("extends", {"supertypes": AT_TARGET}),
        ("overrides", {"subtypes": AT_SOURCE}),
    ],
)
async def test_compiler_answer_confirms_a_hop(relation: str, answers: dict[str, Any]):
    vouched = await vouch_for_two_links(Provider(**answers), hop(relation))
    assert vouched.hops == {0: hop(relation).model_copy(update={"witness": "editor"})}


CROWDED = f"{', '.join('abcdefgh')} = shape.area()"
DECLARED = {
    "definition": AT_TARGET,
    "implementations": AT_TARGET,
    "incoming_calls": AT_SOURCE,
    "outgoing_calls": AT_TARGET,
}


@pytest.mark.parametrize(("method", "places"), DECLARED.items())
async def test_later_part_of_a_definition_is_matched_by_name(method: str, places: Any):
    provider = Provider(**{method: places})
    vouched = await vouch_for_two_links(provider, hop(), parts=(2, 3))
    assert vouched.hops == {0: hop().model_copy(update={"witness": "editor"})}


async def test_name_of_the_callee_is_asked_about_first():
    provider = Provider()
    await vouch_for_two_links(
        provider, hop(), parts=(2, 3), texts=TEXTS | {"caller.py": ["", CROWDED]}
    )
    method, path, line, column = provider.asked[0]
    assert (method, path, line) == ("definition", "caller.py", 2)
    assert CROWDED[column:].startswith("area")


@pytest.mark.parametrize(
    ("known", "answers"),
    [
        (hop(), {}),
        (hop(), {"definition": ELSEWHERE, "references": ELSEWHERE}),
        (hop(), {"subtypes": AT_SOURCE, "supertypes": AT_TARGET}),
        (hop("references"), {"incoming_calls": AT_SOURCE}),
        (hop(via=("middle",)), {"definition": AT_TARGET}),
        (hop().model_copy(update={"witness": "editor"}), {"definition": AT_TARGET}),
        (None, {"definition": ELSEWHERE, "subtypes": AT_SOURCE}),
    ],
)
async def test_other_answers_do_not_confirm_a_hop(known: Hop | None, answers: dict[str, Any]):
    assert (await vouch_for_two_links(Provider(**answers), known)).hops == {}


@pytest.mark.parametrize(
    ("answers", "relation"),
    [
        ({"definition": AT_TARGET}, "references"),
        ({"incoming_calls": AT_SOURCE}, "calls"),
        ({"references": AT_SITE}, "references"),
    ],
)
async def test_compiler_answer_adds_a_missing_hop(answers: dict[str, Any], relation: str):
    added_hop = (await vouch_for_two_links(Provider(**answers), None)).hops[0]
    assert (added_hop.relation, added_hop.from_, added_hop.to, added_hop.witness) == (
        relation,
        "c1",
        "c2",
        "editor",
    )
    assert added_hop.site == Site(path="caller.py", line=2)


@pytest.mark.parametrize("known", [hop(), None])
async def test_unwanted_hop_is_not_asked_about(known: Hop | None):
    provider = Provider(definition=AT_TARGET)
    links = [link("c1", "caller.py", 1, 2, known), link("c2", "shape.py", 2, 3)]
    vouched = await vouch(links, provider, TEXTS.get, should_ask=lambda hop: False)  # type: ignore[arg-type]
    assert (vouched.hops, provider.asked) == ({}, [])


async def test_compiler_is_asked_at_positions_of_names():
    provider = Provider()
    await vouch_for_two_links(provider, hop())
    for method, path, line, column in provider.asked:
        at = TEXTS[path][line - 1][column:]
        assert at.startswith(("area", "shape", "caller", "return")), method


async def test_error_is_reported_once_and_hops_are_kept():
    vouched = await vouch_for_two_links(Provider(definition="It is out."), hop())
    assert vouched == Vouched({}, ("It is out.",))


@pytest.mark.parametrize(
    ("texts", "declared"),
    [({}, (1, 4)), ({"caller.py": TEXTS["caller.py"]}, (2, 8)), (TEXTS, None)],
)
async def test_unreadable_or_undeclared_ends_are_not_asked_about(
    texts: dict[str, list[str]], declared: tuple[int, int] | None
):
    provider = Provider(incoming_calls=AT_SOURCE, outgoing_calls=AT_TARGET, references=AT_SITE)
    links = [link("c1", "caller.py", 1, 2, hop()), link("c2", "shape.py", 2, 3)]
    vouched = await vouch(links, provider, texts.get, lambda each: declared)  # type: ignore[arg-type]
    places = {(path, line) for _, path, line, _ in provider.asked}
    assert all(path in texts for path, _ in places)
    assert vouched.trouble == ()
    if declared is None:
        assert (vouched.hops, places) == ({}, {("caller.py", 2)})


async def test_two_links_of_one_place_have_no_hop():
    links = [link("c1", "caller.py", 1, 2), link("c1", "caller.py", 1, 1)]
    provider = Provider(definition=AT_SOURCE, references=AT_SITE)
    assert (await vouch(links, provider, TEXTS.get)).hops == {}
