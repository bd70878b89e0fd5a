"""The model of the user's editor, asked one turn at a time (``sightline/languageModel``)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from explorer_core.contracts import Model
from explorer_core.judges.models.model import Block, ModelError, Reply, Tokens, TurnRequest


class LanguageModelTool(Model):
    """A tool that the model may call; ``input_schema`` is a JSON Schema."""

    name: str
    description: str
    input_schema: dict[str, Any]


class LanguageModelMessage(Model):
    """One message. ``content`` holds blocks shaped as in the Messages API: ``text``, ``tool_use``
    (id, name, input), ``tool_result`` (tool_use_id, content, is_error), and whatever else the
    editor's model said, returned unchanged."""

    role: Literal["user", "assistant"]
    content: tuple[Block, ...]


class LanguageModelParams(Model):
    """Params of ``sightline/languageModel``.

    ``forced_tool`` and ``schema`` (a JSON Schema of the answer's text) are requests that the editor
    may be unable to honour. The answer is sent when the turn is over.
    """

    system: str
    messages: tuple[LanguageModelMessage, ...]
    tools: tuple[LanguageModelTool, ...] = ()
    max_tokens: int
    forced_tool: str | None = None
    schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None


class LanguageModelUsage(Model):
    """Tokens of the turn, as far as the editor knows them."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


class LanguageModelResult(Model):
    """Result of ``sightline/languageModel``: what the model said."""

    content: tuple[Block, ...]
    model: str
    stop_reason: Literal["ended", "tool_use", "max_tokens", "refusal"] = "ended"
    usage: LanguageModelUsage = LanguageModelUsage()


AskEditor = Callable[[LanguageModelParams], Awaitable[Any]]
"""Sends one turn to the editor and returns its result as JSON; may raise anything."""


class EditorModelClient:
    """Asks the editor's model through a function supplied by a face."""

    model = "the editor's model"

    def __init__(self, ask: AskEditor) -> None:
        self._ask = ask

    async def turn(self, request: TurnRequest) -> Reply:
        """Ask for one turn; any failure in the editor becomes a ModelError."""
        try:
            answer = await self._ask(_params(request))
            result = LanguageModelResult.model_validate(answer, from_attributes=True)
        except ValidationError as error:
            where = ".".join(map(str, error.errors()[0]["loc"])) or "result"
            raise ModelError(f"The editor's model answered with an invalid {where}.") from None
        except Exception as error:
            message = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
            raise ModelError(f"The editor's model gave no answer: {message}.") from error
        usage = result.usage
        tokens = Tokens(
            uncached=usage.input_tokens, cached=usage.cached_tokens, output=usage.output_tokens
        )
        return Reply(result.content, result.stop_reason, result.model, tokens)

    async def close(self) -> None:
        """Nothing to close: the connection belongs to the face."""


def _params(request: TurnRequest) -> LanguageModelParams:
    return LanguageModelParams(
        system=request.system,
        messages=tuple(LanguageModelMessage.model_validate(each) for each in request.messages),
        tools=tuple(LanguageModelTool.model_validate(each) for each in request.tools),
        max_tokens=request.max_tokens,
        forced_tool=request.forced_tool,
        schema_=request.schema,
    )
