"""A report while its files change: everything it names exists, and moved text is followed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import ExploreRequest, LineRange, PrimaryPlace, Report
from explorer_core.workspace.source import quote_occurs_at, split_lines
from lsp_server.reports.drift import LineEdit
from lsp_server.reports.kept import relocate_quotes
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


def make_live_report() -> LiveReport:
    """A live report with places of every kind."""
    flow, edit = golden("explain"), golden("edit")
    places = [PrimaryPlace(id=link.id, path=link.path, range=link.range) for link in flow.links]
    more = {"primary": tuple(places), "read_targets": edit.read_targets}
    return LiveReport(flow.model_copy(update=more), ExploreRequest(query="How?"), TEXTS)


def apply_change(report: LiveReport, path: str, before: list[str], after: list[str]) -> Report:
    report.follow(path, LineEdit.between(before, after), after)
    return report.report


@given(EDITS)
def test_every_place_stays_within_its_file(edits: list[tuple[str, int, int, list[str]]]) -> None:
    report, texts = make_live_report(), dict(TEXTS)
    for path, start, length, added in edits:
        before = texts[path]
        texts[path] = [*before[:start], *added, *before[start + length :]]
        apply_change(report, path, before, texts[path])
    now = report.report
    for place in (*now.links, *now.primary, *now.read_targets):
        assert place.range is not None
        assert place.range.end <= max(1, len(texts[place.path]))
    for link in now.links:
        assert link.stale or quote_occurs_at(link.quote, link.quote_range.start, texts[link.path])
        if link.hop and link.hop.site:
            assert link.hop.site.line <= max(1, len(texts[link.hop.site.path]))


def test_lines_typed_above_move_every_place() -> None:
    report, moved = make_live_report(), 0
    before = report.report
    for path in {link.path for link in before.links}:
        apply_change(report, path, TEXTS[path], ["# new", "# new", *TEXTS[path]])
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


def test_stored_report_moves_only_in_changed_files() -> None:
    report = golden("explain")
    assert relocate_quotes(report, TEXTS) == report
    for path in {link.path for link in report.links}:
        settled_report = relocate_quotes(report, TEXTS | {path: ["# new", "# new", *TEXTS[path]]})
        for before, after in zip(report.links, settled_report.links, strict=True):
            moved = before.path == path
            assert after.range == (shifted(before.range) if moved else before.range)
            if before.hop and before.hop.site and after.hop:
                same = before.hop.site.path != path
                assert after.hop.site == (before.hop.site if same else None)


def shifted(lines: LineRange) -> LineRange:
    return LineRange(start=lines.start + 2, end=lines.end + 2)
