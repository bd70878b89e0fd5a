"""The request: what a caller asks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from explorer_core.contracts.base import LineNumber, Model

Intent = Literal["explain", "locate", "edit", "debug"]
JudgeName = Literal["offline", "packet", "conversation"]
JudgeChoice = Literal["auto", "offline", "packet", "conversation"]

QUERY_LIMIT = 20_000
"""Maximum length of a query in characters; long issue texts are normal input."""

KEYWORD_LIMIT = 200
"""Maximum number of keywords of a question; each is looked for in every file."""


class Anchor(Model):
    """A place to start from, such as the cursor or a selection."""

    path: str
    line: LineNumber
    end_line: LineNumber | None = None


class Budget(Model):
    """Limits of one exploration; for an omitted field the setting applies."""

    steps: Annotated[int, Field(ge=1)] | None = None
    observation_chars: Annotated[int, Field(ge=1)] | None = None
    wall_time_s: Annotated[float, Field(gt=0)] | None = None


class FollowUp(Model):
    """A follow-up question, which keeps the candidates of an earlier report."""

    report_id: str


class ExploreRequest(Model):
    """One question about a workspace.

    ``scope`` holds globs relative to the workspace; a path is in scope when it matches any of them,
    and everything is in scope when there are none. ``judge="auto"`` means offline unless the user
    configured a model: a key lying in the environment is not consent.
    """

    query: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=QUERY_LIMIT)
    ]
    intent: Intent = "explain"
    scope: tuple[str, ...] = ()
    anchor: Anchor | None = None
    keywords: Annotated[tuple[str, ...], Field(max_length=KEYWORD_LIMIT)] = ()
    judge: JudgeChoice = "auto"
    follow_up: FollowUp | None = None
    force_refresh: bool = False
    budget: Budget = Budget()
