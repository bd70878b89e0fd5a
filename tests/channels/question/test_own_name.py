"""The program's own name in a question says nothing about where something is in the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.channels.question.own_name import without_name
from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import explorer_of


@pytest.mark.parametrize(
    ("question", "name", "expected"),
    [
        ("How does Hay Barn dry hay?", "HayBarn", "How does  dry hay?"),
        ("how does hay-barn dry hay?", "hay_barn", "how does  dry hay?"),
        ("Hay Barn 2 and Hay Barn 2", "haybarn2", " and "),
        ("What does Hay Barn's door do?", "haybarn", "What does 's door do?"),
        ("How does Haybarn dry hay?", "HayBarn", "How does  dry hay?"),
        ("HayBarn's door: what does it do?", "haybarn", "'s door: what does it do?"),
        # The word may be a common noun, may start a sentence, or is part of another name or an
        # error report.
        ("How are recipes kept?", "recipes", "How are recipes kept?"),
        ("Recipes are not kept. Why?", "recipes", "Recipes are not kept. Why?"),
        ("What is Haybarn.dry()?", "haybarn", "What is Haybarn.dry()?"),
        ("What is `Haybarn`?", "haybarn", "What is `Haybarn`?"),
        ("Hay is not dried\n\nHow does Haybarn dry it?", "haybarn", None),
        # Another name, or the words are separated by more than a space.
        ("Where is the hay in the barn?", "HayBarn", "Where is the hay in the barn?"),
        ("Who opens the hay barns?", "HayBarn", "Who opens the hay barns?"),
        ("What is in src/hay/barn.py?", "HayBarn", "What is in src/hay/barn.py?"),
        # Nothing would be left of the question, or the folder has no name.
        ("hay-barn?", "hay-barn", "hay-barn?"),
        ("Where is it?", "", "Where is it?"),
    ],
)
def test_name_of_the_program_is_removed_from_the_question(
    question: str, name: str, expected: str | None
) -> None:
    assert without_name(question, name) == (question if expected is None else expected)


@given(st.text(), st.text())
def test_removing_the_name_adds_no_characters(question: str, name: str) -> None:
    left = iter(question)
    assert all(letter in left for letter in without_name(question, name))


BARN = """
//- hay/barn.py
def barn_of(hay):
    "The barn for some hay."
    return hay.barn
//- dryer.py
def spread(grass):
    return grass.dry
"""


async def test_name_of_the_program_does_not_affect_the_answer(tmp_path: Path) -> None:
    folder = parse(BARN).write(tmp_path / "HayBarn")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(folder, settings=settings))
    try:
        question = "How does Hay Barn dry grass?"
        report = await explorer.explore(ExploreRequest(query=question))
    finally:
        await explorer.close()
    assert report.query == question
    assert [link.path for link in report.links] == ["dryer.py"]
