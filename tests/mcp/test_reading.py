"""Reading lines of a report whose files have changed since."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import LineRange, ReadTarget
from lsp_server.mcp.kept import KeptReport, Since
from lsp_server.mcp.reading import check_is_there, read_answer
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
    ("now", "since"),
    [
        (BEFORE, Since()),
        ([*BEFORE, "# more"], Since()),
        ([*TOP, *LATE, "", "# another", *OTHER], Since()),
        (["# new"] * 25 + BEFORE, Since(25)),
        ([*TOP[7:], *LATE], Since(-7)),
        (["# new", *TOP, LATE[0], LATE[1], "    return 1"], Since(1, is_changed=True)),
        ([*TOP, LATE[0], LATE[1], "    return 1"], Since(0, is_changed=True)),
        ([*TOP, LATE[0], "    return 1", "", *OTHER], Since(0, is_changed=True)),
        ([*TOP, *LATE, "", OTHER[0]], Since()),
        ([*TOP, *OTHER, "", *OTHER], Since(0, is_changed=True)),
        ([*OTHER, *LATE, *LATE, *BEFORE], Since(0, is_changed=True)),
        ([], Since(0, is_changed=True)),
    ],
)
@pytest.mark.parametrize("wanted", [(31, 33), (32, 32), (20, 33), (31, 40)])
def test_changes_to_listed_lines_are_detected(
    now: list[str], since: Since, wanted: tuple[int, int]
):
    assert kept_report().since(PATH, *wanted, now) == since


@pytest.mark.parametrize(
    ("now", "since"),
    [
        (["# new", *BEFORE[:-1], "    return 2"], Since(1, is_changed=True)),
        ([*BEFORE[:-1], "    return 2"], Since(0, is_changed=True)),
        ([*BEFORE, *LATE, "    return 2"], Since()),
    ],
)
def test_lines_above_locate_changed_lines(now: list[str], since: Since):
    assert kept_report().since(PATH, 35, 36, now) == since


def test_no_change_is_known_of_unlisted_files():
    assert kept_report().since("shop/other.py", 31, 33, []) == Since()


@pytest.mark.parametrize(
    ("since", "shown", "note", "rest"),
    [
        (Since(), (1, 400), None, 401),
        (Since(25), (26, 425), "moved by +25 lines", 401),
        (Since(-3), (1, 398), "moved by -3 lines", None),
        (Since(5, is_changed=True), (6, 405), "changed, and moved by +5 lines", 401),
        (Since(is_changed=True), (1, 400), "These lines changed after the report.", 401),
    ],
)
def test_read_answer_notes_moved_and_changed_lines(
    since: Since, shown: tuple[int, int], note: str | None, rest: int | None
):
    lines = [str(number) for number in range(1, 601)]
    text, answer = read_answer("/w", "a.txt", (1, 401), lines, since)
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
    since = kept_report().since(PATH, *wanted, now)
    current_lines = wanted[0] + since.by, wanted[1] + since.by
    if not is_there:
        with pytest.raises(BadRequest, match="no longer those requested"):
            check_is_there(PATH, *current_lines, now)
        return
    check_is_there(PATH, *current_lines, now)
    _, answer = read_answer("/w", PATH, wanted, now, since)
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
