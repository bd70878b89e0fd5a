"""When a cached judgement is reused, and when it is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer_core.contracts import (
    ExploreRequest,
    FileListed,
    FollowUp,
    LineRange,
    Report,
    SymbolFound,
)
from explorer_core.explorations import ExplorationLog
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.cache.conftest import QUESTION
from tests.cache.scripted import CountingJudge, said


async def ask(explorer: Explorer, query: str = QUESTION, **request: Any) -> Report:
    return await explorer.explore(ExploreRequest(query=query, **request))


async def test_the_same_question_is_judged_once(explorer: Explorer, judge: CountingJudge):
    first, again = await ask(explorer), await ask(explorer)
    assert judge.asked == 1
    assert said(again) == said(first)
    assert first.links
    assert again.id != first.id
    assert again.usage.input_tokens == 0
    assert "cache" in again.elapsed_ms
    assert "judge" not in again.elapsed_ms


@pytest.mark.parametrize(
    "changed",
    [
        {"query": "How is an order saved?"},
        {"intent": "edit"},
        {"scope": ("shop/**",)},
        {"keywords": ("basket",)},
        {"force_refresh": True},
    ],
)
async def test_another_question_is_judged_anew(
    explorer: Explorer, judge: CountingJudge, changed: dict[str, Any]
):
    await ask(explorer)
    await ask(explorer, **changed)
    assert judge.asked == 2


@pytest.mark.parametrize("changed", [{"model": "other"}, {"observation_chars": 9000}])
async def test_other_settings_are_another_key(
    explorer: Explorer, judge: CountingJudge, changed: dict[str, Any]
):
    await ask(explorer)
    explorer.workspace.settings = explorer.workspace.settings.model_copy(update=changed)
    await ask(explorer)
    assert judge.asked == 2


async def test_settings_that_do_not_matter_do_not_count(explorer: Explorer, judge: CountingJudge):
    await ask(explorer)
    changed = {"report_chars": 900, "inlay_hints": True}
    explorer.workspace.settings = explorer.workspace.settings.model_copy(update=changed)
    await ask(explorer)
    assert judge.asked == 1


async def test_a_refresh_overwrites(explorer: Explorer, judge: CountingJudge):
    await ask(explorer)
    judge.confidence = "high"
    await ask(explorer, force_refresh=True)
    again = await ask(explorer)
    assert (judge.asked, again.confidence) == (2, "high")


@pytest.mark.parametrize(
    "fault",
    [{"confidence": "low"}, {"stop_reason": "wall_time"}, {"fails": True}],
)
async def test_what_is_not_whole_is_not_kept(
    explorer: Explorer, judge: CountingJudge, fault: dict[str, Any]
):
    for name, value in fault.items():
        setattr(judge, name, value)
    await ask(explorer)
    await ask(explorer)
    assert judge.asked == 2
    assert explorer.cache.entries() == []


async def test_a_file_that_answers_better_is_seen(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    await ask(explorer)
    (shop / "placing.py").write_text(
        "def place_an_order(order):\n    '''How an order is placed.'''\n    return order\n"
    )
    report = await ask(explorer)
    assert judge.asked == 2
    assert "placing.py" in {each.path for each in report.primary}


async def test_a_hit_returns_when_the_content_returns(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    file = shop / "shop/orders.py"
    before = file.read_text()
    first = await ask(explorer)
    file.write_text(before.replace("save_order", "keep_order"))
    other = await ask(explorer)
    assert (judge.asked, said(other) == said(first)) == (2, False)
    file.write_text(before)
    assert said(await ask(explorer)) == said(first)
    assert judge.asked == 2


@pytest.mark.parametrize(
    ("searching", "kept"), [({"name": "conversation"}, 0), ({"searches": True}, 0), ({}, 1)]
)
async def test_what_was_searched_is_kept_only_of_files_that_stayed(
    explorer: Explorer, judge: CountingJudge, shop: Path, searching: dict[str, Any], kept: int
):
    """A file added while the judge was working may contain what its search would find now."""
    for name, value in searching.items():
        setattr(judge, name, value)
    judge.meanwhile = lambda: (shop / "new.txt").write_text("Nothing of that kind.")
    await ask(explorer, judge=judge.name)
    assert len(explorer.cache.entries()) == kept
    judge.meanwhile = lambda: None
    await ask(explorer, judge=judge.name)
    (shop / "newer.txt").write_text("Nothing of that kind either.")
    await ask(explorer, judge=judge.name)
    assert kept or judge.asked == 3


async def test_a_search_is_bound_to_every_file(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    """If the judge searched, even a file that nobody read may contain what it would find now."""
    judge.name = "conversation"
    explorer.workspace.settings = explorer.workspace.settings.model_copy(
        update={"judge": "conversation"}
    )
    await ask(explorer)
    await ask(explorer)
    assert judge.asked == 1
    (shop / "other.txt").write_text("a refund is wired back\n")
    await ask(explorer)
    assert judge.asked == 2
    (shop / "other.txt").unlink()
    await ask(explorer)
    assert judge.asked == 2


LOG = "a refund was refused\n"


def read_log(workspace: Workspace) -> list[SymbolFound]:
    """Read an ignored file, which no search and no digest of the workspace covers."""
    source = workspace.read("run.log")
    lines = LineRange(start=1, end=len(source.lines))
    segment = source.segment(lines.start, lines.end)
    return [SymbolFound(path="run.log", range=lines, symbol=None, segment=segment)]


def listed_log(workspace: Workspace) -> list[FileListed]:
    return [FileListed(path="run.log", size=len(LOG))]


@pytest.mark.parametrize("forgets", [False, True])
@pytest.mark.parametrize(
    ("looks_at", "after", "asked"),
    [
        (read_log, LOG, 1),
        (read_log, LOG.upper(), 2),
        (read_log, None, 2),
        (listed_log, LOG.upper(), 1),
        (listed_log, None, 2),
    ],
)
async def test_what_the_judge_looked_at_by_itself_is_as_it_was(
    explorer: Explorer,
    judge: CountingJudge,
    shop: Path,
    looks_at: Callable[[Workspace], list[SymbolFound] | list[FileListed]],
    after: str | None,
    asked: int,
    forgets: bool,
):
    (shop / ".gitignore").write_text("*.log")
    (shop / "run.log").write_text(LOG)
    judge.looks_at, judge.forgets = looks_at, forgets
    first = await ask(explorer)
    assert (first.primary[0].path == "run.log") != forgets
    if after is None:
        (shop / "run.log").unlink()
        judge.looks_at = lambda workspace: ()
    else:
        (shop / "run.log").write_text(after)
    again = await ask(explorer)
    assert judge.asked == asked
    assert asked > 1 or said(again) == said(first)


async def test_what_changed_while_it_was_looked_at_is_not_kept(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    (shop / ".gitignore").write_text("*.log")
    (shop / "run.log").write_text(LOG)
    judge.looks_at = read_log
    judge.meanwhile = lambda: (shop / "run.log").write_text(LOG.upper())
    await ask(explorer)
    assert explorer.cache.entries() == []


async def test_an_answer_that_lacks_evidence_is_not_kept(explorer: Explorer, judge: CountingJudge):
    for asked in (1, 2):
        report = await ask(explorer, follow_up=FollowUp(report_id="gone"))
        assert report.notes
        assert judge.asked == asked
    assert explorer.cache.entries() == []


async def test_unsaved_text_counts(explorer: Explorer, judge: CountingJudge, shop: Path):
    await ask(explorer)
    text = (shop / "shop/orders.py").read_text()
    explorer.workspace.overlays.set("shop/orders.py", text.replace("save_order", "keep_order"))
    assert "keep_order" in (await ask(explorer)).to_json()
    assert judge.asked == 2
    explorer.workspace.overlays.discard("shop/orders.py")
    await ask(explorer)
    assert judge.asked == 2


async def test_a_follow_up_is_found_by_its_places(explorer: Explorer, judge: CountingJudge):
    first = await ask(explorer)
    again = await ask(explorer)
    for report in (first, again):
        await ask(explorer, "And then?", follow_up=FollowUp(report_id=report.id))
    assert judge.asked == 2


async def test_a_stale_entry_is_a_miss_and_counted(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    """The evidence is unchanged, but something else that the judge looked at has changed."""
    log = ExplorationLog.of(explorer.workspace.settings)

    def outcome() -> tuple[str, int]:
        *_, last = log.events()
        return last.cache, last.stale_misses

    judge.name = "conversation"
    await ask(explorer)
    assert outcome() == ("miss", 0)
    (shop / "other.txt").write_text("zebras\n")
    await ask(explorer)
    assert outcome() == ("miss", 1)
    (shop / "other.txt").write_text("giraffes\n")
    await ask(explorer)
    assert outcome() == ("miss", 2)
    await ask(explorer)
    assert outcome() == ("hit", 0)  # the most recently used entry is tried first
    (shop / "other.txt").unlink()
    await ask(explorer)
    assert outcome() == ("hit", 2)
    assert (judge.asked, len(explorer.cache.entries())) == (3, 3)


async def test_the_offline_judge_is_not_cached(explorer: Explorer, judge: CountingJudge):
    judge.name = "offline"
    report = await ask(explorer, "How does place_order confirm?", judge="offline")
    assert report.judge == "offline"
    assert report.confidence != "low"
    assert not explorer.cache.folder.exists()


async def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    explorer: Explorer, judge: CountingJudge, caplog: pytest.LogCaptureFixture
):
    explorer.cache.folder.parent.mkdir(parents=True, exist_ok=True)
    explorer.cache.folder.write_text("a file where the folder should be")
    assert (await ask(explorer)).links
    assert (await ask(explorer)).links
    assert judge.asked == 2
    assert "not in the cache" in caplog.text
