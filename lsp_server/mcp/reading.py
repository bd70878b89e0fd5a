"""The answer of ``read_range``: lines of a file as they are now."""

from __future__ import annotations

from collections.abc import Sequence

from explorer_core.contracts import ReadAnswer
from explorer_core.credentials import masked
from lsp_server.mcp.kept import LineChange
from lsp_server.protocol import BadRequest

_LONGEST_READ = 400
"""Most lines that one call returns."""

_NUMBERS_STAY = "Keep using the report's line numbers."


def check_lines_exist(path: str, start: int, end: int, lines: Sequence[str]) -> None:
    """Check that a file, which may have changed since the report, has any of the lines. Raises
    `BadRequest`."""
    if start > len(lines) or end < 1:
        count = "1 line" if len(lines) == 1 else f"{len(lines):,} lines"
        raise BadRequest(
            f"{path} now has {count} and no longer those requested: it changed after the report;"
            " ask explore_code again."
        )


def read_answer(
    workspace: str,
    path: str,
    requested: tuple[int, int],
    lines: Sequence[str],
    change: LineChange,
) -> tuple[str, ReadAnswer]:
    """The text and the structured content of an answer with those ``requested`` lines that exist.
    ``requested`` is counted as in the report; ``change`` is what happened to the lines since."""
    first, last = (
        max(1, requested[0] + change.moved_by),
        min(len(lines), requested[1] + change.moved_by),
    )
    end = min(last, first + _LONGEST_READ - 1)
    # Credentials are masked, since an agent passes on what it reads, for instance to a model.
    shown = tuple(masked(line, path) for line in lines[first - 1 : end])
    note = _note(change)
    text = [f"Workspace: {workspace}", f"{path}:{first}-{end}"]
    text += [f"Note: {note}"] if note else []
    text += [f"{number:>5}| {line}" for number, line in enumerate(shown, first)]
    if end < last:
        next_line = end + 1 - change.moved_by
        text.append(
            f"At most {_LONGEST_READ} lines are read at a time; continue at line {next_line}."
        )
    answer = ReadAnswer(
        workspace=workspace, path=path, start=first, end=end, lines=shown, note=note
    )
    return "\n".join(text), answer


def _note(change: LineChange) -> str | None:
    """What the reader of the report must know about the lines; None if nothing has changed."""
    if change.is_changed and change.moved_by:
        return (
            f"These lines changed, and moved by {change.moved_by:+,} lines, after the report."
            f" {_NUMBERS_STAY}"
        )
    if change.moved_by:
        return f"These lines moved by {change.moved_by:+,} lines after the report. {_NUMBERS_STAY}"
    return "These lines changed after the report." if change.is_changed else None
