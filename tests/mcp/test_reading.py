"""Reading lines of a report whose files have changed since."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import LineRange, ReadTarget
from lsp_server.mcp.kept import KeptReport, LineChange
from lsp_server.mcp.reading import check_lines_exist, read_answer
from lsp_server.protocol import BadRequest
from tests.golden import golden
from tests.mcp.conftest import OpenClient
from tests.mcp.test_tools import call

PATH = "shop/late.py"
TOP = [f"# {number}" for number in range(1, 31)]
LATE = ["def deliver_late(order):", "    sent = send(order)", "    return sent"]
OTHER = ["def deliver_early(order):", "    return order"]
BEFORE = [*TOP, *LATE, "", *OTHER]


def kept_report(quote: str = "sent = send(order)") -> KeptReport:
    """A report with a link to `LATE`, whose second line it quotes, and to the code below it."""
    report = golden("explain")
    link = report.links[0].model_copy(
        update={
            "path": PATH,
            "range": LineRange(start=31, end=33),
            "quote": quote,
            "quote_range": LineRange(start=32, end=32),
            "hop": None,
        }
    )
    below = ReadTarget(
        id="c2", path=PATH, range=LineRange(start=35, end=36), purpose="", required=False
    )
    places = {"links": (link,), "primary": (), "read_targets": (below,)}
    report = report.model_copy(update=places)
    return KeptReport.of(report, "/w", {PATH: BEFORE})


@pytest.mark.parametrize(
    ("now", "change"),
    [
        (BEFORE, LineChange()),
        ([*BEFORE, "# more"], LineChange()),
        ([*TOP, *LATE, "", "# another", *OTHER], LineChange()),
        (["# new"] * 25 + BEFORE, LineChange(25)),
        ([*TOP[7:], *LATE], LineChange(-7)),
        (["# new", *TOP, LATE[0], LATE[1], "    return 1"], LineChange(1, is_changed=True)),
        ([*TOP, LATE[0], LATE[1], "    return 1"], LineChange(0, is_changed=True)),
        ([*TOP, LATE[0], "    return 1", "", *OTHER], LineChange(0, is_changed=True)),
        ([*TOP, *LATE, "", OTHER[0]], LineChange()),
        ([*TOP, *OTHER, "", *OTHER], LineChange(0, is_changed=True)),
        ([*OTHER, *LATE, *LATE, *BEFORE], LineChange(0, is_changed=True)),
        ([], LineChange(0, is_changed=True)),
    ],
)
@pytest.mark.parametrize("wanted", [(31, 33), (32, 32), (20, 33), (31, 40)])
def test_changes_to_listed_lines_are_detected(
    now: list[str], change: LineChange, wanted: tuple[int, int]
):
    assert kept_report().change_of(PATH, *wanted, now) == change


@pytest.mark.parametrize(
    ("now", "change"),
    [
        (["# new", *BEFORE[:-1], "    return 2"], LineChange(1, is_changed=True)),
        ([*BEFORE[:-1], "    return 2"], LineChange(0, is_changed=True)),
        ([*BEFORE, *LATE, "    return 2"], LineChange()),
    ],
)
def test_lines_above_locate_changed_lines(now: list[str], change: LineChange):
    assert kept_report().change_of(PATH, 35, 36, now) == change


def test_no_change_is_known_of_unlisted_files():
    assert kept_report().change_of("shop/other.py", 31, 33, []) == LineChange()


@pytest.mark.parametrize(
    ("change", "shown", "note", "rest"),
    [
        (LineChange(), (1, 400), None, 401),
        (LineChange(25), (26, 425), "moved by +25 lines", 401),
        (LineChange(-3), (1, 398), "moved by -3 lines", None),
        (LineChange(5, is_changed=True), (6, 405), "changed, and moved by +5 lines", 401),
        (LineChange(is_changed=True), (1, 400), "These lines changed after the report.", 401),
    ],
)
def test_read_answer_notes_moved_and_changed_lines(
    change: LineChange, shown: tuple[int, int], note: str | None, rest: int | None
):
    lines = [str(number) for number in range(1, 601)]
    text, answer = read_answer("/w", "a.txt", (1, 401), lines, change)
    assert (answer.start, answer.end) == shown
    assert (note or "") in (answer.note or "")
    assert (answer.note is None) == (note is None) == ("Note: " not in text)
    assert text.endswith(f"continue at line {rest}." if rest else f"| {shown[1]}")


@pytest.mark.parametrize(
    ("wanted", "now", "is_there"),
    [
        ((12, 15), BEFORE, True),
        ((12, 15), BEFORE[10:], True),
        ((12, 15), BEFORE[14:], True),
        ((12, 15), BEFORE[15:], False),
        ((12, 15), BEFORE[30:], False),
        ((34, 40), BEFORE[:33], False),
        ((33, 40), BEFORE[:33], True),
        ((1, 1), [], False),
    ],
)
def test_deleted_lines_are_refused(wanted: tuple[int, int], now: list[str], is_there: bool):
    change = kept_report().change_of(PATH, *wanted, now)
    current_lines = wanted[0] + change.moved_by, wanted[1] + change.moved_by
    if not is_there:
        with pytest.raises(BadRequest, match="no longer those requested"):
            check_lines_exist(PATH, *current_lines, now)
        return
    check_lines_exist(PATH, *current_lines, now)
    _, answer = read_answer("/w", PATH, wanted, now, change)
    assert list(answer.lines) == now[max(current_lines[0] - 1, 0) : current_lines[1]] != []


async def test_moved_lines_are_read_at_their_new_place(open_client: OpenClient, shop: Path):
    file = shop / PATH
    file.write_text("\n".join(BEFORE))
    async with open_client() as client:
        _, report = await call(client, "explore_code", query="deliver_late")
        place = {"path": PATH, "start": 31, "end": 33, "around": 0}
        file.write_text("\n".join(["# new"] * 25 + BEFORE))
        text, read = await call(client, "read_range", report_id=report["reportId"], **place)
        assert (read["start"], read["lines"]) == (56, LATE)
        assert f"Note: {read['note']}\n" in text
