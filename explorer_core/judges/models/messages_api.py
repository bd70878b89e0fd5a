"""A model behind the Messages API: on Anthropic's servers, or on any other that implements it.

Importing the SDK takes about a second. It is loaded for the first turn only, and in a thread, so as
not to block the event loop.
"""

from __future__ import annotations

import asyncio
import importlib
import math
import os
import time
from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from explorer_core.judges.models.model import Block, Message, ModelError, Reply, ReplyEnd, Tokens
from explorer_core.judges.models.model import TurnRequest as Request
from explorer_core.judges.models.pricing import cost_usd

if TYPE_CHECKING:
    import ssl

    import anthropic
    from anthropic.types import Message as Answer

_ATTEMPTS = 3
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 20.0
_IDLE_S = 60.0
"""Seconds without data after which a server counts as unreachable."""
_RETRIED = frozenset({408, 409, 429})
_OFFICIAL_HOST = "api.anthropic.com"
_NO_KEY = "none"
"""Sent as the key to a server of the user's own, which may not require one."""
_REPLY_ENDS: dict[str | None, ReplyEnd] = {"tool_use": "tool_use", "max_tokens": "max_tokens"}

_refusals: set[tuple[str, str, str]] = set()
"""Per server and model, the option (forced tool, schema) it rejected; kept for the process."""


class MessagesApiClient:
    """Asks ``model`` at ``base_url`` (default: the SDK's, from its own environment variables)."""

    def __init__(self, model: str, *, base_url: str | None, effort: str | None) -> None:
        self.model = model
        self._base_url = base_url
        self._effort = effort
        self._client: anthropic.AsyncAnthropic | None = None
        self._sdk: Any = None
        self._transport: Any = None

    async def turn(self, request: Request) -> Reply:
        """One streamed turn, retried where that may help. Raises ModelError."""
        client = self._client or await self._connect()
        if self.is_official and not await self.has_credentials():
            raise ModelError(f"There is no key for {self.endpoint}; set ANTHROPIC_API_KEY.")
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return await self._forced_if_accepted(client, request)
            except self._sdk.APIError as error:
                pause = _pause(error, attempt)
                if attempt == _ATTEMPTS or pause is None:
                    raise ModelError(self._sentence(error)) from error
                await asyncio.sleep(pause)
            except _BrokenStream as error:
                if attempt == _ATTEMPTS:
                    raise ModelError(
                        f"The answer from the model server at {self.endpoint} broke off; try again."
                    ) from error
                await asyncio.sleep(_FIRST_PAUSE_S / 2)
            except self._sdk.AnthropicError as error:
                raise ModelError(self._sentence(error)) from error
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    @property
    def endpoint(self) -> str:
        """The address that requests go to, without user and password, fit to be shown."""
        if self._client is not None:
            return _without_user(str(self._client.base_url).rstrip("/"))
        address = self._base_url or os.environ.get("ANTHROPIC_BASE_URL")
        return _without_user(address or f"https://{_OFFICIAL_HOST}")

    @property
    def is_official(self) -> bool:
        """Whether requests go to Anthropic's own servers."""
        return urlsplit(self.endpoint).hostname == _OFFICIAL_HOST

    async def has_credentials(self) -> bool:
        """Whether the SDK found a key, a token or a profile. A server of the user's own needs
        none."""
        client = self._client or await self._connect()
        return bool(
            client.api_key not in (None, _NO_KEY) or client.auth_token or client.credentials
        )

    async def _connect(self) -> anthropic.AsyncAnthropic:
        self._client = await asyncio.to_thread(self._open)
        return self._client

    def _open(self) -> anthropic.AsyncAnthropic:
        self._transport = importlib.import_module("httpx2")
        sdk = self._sdk = importlib.import_module("anthropic")
        options: dict[str, Any] = {
            "max_retries": 0,  # the SDK does not retry when a stream breaks; `turn` does
            "timeout": _IDLE_S,
            "http_client": sdk.DefaultAsyncHttpxClient(verify=_trusted_certificates()),
        }
        if self._base_url:
            options["base_url"] = self._base_url
        try:
            client = sdk.AsyncAnthropic(**options)
            own_server = urlsplit(str(client.base_url)).hostname != _OFFICIAL_HOST
            if own_server and not (client.api_key or client.auth_token or client.credentials):
                client = sdk.AsyncAnthropic(api_key=_NO_KEY, **options)
        except (sdk.AnthropicError, ValueError, OSError) as error:
            raise ModelError(f"The model client cannot be set up: {_on_one_line(error)}") from error
        return client

    async def _forced_if_accepted(
        self, client: anthropic.AsyncAnthropic, request: Request
    ) -> Reply:
        """Force the tool or schema, unless this model is known to reject that. Whether it does is
        learned from a request rejected with it and accepted without."""
        wish = "tool" if request.forced_tool else "schema" if request.schema else None
        key = (self.endpoint, self.model, wish or "")
        if wish is None or key in _refusals:
            return await self._try_once(client, request, forced=False)
        try:
            return await self._try_once(client, request, forced=True)
        except self._sdk.BadRequestError:
            reply = await self._try_once(client, request, forced=False)
            _refusals.add(key)
            return reply

    async def _try_once(
        self, client: anthropic.AsyncAnthropic, request: Request, *, forced: bool
    ) -> Reply:
        async with client.messages.stream(
            model=self.model,
            max_tokens=request.max_tokens,
            system=cast("Any", [_with_cache_mark({"type": "text", "text": request.system})]),
            messages=cast("Any", _with_moving_breakpoint(request.messages)),
            **self._options(request, forced),
        ) as stream:
            # Raised outside the handlers: an exception that is kept would keep the SDK's generators
            # alive, and garbage collection would close them at any time in any thread.
            answer_and_end: tuple[Answer, ReplyEnd] | None = None
            try:
                async for _ in stream:
                    pass
                answer = stream.current_message_snapshot
                answer_and_end = (answer, end) if (end := _end(answer)) else None
            except (ValueError, TypeError):  # raised by the SDK for arguments that are not JSON
                answer = _snapshot(stream)
                if answer is not None and answer.content and answer.content[-1].type == "tool_use":
                    answer_and_end = answer, "malformed"
            except (AssertionError, RuntimeError, IndexError, self._transport.HTTPError):
                pass
        if answer_and_end is None:
            raise _BrokenStream
        return self._reply(*answer_and_end)

    def _options(self, request: Request, forced: bool) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if request.tools:
            options["tools"] = list(request.tools)
            if forced:
                options["tool_choice"] = {"type": "tool", "name": request.forced_tool}
        output: dict[str, Any] = {"effort": self._effort} if self._effort else {}
        if request.schema and forced:
            schema = self._sdk.transform_schema(request.schema)
            output["format"] = {"type": "json_schema", "schema": schema}
        if output:
            options["output_config"] = output
        return options

    def _reply(self, answer: Answer, end: ReplyEnd) -> Reply:
        usage = answer.usage
        tokens = Tokens(
            uncached=usage.input_tokens or 0,
            written=usage.cache_creation_input_tokens or 0,
            cached=usage.cache_read_input_tokens or 0,
            output=usage.output_tokens or 0,
        )
        return Reply(
            blocks=tuple(_as_sent(block) for block in answer.content),
            end=end,
            model=answer.model or self.model,
            tokens=tokens,
            cost_usd=cost_usd(self.model, tokens) if self.is_official else None,
        )

    def _sentence(self, error: Exception) -> str:
        """A sentence on what went wrong and what to do about it."""
        status = getattr(error, "status_code", None)
        where = f"The model server at {self.endpoint}"
        if status in (401, 403):
            return f"{where} refused the key; set ANTHROPIC_API_KEY to a valid one."
        if status == 404:
            return f"{where} has no model {self.model!r}; change the setting model."
        if status == 429:
            return f"{where} is limiting requests; try again {_when_to_retry(error)}."
        if status is not None and status >= 500:
            return f"{where} reports a problem (status {status}); try again later."
        if isinstance(error, self._sdk.APITimeoutError):
            return f"{where} did not answer in {_IDLE_S:.0f} s; try again later."
        if isinstance(error, self._sdk.APIConnectionError):
            return f"{where} cannot be reached; check the address and the network."
        if status is None and not isinstance(error, self._sdk.APIError):
            return f"There are no credentials for {self.endpoint}; set ANTHROPIC_API_KEY."
        return f"{where} refused the request: {_on_one_line(error)}"


class _BrokenStream(Exception):  # noqa: N818 - the name is the fact
    """A stream ended before its message was complete, or could not be parsed."""


def _with_moving_breakpoint(messages: Iterable[Message]) -> list[Message]:
    """The messages with a cache breakpoint on the last block of ours, and on the one before it.

    The next request then finds this one's prefix in the cache. The text itself never changes.
    """
    marked = [dict(message) for message in messages]
    mine = [index for index, message in enumerate(marked) if message["role"] == "user"]
    for index in mine[-2:]:
        content = list(marked[index]["content"])
        content[-1] = _with_cache_mark(content[-1])
        marked[index]["content"] = content
    return marked


@cache
def _trusted_certificates() -> ssl.SSLContext:
    """The trusted certificates. Reading them takes longer than all else in creating a client."""
    return importlib.import_module("httpx2").create_ssl_context()


def _with_cache_mark(block: Block) -> Block:
    return {**block, "cache_control": {"type": "ephemeral"}}


def _snapshot(stream: Any) -> Answer | None:
    try:
        return stream.current_message_snapshot
    except AssertionError:
        return None


def _end(answer: Answer) -> ReplyEnd | None:
    """Why a message ended; None if it is incomplete."""
    if answer.stop_reason is None:
        return None
    if answer.stop_reason in ("refusal", "model_context_window_exceeded"):
        return "refusal" if answer.stop_reason == "refusal" else "max_tokens"
    return _REPLY_ENDS.get(answer.stop_reason, "ended")


def _as_sent(block: Any) -> Block:
    """A block as the server sent it, without what the SDK's parsing adds."""
    plain: Block = block.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)
    plain.pop("parsed_output", None)
    return plain


def _pause(error: Exception, attempt: int) -> float | None:
    """Seconds to wait before the next attempt; None if another attempt would not help."""
    status = getattr(error, "status_code", None)
    started = status is not None and status < 300  # an error in the middle of a stream
    if status is not None and not started and status not in _RETRIED and status < 500:
        return None
    wished = _retry_after(error)
    pause = _FIRST_PAUSE_S * 2 ** (attempt - 1) if wished is None else wished
    return pause if pause <= _LONGEST_PAUSE_S else None


def _retry_after(error: Exception) -> float | None:
    """The server's retry-after value in seconds, sent as a number or a date (RFC 9110, 10.2.3)."""
    response = getattr(error, "response", None)
    value = response.headers.get("retry-after", "") if response is not None else ""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _when_to_retry(error: Exception) -> str:
    seconds = _retry_after(error)
    return "later" if seconds is None or math.isinf(seconds) else f"in {seconds:.0f} s"


def _without_user(url: str) -> str:
    head, slashes, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{head}{slashes}{host.rpartition('@')[2]}{slash}{path}"


def _on_one_line(error: Exception) -> str:
    """A library's error message on one line, ending in a full stop."""
    message = getattr(error, "api_message", None) or str(error)
    line = " ".join(str(message).split())[:200].rstrip(".")
    return f"{line}."
