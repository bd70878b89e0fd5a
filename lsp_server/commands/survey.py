"""``sightline survey``: surveys a code base from several angles, as files for planning a change."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from lsp_server.commands import common
from lsp_server.terminal.exits import ANSWERED, NOTHING_FOUND, UserError

if TYPE_CHECKING:
    from explorer_core.contracts.survey import SurveySummary

HELP = "survey a code base from several angles"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    from explorer_core.contracts import JudgeChoice

    parser.add_argument(
        "topic",
        nargs="?",
        default="",
        help="the topic (default: the whole code base)",
    )
    common.add_arguments(parser)
    common.add_model_argument(parser)
    parser.add_argument(
        "--angles",
        metavar="NAME,...",
        default="",
        help="comma-separated angles (default: all; see docs/angles.md)",
    )
    parser.add_argument(
        "--session", metavar="DIR", help="write below this folder (default: in the cache folder)"
    )
    common.add_scope_argument(parser)
    common.add_keyword_argument(parser)
    parser.add_argument(
        "--judge", choices=get_args(JudgeChoice), help="judge to use (default: from the settings)"
    )
    parser.add_argument(
        "--force-refresh", action="store_true", help="explore again and overwrite existing results"
    )
    parser.add_argument("--json", action="store_true", help="the summary as JSON")


def run(args: argparse.Namespace) -> int:
    """Survey and print the summary; returns the exit code. Raises `UserError`."""
    session = _folder(args.session) if args.session else None
    summary = asyncio.run(_survey(args, session))
    if args.json:
        print(summary.model_dump_json(indent=2))
    else:
        from explorer_core.report.survey import render_summary

        print(render_summary(summary), end="")
    return ANSWERED if summary.files else NOTHING_FOUND


def _folder(argument: str) -> Path:
    try:
        return Path(os.path.realpath(Path(argument).expanduser()))
    except RuntimeError as error:
        raise UserError(f"--session {argument} begins with an unknown home folder.") from error


async def _survey(args: argparse.Namespace, session: Path | None) -> SurveySummary:
    from explorer_core.angles import Ask, Surveyor
    from explorer_core.explorer import ExploreError, Explorer
    from explorer_core.workspace import Workspace, WorkspaceError
    from lsp_server.terminal.console import progress

    settings = common.settings(args)
    names = [name.strip() for name in args.angles.split(",") if name.strip()]
    try:
        workspace = await asyncio.to_thread(
            lambda: Workspace.open(*common.folders(args), settings=settings)
        )
        explorer = Explorer(workspace)
        ask = Ask(
            " ".join(args.topic.split()),
            keywords=tuple(args.keyword),
            scope=tuple(args.scope),
            judge=args.judge or "auto",
        )
        try:
            async with progress(sys.stderr) as show:
                return await Surveyor(explorer, session).survey(
                    ask, names, force=args.force_refresh, on_progress=show
                )
        finally:
            await explorer.close()
    except (ExploreError, WorkspaceError) as error:
        raise UserError(str(error)) from error
