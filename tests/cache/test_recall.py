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
from tests.cache.scripted import CountingJudge, content_of


async def ask(explorer: Explorer, query: str = QUESTION, **request: Any) -> Report:
    return await explorer.explore(ExploreRequest(query=query, **request))


async def test_repeated_question_is_judged_once(explorer: Explorer, judge: CountingJudge):
    first, again = await ask(explorer), await ask(explorer)
    assert judge.calls == 1
    assert content_of(again) == content_of(first)
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
    assert judge.calls == 2


@pytest.mark.parametrize("changed", [{"model": "other"}, {"observation_chars": 9000}])
async def test_changed_settings_are_judged_anew(
    explorer: Explorer, judge: CountingJudge, changed: dict[str, Any]
):
    await ask(explorer)
    explorer.workspace.settings = explorer.workspace.settings.model_copy(update=changed)
    await ask(explorer)
    assert judge.calls == 2


async def test_irrelevant_settings_do_not_change_the_key(explorer: Explorer, judge: CountingJudge):
    await ask(explorer)
    changed = {"report_chars": 900, "inlay_hints": True}
    explorer.workspace.settings = explorer.workspace.settings.model_copy(update=changed)
    await ask(explorer)
    assert judge.calls == 1


async def test_forced_refresh_overwrites_the_entry(explorer: Explorer, judge: CountingJudge):
    await ask(explorer)
    judge.confidence = "high"
    await ask(explorer, force_refresh=True)
    again = await ask(explorer)
    assert (judge.calls, again.confidence) == (2, "high")


@pytest.mark.parametrize(
    "fault",
    [{"confidence": "low"}, {"stop_reason": "wall_time"}, {"fails": True}],
)
async def test_incomplete_judgements_are_not_cached(
    explorer: Explorer, judge: CountingJudge, fault: dict[str, Any]
):
    for name, value in fault.items():
        setattr(judge, name, value)
    await ask(explorer)
    await ask(explorer)
    assert judge.calls == 2
    assert explorer.cache.entries() == []


async def test_new_file_that_answers_better_is_found(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    await ask(explorer)
    (shop / "placing.py").write_text(
        "def place_an_order(order):\n    '''How an order is placed.'''\n    return order\n"
    )
    report = await ask(explorer)
    assert judge.calls == 2
    assert "placing.py" in {each.path for each in report.primary}


async def test_restored_content_hits_the_cache_again(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    file = shop / "shop/orders.py"
    before = file.read_text()
    first = await ask(explorer)
    file.write_text(before.replace("save_order", "keep_order"))
    other = await ask(explorer)
    assert (judge.calls, content_of(other) == content_of(first)) == (2, False)
    file.write_text(before)
    assert content_of(await ask(explorer)) == content_of(first)
    assert judge.calls == 2


@pytest.mark.parametrize(
    ("searching", "entries"), [({"name": "conversation"}, 0), ({"searches": True}, 0), ({}, 1)]
)
async def test_judgement_with_a_search_is_cached_only_if_files_stayed(
    explorer: Explorer, judge: CountingJudge, shop: Path, searching: dict[str, Any], entries: int
):
    """A file added while the judge was working may contain what its search would find now."""
    for name, value in searching.items():
        setattr(judge, name, value)
    judge.meanwhile = lambda: (shop / "new.txt").write_text("Nothing of that kind.")
    await ask(explorer, judge=judge.name)
    assert len(explorer.cache.entries()) == entries
    judge.meanwhile = lambda: None
    await ask(explorer, judge=judge.name)
    (shop / "newer.txt").write_text("Nothing of that kind either.")
    await ask(explorer, judge=judge.name)
    assert entries or judge.calls == 3


async def test_judgement_with_a_search_depends_on_every_file(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    """If the judge searched, even a file that nobody read may contain what it would find now."""
    judge.name = "conversation"
    explorer.workspace.settings = explorer.workspace.settings.model_copy(
        update={"judge": "conversation"}
    )
    await ask(explorer)
    await ask(explorer)
    assert judge.calls == 1
    (shop / "other.txt").write_text("a refund is wired back\n")
    await ask(explorer)
    assert judge.calls == 2
    (shop / "other.txt").unlink()
    await ask(explorer)
    assert judge.calls == 2


LOG = "a refund was refused\n"


def read_log(workspace: Workspace) -> list[SymbolFound]:
    """Read an ignored file, which no search and no digest of the workspace covers."""
    source = workspace.read("run.log")
    lines = LineRange(start=1, end=len(source.lines))
    segment = source.segment(lines.start, lines.end)
    return [SymbolFound(path="run.log", range=lines, symbol=None, segment=segment)]


def list_log(workspace: Workspace) -> list[FileListed]:
    return [FileListed(path="run.log", size=len(LOG))]


@pytest.mark.parametrize("forgets", [False, True])
@pytest.mark.parametrize(
    ("looks_at", "new_text", "calls"),
    [
        (read_log, LOG, 1),
        (read_log, LOG.upper(), 2),
        (read_log, None, 2),
        (list_log, LOG.upper(), 1),
        (list_log, None, 2),
    ],
)
async def test_entry_is_reused_only_if_files_the_judge_read_are_unchanged(
    explorer: Explorer,
    judge: CountingJudge,
    shop: Path,
    looks_at: Callable[[Workspace], list[SymbolFound] | list[FileListed]],
    new_text: str | None,
    calls: int,
    forgets: bool,
):
    (shop / ".gitignore").write_text("*.log")
    (shop / "run.log").write_text(LOG)
    judge.looks_at, judge.forgets = looks_at, forgets
    first = await ask(explorer)
    assert (first.primary[0].path == "run.log") != forgets
    if new_text is None:
        (shop / "run.log").unlink()
        judge.looks_at = lambda workspace: ()
    else:
        (shop / "run.log").write_text(new_text)
    again = await ask(explorer)
    assert judge.calls == calls
    assert calls > 1 or content_of(again) == content_of(first)


async def test_judgement_is_not_cached_if_its_file_changed_meanwhile(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    (shop / ".gitignore").write_text("*.log")
    (shop / "run.log").write_text(LOG)
    judge.looks_at = read_log
    judge.meanwhile = lambda: (shop / "run.log").write_text(LOG.upper())
    await ask(explorer)
    assert explorer.cache.entries() == []


async def test_judgement_with_missing_evidence_is_not_cached(
    explorer: Explorer, judge: CountingJudge
):
    for calls in (1, 2):
        report = await ask(explorer, follow_up=FollowUp(report_id="gone"))
        assert report.notes
        assert judge.calls == calls
    assert explorer.cache.entries() == []


async def test_unsaved_text_is_part_of_the_key(
    explorer: Explorer, judge: CountingJudge, shop: Path
):
    await ask(explorer)
    text = (shop / "shop/orders.py").read_text()
    explorer.workspace.overlays.set("shop/orders.py", text.replace("save_order", "keep_order"))
    assert "keep_order" in (await ask(explorer)).to_json()
    assert judge.calls == 2
    explorer.workspace.overlays.discard("shop/orders.py")
    await ask(explorer)
    assert judge.calls == 2


async def test_follow_up_is_keyed_by_the_earlier_places(explorer: Explorer, judge: CountingJudge):
    first = await ask(explorer)
    again = await ask(explorer)
    for report in (first, again):
        await ask(explorer, "And then?", follow_up=FollowUp(report_id=report.id))
    assert judge.calls == 2


async def test_stale_entry_is_a_counted_miss(explorer: Explorer, judge: CountingJudge, shop: Path):
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
    assert (judge.calls, len(explorer.cache.entries())) == (3, 3)


async def test_the_offline_judge_is_not_cached(explorer: Explorer, judge: CountingJudge):
    judge.name = "offline"
    report = await ask(explorer, "How does place_order confirm?", judge="offline")
    assert report.judge == "offline"
    assert report.confidence != "low"
    assert not explorer.cache.folder.exists()


async def test_unwritable_cache_only_costs_time(
    explorer: Explorer, judge: CountingJudge, caplog: pytest.LogCaptureFixture
):
    explorer.cache.folder.parent.mkdir(parents=True, exist_ok=True)
    explorer.cache.folder.write_text("a file where the folder should be")
    assert (await ask(explorer)).links
    assert (await ask(explorer)).links
    assert judge.calls == 2
    assert "not in the cache" in caplog.text
