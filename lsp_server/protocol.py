"""Typed params of our commands, tolerant of what real clients send.

``null`` counts as left out, unknown keys are ignored, keys may be camelCase or snake_case, and a
command's ``arguments`` may be missing, null or empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from explorer_core.contracts import (
    QUERY_LIMIT,
    Anchor,
    Budget,
    ExploreRequest,
    FollowUp,
    JudgeChoice,
)
from lsp_server.refusals import first_mistake

CONFIGURATION_SECTION = "sightline"


class BadRequest(Exception):  # noqa: N818 - it is the client's mistake, named as LSP clients know it
    """The request is invalid; the message is one sentence for the user."""


class Params(BaseModel):
    """Base of the params of our commands."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,  # most processes use few of them
    )
    bare_string_field: ClassVar[str | None] = None
    """The member that is set if a bare string is given in place of the object."""

    @model_validator(mode="before")
    @classmethod
    def _null_is_missing(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        fields = cast("dict[str, Any]", data)
        return {name: value for name, value in fields.items() if value is not None}


def _as_list(value: Any) -> Any:
    """Turns a lone string into a list of one."""
    return [value] if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_as_list)]
"""A list of strings; a lone string is a list of one."""


class PositionParams(Params):
    """An LSP position: 0-based, in the session's encoding."""

    line: Annotated[int, Field(ge=0)] = 0
    character: Annotated[int, Field(ge=0)] = 0


class AnchorParams(Params):
    """A place to start from: ``path`` and 1-based ``line``, or ``uri`` and an LSP ``position``."""

    path: str | None = None
    line: Annotated[int, Field(ge=1)] | None = None
    end_line: Annotated[int, Field(ge=1)] | None = None
    uri: str | None = None
    position: PositionParams | None = None

    @property
    def first_line(self) -> int:
        """Its line, 1-based."""
        return self.position.line + 1 if self.position else (self.line or 1)


class FollowUpParams(Params):
    """The report that a question follows up."""

    report_id: str


class BudgetParams(Params):
    """Limits of one exploration; see `explorer_core.contracts.Budget`."""

    steps: int | None = None
    observation_chars: int | None = None
    wall_time_s: float | None = None


class ExploreParams(Params):
    """The argument of ``sightline.explore``: a question, and how to answer it."""

    query: str = ""
    intent: str = "explain"
    scope: Texts = ()
    anchor: AnchorParams | None = None
    keywords: Texts = ()
    angle: str | None = None
    judge: str = "auto"
    follow_up: FollowUpParams | None = None
    force_refresh: bool = False
    budget: BudgetParams = BudgetParams()
    explain_ranking: bool = False
    show: bool = False
    replaces: str | None = None
    partial_result_token: int | str | None = None

    bare_string_field = "query"


class FollowUpQuestion(ExploreParams):
    """The argument of ``sightline.followUp``: a further question, and the report it follows."""

    report_id: str | None = None


class ExploreAtParams(ExploreParams):
    """The argument of ``sightline.exploreAt``: a place, and a question about it."""

    uri: str | None = None
    position: PositionParams | None = None
    path: str | None = None
    line: Annotated[int, Field(ge=1)] | None = None
    ask: Literal["reached", "used", "does"] = "does"

    bare_string_field = "uri"


class SurveyParams(Params):
    """The argument of ``sightline.survey``; without a topic it covers the whole code base."""

    topic: str = ""
    angles: Texts = ()
    scope: Texts = ()
    keywords: Texts = ()
    judge: JudgeChoice = "auto"
    force_refresh: bool = False

    bare_string_field = "topic"


class ReportParams(Params):
    """The argument of commands about one report; without an id, the current one."""

    report_id: str | None = None

    bare_string_field = "report_id"


class ReportNowParams(ReportParams):
    """The argument of ``sightline.report``; ``kept`` is a report's JSON form."""

    show: bool = False
    kept: dict[str, Any] | None = None


class ShowParams(ReportParams):
    """The argument of ``sightline.showReport``."""

    take_focus: bool = True


class LinkParams(ReportParams):
    """The argument of ``sightline.nextLink`` and ``sightline.previousLink``."""

    index: Annotated[int | None, Field(ge=0)] = None
    take_focus: bool = True


class DismissParams(ReportParams):
    """The argument of ``sightline.dismissReport``."""

    all: bool = False


class ExportParams(ReportParams):
    """The argument of ``sightline.export``."""

    format: str = "markdown"
    show: bool = False


class NoParams(Params):
    """The argument of commands that need none."""


P = TypeVar("P", bound=Params)


def command_params(model: type[P], arguments: Sequence[Any] | None) -> P:
    """The params of a command. Raises `BadRequest`."""
    argument: Any = arguments[0] if arguments else None
    if argument is None:
        argument = {}
    if isinstance(argument, str) and model.bare_string_field is not None:
        argument = {model.bare_string_field: argument}
    try:
        return model.model_validate(argument)
    except ValidationError as error:
        raise BadRequest(error_sentence(error)) from None


def explore_request(params: ExploreParams) -> ExploreRequest:
    """The core's request; an anchor without a path is ignored. Raises `BadRequest`."""
    follow_up = params.follow_up
    try:
        return ExploreRequest.model_validate(
            {
                "query": params.query,
                "intent": params.intent,
                "scope": params.scope,
                "anchor": _anchor(params.anchor),
                "keywords": (*params.keywords, *_angle_keywords(params.angle)),
                "judge": params.judge,
                "follow_up": follow_up and FollowUp(report_id=follow_up.report_id),
                "force_refresh": params.force_refresh,
                "budget": Budget.model_validate(params.budget.model_dump()),
            }
        )
    except ValidationError as error:
        raise BadRequest(error_sentence(error)) from None


def _angle_keywords(angle: str | None) -> tuple[str, ...]:
    """The keywords that an angle adds to a question. Raises `BadRequest`."""
    if angle is None:
        return ()
    check_angle(angle)
    # Loading the angles is slow, and most questions have none.
    from explorer_core.angles.spec import angles

    return angles()[angle].keywords


def check_angle(name: str) -> None:
    """Check that an angle exists. Raises `BadRequest`."""
    from explorer_core.angles.spec import angles

    if name not in angles():
        raise BadRequest(f"Unknown angle {name[:40]!r}; the angles are {', '.join(angles())}.")


def _anchor(anchor: AnchorParams | None) -> Anchor | None:
    if anchor is None or anchor.path is None:
        return None
    return Anchor(path=anchor.path, line=anchor.first_line, end_line=anchor.end_line)


def check_line(path: str, line: int, lines: Sequence[str]) -> None:
    """Check that a file has a line. Raises `BadRequest`."""
    if line > max(1, len(lines)):
        raise BadRequest(f"{path} has no line {line}; its last one is {len(lines)}.")


def error_sentence(error: ValidationError) -> str:
    """The first mistake in a request, in one sentence that says what to do."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    if place == "query" and first["type"] == "string_too_short":
        return "The question is empty; say what you want to know about the code."
    if place == "query" and first["type"] == "string_too_long":
        length = len(str(first["input"]).strip())
        return f"The question has {length:,} characters; at most {QUERY_LIMIT:,} are accepted."
    if place == "keywords" and first["type"] == "too_long":
        limit = first.get("ctx", {})["max_length"]
        return f"There are {len(first['input']):,} keywords; at most {limit} are accepted."
    place, complaint = first_mistake(error)
    return f"{place or 'The argument'} {complaint}."
