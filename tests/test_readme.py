"""The README's first command answers its question with a flow that is proven by edges."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.examples import answer, readme_question
from tests.e2e.proven import unproven


async def test_the_first_command_gives_a_proven_flow():
    query, folder = readme_question()
    assert unproven(await answer(query, "explain", folder)) == []


@pytest.mark.parametrize("page", ["docs/examples.md", "docs/answer.svg"])
def test_pages_linked_from_the_readme_are_small(page: str):
    assert (Path(__file__).parents[1] / page).stat().st_size < 40_000
