"""What is logged about an exploration, and what is not."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Settings, StopReason
from explorer_core.explorations import Exploration, ExplorationLog, summary
from explorer_core.workspace import Workspace
from tests.commands import Sightline, environment, sightline
from tests.judges.conftest import QUESTION, Ask
from tests.judges.test_conversation import report, steps
from tests.model_server.script import (
    Fault,
    Prompt,
    Scripted,
    Turn,
    calls,
    says,
    slowly,
    submits,
    turn,
)
from tests.model_server.server import ModelServer
from tests.workers import explorer_of

__all__ = ["sightline"]
EVENT = Exploration.model_validate(
    {
        "at": "2026-01-01T00:00:00Z",
        "version": "1",
        "root": "/shop",
        "intent": "explain",
        "asked": "conversation",
        "judge": "conversation",
        "stopReason": "completed",
    }
)
FELL_BACK = EVENT.model_copy(update={"judge": "offline", "stop_reason": "model_error"})
OFFLINE = EVENT.model_copy(update={"asked": "offline", "judge": "offline"})
CANCELLED = EVENT.model_copy(update={"judge": None, "stop_reason": "cancelled"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


async def explore_and_read_event(
    ask: Ask, folder: Path, script: list[Scripted], **changed: object
) -> Exploration:
    """Run one exploration and return its logged event."""
    await ask(script, cache_dir=str(folder), **changed)
    (event,) = ExplorationLog(folder).events()
    return event


async def test_conversation_is_logged(ask: Ask, folder: Path):
    def flawed(prompt: Prompt) -> Turn:
        first, *rest = steps(prompt)
        return turn(submits([first | {"quote": "nowhere()"}, *rest]))

    bad = turn(calls("submit_report", confidence="certain"))
    looks = [turn(calls("grep", pattern="save")), turn(calls("grep", pattern="save"))]
    event = await explore_and_read_event(ask, folder, [*looks, bad, flawed, flawed])
    assert (event.asked, event.judge, event.model) == ("conversation", "conversation", "scripted")
    assert (event.repairs, event.rounds) == (1, 1)
    assert [step.shown > 0 for step in event.yields] == [True, True]
    assert event.yields[1].new == 0
    assert 0 < (summary([event]).duplicate_yield or 0) <= 1
    assert [(each.what, each.why) for each in event.dropped] == [("link", "fact_unverified")]
    assert event.fact_unverified == 1
    assert event.usage.steps == len(event.yields)
    assert event.usage.output_tokens == 100
    assert event.usage.cached_tokens > 0
    assert event.observation_tokens > event.report_tokens / 4 > 0
    assert {"retrieve", "judge", "validate"} <= event.elapsed_ms.keys()
    assert (event.fell_back, event.cache, event.diagnostics_in_report) == (False, "miss", 0)


async def test_packet_is_logged(ask: Ask, folder: Path):
    def answer(prompt: Prompt, **fields: object) -> Turn:
        return turn(says(json.dumps(submits(steps(prompt), **fields)["input"])))

    wish = {"roleGap": "who mails", "targetedQueries": ["confirm"]}
    script: list[Scripted] = [
        lambda prompt: answer(prompt, needMoreEvidence=wish),
        lambda prompt: answer(prompt, confidence="sure"),
        answer,
    ]
    event = await explore_and_read_event(ask, folder, script, judge="packet")
    assert (event.judge, event.rounds, event.repairs) == ("packet", 1, 1)


async def test_fallback_is_logged(ask: Ask, folder: Path):
    look = turn(calls("grep", pattern="save"))
    event = await explore_and_read_event(ask, folder, [look, Fault(400, "invalid_request_error")])
    assert (event.fell_back, event.stop_reason) == (True, "model_error")
    assert (event.confidence, event.diagnostics_in_report) == ("low", 1)
    assert (event.usage.output_tokens, len(event.yields)) == (20, 1)


async def test_offline_exploration_is_logged(ask: Ask, folder: Path):
    event = await explore_and_read_event(ask, folder, [], judge="offline")
    assert (event.fell_back, event.model, event.yields) == (False, None, ())
    assert event.report_tokens > 0
    assert event.observation_tokens > 0


async def test_cancelled_exploration_is_logged(ask: Ask, server: ModelServer, folder: Path):
    act = slowly(turn(says("word " * 100)), 0.1)
    server.plays([])
    exploring = asyncio.create_task(ask([], then=act, cache_dir=str(folder)))
    await asyncio.to_thread(server.first_request.wait, 10)
    exploring.cancel()
    with pytest.raises(asyncio.CancelledError):
        await exploring
    (event,) = ExplorationLog(folder).events()
    assert (event.stop_reason, event.asked, event.report) == ("cancelled", "conversation", None)
    assert not event.fell_back


async def test_cache_outcome_is_logged(
    shop: Path, server: ModelServer, settings: Settings, folder: Path
):
    server.plays([report, report])
    chosen = settings.model_copy(update={"cache_dir": str(folder)})
    explorer = explorer_of(Workspace.open(shop, settings=chosen))
    try:
        for force in (False, False, True):
            await explorer.explore(ExploreRequest(query=QUESTION, force_refresh=force))
    finally:
        await explorer.close()
    events = list(ExplorationLog(folder).events())
    assert [event.cache for event in events] == ["miss", "hit", "unused"]
    assert [event.usage.output_tokens for event in events] == [20, 0, 20]


@pytest.mark.parametrize("judge", ["conversation", "offline"])
async def test_log_contains_neither_question_nor_code(ask: Ask, folder: Path, judge: str):
    run = await ask([report], cache_dir=str(folder), judge=judge)
    written = ExplorationLog(folder).file.read_text()
    assert run.report.id in written
    assert QUESTION not in written
    for link in run.report.links:
        for private in (link.path, link.quote, link.fact):
            assert private not in written


SCRIPTS_BY_STOP_REASON: dict[StopReason, tuple[list[Scripted], dict[str, object]]] = {
    "completed": ([report], {}),
    "steps": ([turn(calls("grep", pattern="x")), report], {"conversation_steps": 1}),
    "observation_chars": ([report], {"observation_chars": 1_000}),
    "output_tokens": (
        [turn(calls("grep", pattern="save"), output_tokens=1_500), report],
        {"conversation_output_tokens": 4_000},
    ),
    "wall_time": ([slowly(turn(says("well " * 90)), 0.5)], {"conversation_time_s": 0.6}),
    "low_yield": ([turn(calls("grep", pattern="save"))] * 3 + [report], {}),
    "no_report": ([turn(says("So."))] * 2, {}),
    "refused": ([Turn((says("No."),), stop_reason="refusal")], {}),
    "model_error": ([Fault(401, "authentication_error")], {}),
}


@pytest.mark.parametrize("reason", SCRIPTS_BY_STOP_REASON)
async def test_every_stop_reason_is_reached_and_logged(ask: Ask, folder: Path, reason: StopReason):
    """Except ``cancelled``, which no report can have; it is tested above."""
    script, changed = SCRIPTS_BY_STOP_REASON[reason]
    assert (await explore_and_read_event(ask, folder, script, **changed)).stop_reason == reason


# the log


def test_events_are_read_back(folder: Path):
    log = ExplorationLog(folder)
    assert list(log.events()) == []
    elsewhere = EVENT.model_copy(update={"root": "/elsewhere"})
    for event in (EVENT, elsewhere, FELL_BACK):
        log.append(event)
    assert list(log.events()) == [EVENT, elsewhere, FELL_BACK]
    assert list(log.events("/shop")) == [EVENT, FELL_BACK]


def test_the_log_is_bounded_and_keeps_the_newest(folder: Path):
    log = ExplorationLog(folder, file_bytes=2_000)
    made = [EVENT.model_copy(update={"rounds": n}) for n in range(1, 200)]
    for event in made:
        log.append(event)
    kept = list(log.events())
    assert kept == made[-len(kept) :]
    assert len(kept) > 5
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 4_000


@pytest.mark.parametrize("damage", [b"{", b"\xff\xfe\0", b"{}\n", b"null\n" * 3, b"\n\n"])
def test_damaged_lines_are_skipped(folder: Path, damage: bytes):
    log = ExplorationLog(folder)
    log.append(EVENT)
    with log.file.open("ab") as stream:
        stream.write(damage + b"\n")
    log.append(FELL_BACK)
    assert list(log.events()) == [EVENT, FELL_BACK]


def test_unwritable_folder_is_no_error(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("")
    log = ExplorationLog(file / "cache")
    log.append(EVENT)
    assert list(log.events()) == []


@pytest.mark.parametrize(
    ("events", "share", "alarm"),
    [
        ([], None, False),
        ([OFFLINE] * 9, None, False),
        ([FELL_BACK], 1.0, False),
        ([FELL_BACK, *[EVENT] * 9], 0.1, False),
        ([FELL_BACK, *[EVENT] * 8], 1 / 9, True),
        ([FELL_BACK, *[EVENT] * 8, *[OFFLINE] * 100], 1 / 9, True),
        ([FELL_BACK, *[EVENT] * 9, *[CANCELLED] * 9], 0.1, False),
        ([FELL_BACK] * 5, 1.0, True),
    ],
)
def test_more_than_one_fallback_in_ten_is_an_alarm(
    events: list[Exploration], share: float | None, alarm: bool
):
    result = summary(events)
    assert (result.fallback_share, result.alarm) == (share, alarm)
    assert result.explorations == len(events)


# where it is shown


def test_status_and_doctor_show_the_logged_explorations(
    tmp_path: Path, sightline: Sightline, shop: Path
):
    cache = Path(environment(tmp_path)["SIGHTLINE_CACHE_DIR"])
    text = sightline("status", "-w", str(shop)).stdout
    assert b"explorations: 0" in text
    expensive = {"usage": EVENT.usage.model_copy(update={"cost_usd": 0.02, "input_tokens": 1_234})}
    for event in [EVENT.model_copy(update=expensive), *[FELL_BACK] * 5]:
        ExplorationLog(cache).append(event.model_copy(update={"root": str(shop)}))
    text = sightline("status", "-w", str(shop)).stdout.decode()
    assert "with a model: 6 (ended by model_error 5, completed 1); 1,234 tokens in" in text
    assert "$0.0200" in text
    assert "offline instead: 5 (83%): too many" in text
    status = json.loads(sightline("status", "-w", str(shop), "--json").stdout)
    assert status["explorations"]["alarm"] is True
    assert status["explorations"]["stopReasons"] == [["model_error", 5], ["completed", 1]]
    diagnosis = sightline("doctor").stdout.decode()
    assert "note  explorations: 6 logged, 6 with a model, 5 of which fell back" in diagnosis
