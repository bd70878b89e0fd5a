"""The arguments of the tools, with the descriptions that agents see."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from pydantic import BeforeValidator, Field

from explorer_core.angles.spec import angles as angle_specs
from explorer_core.contracts import Intent, JudgeChoice
from lsp_server.mcp.kept import MOST_AROUND


def _as_parts(value: Any) -> Any:
    """Turns a string given in place of a list into a list, split at its commas."""
    if not isinstance(value, str):
        return value
    return [part for each in value.split(",") if (part := each.strip())]


Query = Annotated[str, Field(description="The question, in words.")]
IntentName = Annotated[
    str,
    Field(
        description="What the answer is for: to explain, to locate, to edit (lists what to change"
        " and its tests), or to debug.",
        json_schema_extra={"enum": list(get_args(Intent))},
    ),
]
JudgeName = Annotated[
    str,
    Field(
        description="Which judge to use; auto is what the user has configured. The others use a"
        " model and cost accordingly, except offline.",
        json_schema_extra={"enum": list(get_args(JudgeChoice))},
    ),
]
Listed = BeforeValidator(_as_parts)
Scope = Annotated[list[str], Listed, Field(description="Globs such as src/**; all files if empty.")]
Topic = Annotated[
    str, Field(description="What the survey is about; the whole code base if omitted.")
]
Angles = Annotated[
    list[str],
    Listed,
    Field(description=f"Some of {', '.join(angle_specs())}; all if empty."),
]
Keywords = Annotated[
    list[str],
    Listed,
    Field(
        description="Four to eight words and names that you expect this code to use, guessed before"
        " you look: functions, types, settings, technical terms (for logging in: login,"
        " authenticate, session, token)."
    ),
]
NONE: list[str] = []
"""Default for globs, angles and keywords. It is never modified; None would widen the published
schema."""
Angle = Annotated[str | None, Field(description="An angle of explore_angles to look from.")]
Follows = Annotated[
    str | None, Field(description="Id of an earlier report that this question follows up.")
]
Refresh = Annotated[bool, Field(description="Judge again even if the answer is cached.")]
Around = Annotated[
    int, Field(ge=0, le=MOST_AROUND, description="Number of lines of context before and after.")
]
ReportId = Annotated[str, Field(description="The report that lists the range.")]
ListedPath = Annotated[str, Field(description="The file, as the report names it.")]
FirstLine = Annotated[int, Field(ge=1, description="First line, by the report's line numbers.")]
LastLine = Annotated[int, Field(ge=1, description="Last line, inclusive.")]
