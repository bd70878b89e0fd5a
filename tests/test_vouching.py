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
            said = self._answers.get(method, [])
            if isinstance(said, str):
                raise CompilerError(said)
            return said

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


async def asked(
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
async def test_what_confirms_a_hop(relation: str, answers: dict[str, Any]):
    said = await asked(Provider(**answers), hop(relation))
    assert said.hops == {0: hop(relation).model_copy(update={"witness": "editor"})}


CROWDED = f"{', '.join('abcdefgh')} = shape.area()"
DECLARED = {
    "definition": AT_TARGET,
    "implementations": AT_TARGET,
    "incoming_calls": AT_SOURCE,
    "outgoing_calls": AT_TARGET,
}


@pytest.mark.parametrize(("method", "places"), DECLARED.items())
async def test_a_later_part_of_a_definition_goes_by_its_name(method: str, places: Any):
    provider = Provider(**{method: places})
    said = await asked(provider, hop(), parts=(2, 3))
    assert said.hops == {0: hop().model_copy(update={"witness": "editor"})}


async def test_the_name_of_what_a_part_is_of_is_asked_about_before_others():
    provider = Provider()
    await asked(provider, hop(), parts=(2, 3), texts=TEXTS | {"caller.py": ["", CROWDED]})
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
async def test_what_does_not(known: Hop | None, answers: dict[str, Any]):
    assert (await asked(Provider(**answers), known)).hops == {}


@pytest.mark.parametrize(
    ("answers", "relation"),
    [
        ({"definition": AT_TARGET}, "references"),
        ({"incoming_calls": AT_SOURCE}, "calls"),
        ({"references": AT_SITE}, "references"),
    ],
)
async def test_a_hop_the_graph_does_not_know(answers: dict[str, Any], relation: str):
    said = (await asked(Provider(**answers), None)).hops[0]
    assert (said.relation, said.from_, said.to, said.witness) == (relation, "c1", "c2", "editor")
    assert said.site == Site(path="caller.py", line=2)


@pytest.mark.parametrize("known", [hop(), None])
async def test_a_hop_that_is_not_wanted_is_not_asked_about(known: Hop | None):
    provider = Provider(definition=AT_TARGET)
    links = [link("c1", "caller.py", 1, 2, known), link("c2", "shape.py", 2, 3)]
    said = await vouch(links, provider, TEXTS.get, wanted=lambda hop: False)  # type: ignore[arg-type]
    assert (said.hops, provider.asked) == ({}, [])


async def test_it_is_asked_at_names():
    provider = Provider()
    await asked(provider, hop())
    for method, path, line, column in provider.asked:
        at = TEXTS[path][line - 1][column:]
        assert at.startswith(("area", "shape", "caller", "return")), method


async def test_trouble_is_told_once_and_takes_nothing_back():
    said = await asked(Provider(definition="It is out."), hop())
    assert said == Vouched({}, ("It is out.",))


@pytest.mark.parametrize(
    ("texts", "declared"),
    [({}, (1, 4)), ({"caller.py": TEXTS["caller.py"]}, (2, 8)), (TEXTS, None)],
)
async def test_what_cannot_be_read_or_is_no_declaration_is_not_asked_about(
    texts: dict[str, list[str]], declared: tuple[int, int] | None
):
    provider = Provider(incoming_calls=AT_SOURCE, outgoing_calls=AT_TARGET, references=AT_SITE)
    links = [link("c1", "caller.py", 1, 2, hop()), link("c2", "shape.py", 2, 3)]
    said = await vouch(links, provider, texts.get, lambda each: declared)  # type: ignore[arg-type]
    places = {(path, line) for _, path, line, _ in provider.asked}
    assert all(path in texts for path, _ in places)
    assert said.trouble == ()
    if declared is None:
        assert (said.hops, places) == ({}, {("caller.py", 2)})


async def test_two_links_of_one_place_have_no_hop():
    links = [link("c1", "caller.py", 1, 2), link("c1", "caller.py", 1, 1)]
    provider = Provider(definition=AT_SOURCE, references=AT_SITE)
    assert (await vouch(links, provider, TEXTS.get)).hops == {}
