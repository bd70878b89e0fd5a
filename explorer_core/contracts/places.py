"""Places in files. Lines are 1-based and inclusive; paths are workspace-relative with ``/``."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from explorer_core.contracts.base import LineNumber, Model


class LineRange(Model):
    """Lines ``start`` to ``end`` of one file, both included."""

    start: LineNumber
    end: LineNumber

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end < self.start:
            raise ValueError(
                f"range ends at line {self.end}, before it starts at line {self.start}"
            )
        return self

    def __len__(self) -> int:
        return self.end - self.start + 1

    def __contains__(self, line: int) -> bool:
        return self.start <= line <= self.end

    def covers(self, other: LineRange) -> bool:
        """Whether every line of ``other`` is also in this range."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: LineRange) -> bool:
        """Whether the two ranges share at least one line."""
        return self.start <= other.end and other.start <= self.end


class Site(Model):
    """One line of one file, such as the line in the code that states a relation."""

    path: str
    line: LineNumber


class Segment(Model):
    """Contiguous text that was actually observed: ``lines[0]`` is line ``start`` of ``path``.

    Lines have no line ends. A segment is never assembled from pieces with a gap between them.
    """

    path: str
    start: LineNumber
    lines: tuple[str, ...]

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.lines:
            raise ValueError("a segment holds at least one line")
        return self

    @property
    def range(self) -> LineRange:
        return LineRange(start=self.start, end=self.start + len(self.lines) - 1)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)
