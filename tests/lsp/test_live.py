"""A report while its files change: everything it names exists, and moved text is followed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import ExploreRequest, LineRange, PrimaryPlace, Report
from explorer_core.workspace.source import split_lines, stands_at
from lsp_server.reports.drift import LineEdit
from lsp_server.reports.kept import settled
from lsp_server.reports.live import LiveReport
from tests.golden import golden
from tests.validation.shop import SHOP

TEXTS = {path: split_lines(text) for path, text in SHOP.files.items()}
EDITS = st.lists(
    st.tuples(
        st.sampled_from(sorted({link.path for link in golden("explain").links})),
        st.integers(0, 12),
        st.integers(0, 12),
        st.lists(st.sampled_from(["", "    new()", "        return order"]), max_size=5),
    ),
    max_size=5,
)


def live() -> LiveReport:
    """A live report with places of every kind."""
    flow, edit = golden("explain"), golden("edit")
    places = [PrimaryPlace(id=link.id, path=link.path, range=link.range) for link in flow.links]
    more = {"primary": tuple(places), "read_targets": edit.read_targets}
    return LiveReport(flow.model_copy(update=more), ExploreRequest(query="How?"), TEXTS)


def follow(report: LiveReport, path: str, before: list[str], after: list[str]) -> Report:
    report.follow(path, LineEdit.between(before, after), after)
    return report.report


@given(EDITS)
def test_every_place_is_in_its_file(edits: list[tuple[str, int, int, list[str]]]) -> None:
    report, texts = live(), dict(TEXTS)
    for path, start, length, brought in edits:
        before = texts[path]
        texts[path] = [*before[:start], *brought, *before[start + length :]]
        follow(report, path, before, texts[path])
    now = report.report
    for place in (*now.links, *now.primary, *now.read_targets):
        assert place.range is not None
        assert place.range.end <= max(1, len(texts[place.path]))
    for link in now.links:
        assert link.stale or stands_at(link.quote, link.quote_range.start, texts[link.path])
        if link.hop and link.hop.site:
            assert link.hop.site.line <= max(1, len(texts[link.hop.site.path]))


def test_what_is_typed_above_moves_all() -> None:
    report, moved = live(), 0
    before = report.report
    for path in {link.path for link in before.links}:
        follow(report, path, TEXTS[path], ["# new", "# new", *TEXTS[path]])
    for was, now in zip(before.links, report.report.links, strict=True):
        assert now.range == shifted(was.range)
        assert now.quote_range == shifted(was.quote_range)
        if was.hop and was.hop.site and now.hop and now.hop.site:
            assert now.hop.site.line == was.hop.site.line + 2
            moved += 1
    assert moved
    for was, now in zip(before.primary, report.report.primary, strict=True):
        assert was.range
        assert now.range == shifted(was.range)


def test_a_report_of_an_earlier_session_is_as_it_was_where_its_files_are() -> None:
    was = golden("explain")
    assert settled(was, TEXTS) == was
    for path in {link.path for link in was.links}:
        now = settled(was, TEXTS | {path: ["# new", "# new", *TEXTS[path]]})
        for before, after in zip(was.links, now.links, strict=True):
            moved = before.path == path
            assert after.range == (shifted(before.range) if moved else before.range)
            if before.hop and before.hop.site and after.hop:
                same = before.hop.site.path != path
                assert after.hop.site == (before.hop.site if same else None)


def shifted(lines: LineRange) -> LineRange:
    return LineRange(start=lines.start + 2, end=lines.end + 2)
