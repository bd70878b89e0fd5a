"""Shared by commands: the workspace, its settings and its index."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from lsp_server.terminal.exits import UserError

if TYPE_CHECKING:
    from explorer_core.contracts import Settings
    from explorer_core.index.index import Index
    from explorer_core.index.sync import Progress
    from explorer_core.index.workers.pool import Pool
    from explorer_core.workspace import Workspace

WORKERS_AHEAD = 2
"""Workers started for a workspace of unknown size, which may be small."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of every command that uses a workspace."""
    parser.add_argument(
        "-w",
        "--workspace",
        metavar="DIR",
        action="append",
        help="folder to ask about, repeatable (default: the current folder)",
    )
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="change a setting for this run, repeatable (docs/configuration.md)",
    )


def add_scope_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--scope``, which restricts the files."""
    parser.add_argument(
        "--scope",
        metavar="GLOB",
        action="append",
        default=[],
        help="only files that match, repeatable",
    )


def add_keyword_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--keyword``, which adds words that the code may use."""
    parser.add_argument(
        "--keyword",
        metavar="WORD",
        action="append",
        default=[],
        help="a word or name that the code may use, repeatable",
    )


def add_model_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--model``, which chooses a model for this run."""
    parser.add_argument(
        "--model", metavar="NAME", help="model to ask, or 'editor'; by default, none is"
    )


def count(text: str) -> int:
    """The value of an argument that is a number of at least 0."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def folders(args: argparse.Namespace) -> list[str]:
    """The folders of the workspace."""
    return args.workspace or ["."]


def settings(args: argparse.Namespace) -> Settings:
    """The settings in force. Prints the problems with them. Raises `UserError`."""
    from lsp_server.workspace import configuration

    loaded = configuration.load(folders(args), flags=flags(args))
    for problem in loaded.diagnostics:
        print_notice(problem.message)
    return loaded.settings


def flags(args: argparse.Namespace) -> dict[str, Any]:
    """The settings given on the command line. Raises `UserError`."""
    assignments: dict[str, Any] = {}
    for assignment in args.settings:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise UserError(f"--set {assignment} has no value; write --set NAME=VALUE.")
        assignments[name.strip().replace("-", "_")] = value
    if getattr(args, "model", None):
        assignments["model"] = args.model
    return assignments


def print_notice(message: str) -> None:
    """Print a message that is not part of the answer, on standard error."""
    print(f"sightline: {message}", file=sys.stderr)


def json_line(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON with keys in camelCase."""
    from pydantic.alias_generators import to_camel
    from pydantic_core import to_jsonable_python

    def camel(value: Any) -> Any:
        if isinstance(value, dict):
            items = cast("dict[str, Any]", value).items()
            return {to_camel(name): camel(item) for name, item in items}
        return value

    return json.dumps(camel(to_jsonable_python(dict(record))))


def workers_ahead(workspace: Workspace) -> Pool | None:
    """A pool whose workers are starting, so that the rest of the program loads meanwhile; None if
    the workspace already has an index."""
    from explorer_core.index.location import store_path
    from explorer_core.index.workers.pool import Pool
    from explorer_core.workspace.presence import exists

    if exists(store_path(workspace)):
        return None
    pool = Pool(workspace.settings.index_workers)
    pool.warm(most=WORKERS_AHEAD)
    return pool


@asynccontextmanager
async def open_index(args: argparse.Namespace) -> AsyncGenerator[Index]:
    """The workspace's index, brought up to date. Raises `UserError`."""
    from explorer_core.workspace import Workspace, WorkspaceError

    try:
        workspace = Workspace.open(*folders(args), settings=settings(args))
        pool = workers_ahead(workspace)
        from explorer_core.channels.readiness.freshness import STILL_BUILT
        from explorer_core.index.index import Index
        from lsp_server.terminal.console import progress

        await asyncio.to_thread(workspace.require_files)
        index = await asyncio.to_thread(Index.open, workspace, pool)
    except WorkspaceError as error:
        raise UserError(str(error)) from error
    try:
        async with progress(sys.stderr) as show:

            def report_progress(done: Progress) -> None:
                show(f"Indexing {done.total:,} files", done.done / max(done.total, 1))

            result = await index.sync(on_progress=report_progress)
        if not result.complete:
            print_notice(STILL_BUILT.message)
        yield index
    finally:
        await asyncio.to_thread(index.close)
