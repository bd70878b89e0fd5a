"""``sightline doctor``: checks whether everything works here, and says how to fix what does not."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lsp_server.commands import common
from lsp_server.terminal.exits import ANSWERED, PROBLEMS_FOUND

if TYPE_CHECKING:
    from explorer_core.contracts import Settings
    from explorer_core.judges.models.messages_api import MessagesApiClient

HELP = "check the installation and, if one is chosen, the model"
_ROUND_TRIP_S = 30.0
_ROUND_TRIP_TOKENS = 256
_PAGE_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    state: Literal["ok", "note", "wrong"]
    what: str
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    common.add_arguments(parser)
    common.add_model_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Print the findings; returns the exit code. Raises `UserError`."""
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    settings = common.settings(args)
    has_problem = False
    for finding in (_versions(), _text_search(), _cache(settings), _explorations(settings)):
        has_problem |= _print(finding)
    async for finding in _judge(settings):
        has_problem |= _print(finding)
    return PROBLEMS_FOUND if has_problem else ANSWERED


def _print(finding: Finding) -> bool:
    print(f"{finding.state:<6}{finding.what}: {finding.text}", flush=True)
    return finding.state == "wrong"


def _versions() -> Finding:
    from explorer_core import __version__

    running = f"{__version__} on Python {platform.python_version()}, {platform.system()}"
    return Finding("ok", "sightline", running)


def _text_search() -> Finding:
    from explorer_core.channels.text_search.ripgrep import find_ripgrep

    program = find_ripgrep()
    if program is None:
        text = "no ripgrep found, so text search is slower; install ripgrep for large repositories"
        return Finding("note", "text search", text)
    return Finding("ok", "text search", f"ripgrep at {program}")


def _cache(settings: Settings) -> Finding:
    from explorer_core.workspace.caches import cache_root

    folder = cache_root(settings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_PAGE_BYTES))  # a full disk has room for an empty file only
            file.flush()
        return Finding("ok", "cache", str(folder))
    except OSError as error:
        text = f"cannot write to {folder} ({error.strerror}); set cache_dir to a writable folder"
        return Finding("wrong", "cache", text)


def _explorations(settings: Settings) -> Finding:
    """Whether models that were asked produce reports, rather than falling back to offline."""
    from explorer_core.explorations import ExplorationLog, summary

    totals = summary(ExplorationLog.of(settings).events())
    text = f"{totals.explorations:,} logged, {totals.with_model:,} with a model"
    if not totals.alarm:
        return Finding("ok", "explorations", text)
    reasons = ", ".join(f"{name} {count}" for name, count in totals.stop_reasons)
    text += f", {totals.fallbacks:,} of which fell back to the offline judge (ended by {reasons})"
    return Finding("note", "explorations", f"{text}; look at one with explore --transcript FILE")


async def _judge(settings: Settings) -> AsyncIterator[Finding]:
    from explorer_core.contracts import ExploreRequest
    from explorer_core.judges.choice import EDITOR_MODEL, chosen_judge, open_client
    from explorer_core.judges.models.messages_api import MessagesApiClient

    name = chosen_judge(ExploreRequest(query="?"), settings)
    yield Finding("ok", "judge", name)
    if name == "offline":
        yield _no_model()
        return
    if settings.model == EDITOR_MODEL:
        yield Finding("note", "model", "the editor's own; only the editor can check it")
        return
    client = open_client(settings)
    try:
        if isinstance(client, MessagesApiClient):
            async for finding in _model(client):
                yield finding
    finally:
        await client.close()


def _no_model() -> Finding:
    text = "none is chosen, and none is required; choose one with --model or the setting model"
    if os.environ.get("ANTHROPIC_API_KEY"):
        text += ". The key in ANTHROPIC_API_KEY is not used until then"
    return Finding("ok", "model", text)


async def _model(client: MessagesApiClient) -> AsyncIterator[Finding]:
    """Checks the key, the endpoint, and the model by one short turn."""
    from explorer_core.judges.models.model import ModelError

    try:
        has_key = await client.has_credentials()
    except ModelError as error:
        yield Finding("wrong", "key", str(error))
        return
    yield Finding("ok", "endpoint", client.endpoint)
    if has_key:
        yield Finding("ok", "key", "there is one")
    elif client.is_official:
        yield Finding("wrong", "key", "there is none; set ANTHROPIC_API_KEY")
        return
    else:
        yield Finding("note", "key", "there is none; this server may not need one")
    yield await _round_trip(client)


async def _round_trip(client: MessagesApiClient) -> Finding:
    from explorer_core.judges.models.model import ModelError, TurnRequest

    message = {"role": "user", "content": [{"type": "text", "text": "Answer with one word."}]}
    request = TurnRequest("This checks a connection.", (), (message,), _ROUND_TRIP_TOKENS)
    started = time.monotonic()
    try:
        async with asyncio.timeout(_ROUND_TRIP_S):
            reply = await client.turn(request)
    except ModelError as error:
        return Finding("wrong", "model", str(error))
    except TimeoutError:
        text = f"{client.model} gave no answer within {_ROUND_TRIP_S:.0f} s; try again later"
        return Finding("wrong", "model", text)
    duration_s = time.monotonic() - started
    tokens = reply.tokens.uncached + reply.tokens.written + reply.tokens.cached
    cost = "" if reply.cost_usd is None else f", ${reply.cost_usd:.6f}"
    text = f"{reply.model} answered in {duration_s:.1f} s ({tokens} tokens in,"
    return Finding("ok", "model", f"{text} {reply.tokens.output} out{cost})")
