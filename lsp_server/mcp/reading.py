"""The answer of ``read_range``: lines of a file as they are now."""

from __future__ import annotations

from collections.abc import Sequence

from explorer_core.contracts import ReadAnswer
from explorer_core.credentials import masked
from lsp_server.mcp.kept import Since
from lsp_server.protocol import BadRequest

_LONGEST_READ = 400
"""Most lines that one call returns."""

_COUNT = "Keep using the report's line numbers."


def check_is_there(path: str, start: int, end: int, lines: Sequence[str]) -> None:
    """Check that a file, which may have changed since the report, has any of the lines. Raises
    `BadRequest`."""
    if start > len(lines) or end < 1:
        has = "1 line" if len(lines) == 1 else f"{len(lines):,} lines"
        raise BadRequest(
            f"{path} now has {has} and no longer those requested: it changed after the report;"
            " ask explore_code again."
        )


def read_answer(
    workspace: str,
    path: str,
    wanted: tuple[int, int],
    lines: Sequence[str],
    since: Since,
) -> tuple[str, ReadAnswer]:
    """The text and the structured content of an answer with those ``wanted`` lines that exist.
    ``wanted`` is counted as in the report; ``since`` is what happened to the lines afterwards."""
    first, last = max(1, wanted[0] + since.by), min(len(lines), wanted[1] + since.by)
    end = min(last, first + _LONGEST_READ - 1)
    # Credentials are masked, since an agent passes on what it reads, for instance to a model.
    shown = tuple(masked(line, path) for line in lines[first - 1 : end])
    note = _note(since)
    text = [f"Workspace: {workspace}", f"{path}:{first}-{end}"]
    text += [f"Note: {note}"] if note else []
    text += [f"{number:>5}| {line}" for number, line in enumerate(shown, first)]
    if end < last:
        more = end + 1 - since.by
        text.append(f"At most {_LONGEST_READ} lines are read at a time; continue at line {more}.")
    answer = ReadAnswer(
        workspace=workspace, path=path, start=first, end=end, lines=shown, note=note
    )
    return "\n".join(text), answer


def _note(since: Since) -> str | None:
    """What the reader of the report must know about the lines; None if nothing has changed."""
    if since.is_changed and since.by:
        return f"These lines changed, and moved by {since.by:+,} lines, after the report. {_COUNT}"
    if since.by:
        return f"These lines moved by {since.by:+,} lines after the report. {_COUNT}"
    return "These lines changed after the report." if since.is_changed else None
