"""What ``read_range`` answers: lines of a file as they are now."""

from __future__ import annotations

from collections.abc import Sequence

from explorer_core.contracts import ReadAnswer
from explorer_core.credentials import masked
from lsp_server.protocol import BadRequest

LONGEST_READ = 400
"""Lines that one call returns."""


def check_is_there(path: str, line: int, lines: Sequence[str]) -> None:
    """Refuse a place that the file, which was changed since, no longer reaches. Raises
    `BadRequest`."""
    if line > len(lines):
        has = "1 line" if len(lines) == 1 else f"{len(lines):,} lines"
        raise BadRequest(
            f"{path} has {has} now and was changed after the report; ask explore_code again."
        )


def read_answer(
    workspace: str, path: str, wanted: tuple[int, int], lines: Sequence[str]
) -> tuple[str, ReadAnswer]:
    """The text and the structured content for those of the ``wanted`` lines that there are."""
    first, last = max(1, wanted[0]), min(len(lines), wanted[1])
    end = min(last, first + LONGEST_READ - 1)
    # An agent passes on what it reads, to a model for one.
    shown = tuple(masked(line, path) for line in lines[first - 1 : end])
    text = [f"Workspace: {workspace}", f"{path}:{first}-{end}"]
    text += [f"{number:>5}| {line}" for number, line in enumerate(shown, first)]
    if end < last:
        text.append(f"At most {LONGEST_READ} lines are read at a time; go on from {end + 1}.")
    answer = ReadAnswer(workspace=workspace, path=path, start=first, end=end, lines=shown)
    return "\n".join(text), answer
