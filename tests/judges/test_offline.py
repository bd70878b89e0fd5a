"""How sure the offline judge says it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Confidence, ExploreRequest, Report, Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.fixture import parse

STORE = """
//- store/cache.py
# The quarantine of a suspicious mailbox is described here, and how its antivirus reports.



class Cache:
    def __init__(self):
        self.entries = {}

    def expire_entry(self, entry):
        del self.entries[entry.key]
//- store/server.py
from store.cache import Cache


def serve(cache: Cache, request):
    return cache.entries[request]
//- store/client.py
def connect(address):
    return address.open()
"""


@pytest.mark.parametrize(
    ("question", "confidence"),
    [
        ("Cache: expire entry", "high"),
        ("Quarantine, suspicious mailbox and antivirus reports: expire", "medium"),
        ("Where is the balloon inflated over the lagoon?", "low"),
    ],
)
async def test_high_only_where_the_flow_itself_has_what_was_asked(
    tmp_path: Path, question: str, confidence: Confidence
):
    """In the second question the words that tell most stand in the right file, beside the flow."""
    report = await answered(tmp_path, STORE, question)
    assert report.confidence == confidence, report.links


async def test_the_only_file_is_not_right_for_being_alone(tmp_path: Path):
    """Its probability is 1 whatever is asked, so that the words must decide."""
    only = STORE[: STORE.index("//- store/server.py")]
    question = "Quarantine, suspicious mailbox and antivirus reports: expire"
    report = await answered(tmp_path, only, question)
    assert report.confidence == "medium", report.links


async def answered(tmp_path: Path, fixture: str, question: str) -> Report:
    folder = parse(fixture).write(tmp_path / "files")
    settings = Settings(cache_dir=str(tmp_path / "cache"), index_workers=1)
    explorer = Explorer(Workspace.open(folder, settings=settings))
    try:
        return await explorer.explore(ExploreRequest(query=question, intent="locate"))
    finally:
        await explorer.close()
