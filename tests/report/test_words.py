"""The wording is the same in all clients, although each has its own copy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from explorer_core.report.words import ACTIONS, WITNESSES

REPOSITORY = Path(__file__).parents[2]
COPIES = ["client-vscode/src/reports/words.ts", "client-nvim/lua/sightline/wording.lua"]
ENTRY = re.compile(r"""^ +\[?"?([\w:]+)"?\]?(?: =|:) "(.+)",$""", re.MULTILINE)


@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize(("name", "words"), [("WITNESSES", WITNESSES), ("ACTIONS", ACTIONS)])
def test_copy_has_the_same_wording(copy: str, name: str, words: Mapping[str | None, str]):
    text = (REPOSITORY / copy).read_text(encoding="utf-8")
    table = re.search(rf"(?:const|local) {name}\b.*?\{{(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
    assert table is not None
    assert dict(ENTRY.findall(table[1])) == {key: wording for key, wording in words.items() if key}


@pytest.mark.parametrize("copy", COPIES)
def test_copy_has_the_words_for_no_witness(copy: str):
    assert f'"{WITNESSES[None]}"' in (REPOSITORY / copy).read_text(encoding="utf-8")
