"""Names below a question's title, such as keywords, in answers to locate or change something.

They may be wrong guesses, or examples.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Intent, Report
from tests.judges.test_change import FIVE, NEW, TOTAL, rules
from tests.judges.test_offline import answer_request

OTHERS = "".join(f"//- others/other_{at}.py\ndef other_{at}(): ...\n" for at in range(8))
BACKUPS = f"""
//- backup/service.py
from backup.kinds import ArchiveKind

class NightlyService:
    backup_folder = "here"

    def copy(self, database):
        # Where the backup of the database is made.
        return database.dump(ArchiveKind.full, self.backup_folder)
//- backup/kinds.py
from enum import Enum

class ArchiveKind(Enum):
    full = 1
//- backup/plan.py
from backup.service import NightlyService

def every_night(service: NightlyService, database):
    service.copy(database)
//- tokens/token.py
class Token:
    expires_at = 0

    def is_over(self, now):
        return now > self.expires_at
{OTHERS}"""
WHERE = "Where is the backup of the database made?"


async def answer_with_keywords(
    tmp_path: Path, fixture: str, question: str, keywords: tuple[str, ...], intent: Intent
) -> Report:
    request = ExploreRequest(query=question, keywords=keywords, intent=intent)
    return await answer_request(request, tmp_path, fixture)


@pytest.mark.parametrize("intent", ["locate", "edit"])
@pytest.mark.parametrize(
    ("question", "keywords", "first"),
    [
        (WHERE, (), "NightlyService.copy"),
        # The type that contains the best ranked definition, unrelated data, data next to it, and a
        # name that does not exist.
        (WHERE, ("NightlyService",), "NightlyService.copy"),
        (WHERE, ("expires_at",), "NightlyService.copy"),
        (WHERE, ("Token.is_over", "backup_folder"), "NightlyService.backup_folder"),
        (WHERE, ("make_the_backup",), "NightlyService.copy"),
        # A name in the title is the subject.
        ("Where is expires_at, and the backup made?", (), "Token.expires_at"),
        ("Where is expires_at, and the backup made?", ("NightlyService",), "Token.expires_at"),
    ],
)
async def test_name_below_the_title_is_the_subject_if_ranking_agrees(
    tmp_path: Path, question: str, keywords: tuple[str, ...], intent: Intent, first: str
):
    report = await answer_with_keywords(tmp_path, BACKUPS, question, keywords, intent)
    facts = [link.fact for link in report.links if link.role == "definition"]
    assert [fact.startswith(f"`{first}`") for fact in facts] == [True], facts


@pytest.mark.parametrize(
    ("keywords", "intent", "facts"),
    [
        (
            ("ArchiveKind", "Token"),
            "edit",
            ["`ArchiveKind` is referred to by `NightlyService.copy`."],
        ),
        (("ArchiveKind",), "locate", []),
        (("Token",), "edit", []),
        (("NightlyService",), "edit", []),
    ],
)
async def test_other_named_symbols_are_shown_for_a_change_if_connected(
    tmp_path: Path, keywords: tuple[str, ...], intent: Intent, facts: list[str]
):
    report = await answer_with_keywords(tmp_path, BACKUPS, WHERE, keywords, intent)
    assert [link.fact for link in report.links if link.path == "backup/kinds.py"] == facts
    assert not any(link.path == "tokens/token.py" for link in report.links)
    read_paths = [each.path for each in report.read_targets]
    assert read_paths[0] == "backup/service.py"
    assert ("backup/kinds.py" in read_paths) == bool(facts)


WEIGHED = f"""
//- shop/counter.py
from shop.scale import ParcelScale

class Counter:
    def __init__(self, scale: ParcelScale):
        self.scale = scale

    def how_heavy(self, parcel):
        # How heavy the parcel on the counter is.
        return self.scale.read(parcel)
//- shop/scale.py
class ParcelScale:
    limit = 30

    def read(self, parcel):
        return parcel.grams
{OTHERS}"""


async def test_caller_of_a_member_does_not_describe_the_whole_type(tmp_path: Path):
    question = "What do I touch to change how heavy the parcel on the counter is?"
    report = await answer_with_keywords(tmp_path, WEIGHED, question, ("ParcelScale",), "edit")
    facts_and_quotes = [
        (link.fact, link.quote) for link in report.links if link.path == "shop/scale.py"
    ]
    assert facts_and_quotes
    assert all("read" in quote for fact, quote in facts_and_quotes if "ParcelScale.read" in fact)


@pytest.mark.parametrize(
    ("question", "keywords", "registered"),
    [
        (NEW, ("Tabs",), True),
        (NEW, ("LintRule", "Quotes", "Names"), True),
        ("Let the lint rule for tabs allow a new one", ("LintRule",), False),
        ("Touch a new path", ("lint", "rule"), False),
    ],
)
async def test_keyword_may_be_an_example_of_the_family_in_the_title(
    tmp_path: Path, question: str, keywords: tuple[str, ...], *, registered: bool
):
    report = await answer_with_keywords(tmp_path, rules(*FIVE), question, keywords, "edit")
    assert any(TOTAL in link.fact for link in report.links) == registered


STORE = f"""{OTHERS}
//- shop/Store.java
interface Store {{ void persistAll(); }}
//- shop/DiskStore.java
class DiskStore implements Store {{ public void persistAll() {{ Disk.write("disk"); }} }}
//- shop/Shop.java
class Shop {{ void close(Store store) {{ store.persistAll(); }} }}
"""
CLOUD = """//- shop/CloudStore.java
class CloudStore implements Store { public void persistAll() { System.out.println("cloud"); } }
"""


@pytest.mark.parametrize(
    ("fixture", "intent", "first"),
    [
        (STORE, "locate", "DiskStore.persistAll"),
        (STORE, "edit", "Store.persistAll"),
        (STORE + CLOUD, "locate", "Store.persistAll"),
    ],
)
async def test_locate_prefers_the_only_body_over_its_declaration(
    tmp_path: Path, fixture: str, intent: Intent, first: str
):
    report = await answer_with_keywords(
        tmp_path, fixture, "Where does persistAll persist?", (), intent
    )
    assert report.links[0].fact.startswith(f"`{first}`")
    assert "`Shop.close`" in " ".join(link.fact for link in report.links)


async def test_long_type_is_described_at_its_head_not_by_members(tmp_path: Path):
    rest = "".join(f"        self.sweep({at})\n" for at in range(40))
    fixture = f"""
//- attic.py
class DustyAttic:
    room = "attic"

    def join(self, other: "DustyAttic") -> "DustyAttic":
{rest}
        return self.find_where_the_dusty_attic_is(other)

    def find_where_the_dusty_attic_is(self, other):
{rest}
        return other
{OTHERS}//- house.py
from attic import DustyAttic

def build(house):
    house.attic = DustyAttic()
"""
    report = await answer_with_keywords(tmp_path, fixture, "Where is the DustyAttic?", (), "locate")
    assert report.links[0].range.start == 1
    assert "where_the_dusty_attic_is" not in report.links[0].quote
    users = [link.fact for link in report.links if link.role == "user"]
    assert users == ["`build` creates `DustyAttic`."]


PUSHES = f"""
//- hook/receive.py
from hook.close import close_by_text, note_mention, seal
from hook.read import read_batch

def take_the_push(push):
    # What happens when a push arrives with its batch.
    batch = read_batch(push)
    for each in batch:
        note_mention(each)
        close_by_text(each)
        seal(each)
//- hook/read.py
def read_batch(push):
    # The batch of a push, as it arrives.
    return push.batch_of_the_push()
//- hook/close.py
def close_by_text(entry):
    entry.table.write("done")

def note_mention(entry):
    entry.table.write("seen")

def never_called(entry):
    entry.table.write("late")

def shut(entry):
    entry.table.write("shut")

def seal(entry):
    entry.table.write("sealed")

class PaperRoll:
    def row(self): ...
//- hook/old.py
def drop_push(push):
    # When a push arrives without a batch.
    push.gone = True
{OTHERS}"""


@pytest.mark.parametrize(
    ("keywords", "named"),
    [
        ((), set[str]()),
        (("close_by_text",), {"close_by_text"}),
        (("close_by_text", "note_mention"), {"close_by_text", "note_mention"}),
        # No call joins it to the best: named by its whole name of several words, or by one word.
        (("never_called",), {"never_called"}),
        (("shut", "never"), set[str]()),
        # By one word, but a step calls it.
        (("shut", "seal"), {"seal"}),
        # For a type, its members explain how something works.
        (("PaperRoll",), set[str]()),
    ],
)
async def test_functions_named_by_keywords_are_shown_if_connected(
    tmp_path: Path, keywords: tuple[str, ...], named: set[str]
):
    question = "What happens when a push arrives with its batch?"
    report = await answer_with_keywords(tmp_path, PUSHES, question, keywords, "explain")
    shown_names = set(chain.from_iterable(link.fact.split("`")[1::2] for link in report.links))
    assert "take_the_push" in shown_names
    keyword_names = {"close_by_text", "note_mention", "never_called", "shut", "seal", "PaperRoll"}
    assert shown_names & keyword_names == named


@pytest.mark.parametrize("keywords", [(), ("PaperRoll",), ("Paper",)])
async def test_type_named_by_a_keyword_is_shown_for_a_change(
    tmp_path: Path, keywords: tuple[str, ...]
):
    question = "I want to note when a push arrives with its batch."
    report = await answer_with_keywords(tmp_path, PUSHES, question, keywords, "edit")
    shown = any("`PaperRoll`" in link.fact for link in report.links)
    assert shown == ("PaperRoll" in keywords)
