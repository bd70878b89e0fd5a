"""``sightline explore``: one question, one report."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from lsp_server.commands import common
from lsp_server.terminal.arguments import whole_number
from lsp_server.terminal.exits import ANSWERED, BAD_INPUT, NOTHING_FOUND, UserError

if TYPE_CHECKING:
    from explorer_core.channels.readiness.first_look import FirstLook
    from explorer_core.contracts import ExploreRequest, Report, Settings
    from explorer_core.index.workers.pool import Pool
    from explorer_core.workspace import Workspace

HELP = "answer a question about a code base with a flow of exact places"
_STDIN_LIMIT_BYTES = 1024 * 1024
_EMPTY_TRANSCRIPT = "No model was asked.\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "question", nargs="?", help="the question; '-' or nothing reads it from standard input"
    )
    common.add_arguments(parser)
    _add_question_arguments(parser)
    _add_report_arguments(parser)


def _add_question_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that narrow down the question."""
    from explorer_core.contracts import Intent

    parser.add_argument(
        "--intent",
        choices=get_args(Intent),
        default="explain",
        help="kind of answer; edit lists what to change and its tests (default: explain)",
    )
    common.add_scope_argument(parser)
    parser.add_argument(
        "--anchor",
        metavar="PATH:LINE",
        help="a place to start from; PATH is relative to the workspace",
    )
    common.add_keyword_argument(parser)


def _add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments about judge and output format of the report."""
    from explorer_core.contracts import JudgeChoice

    parser.add_argument(
        "--format",
        choices=("text", "markdown", "json"),
        default="text",
        help="output format; json is the complete report (default: text)",
    )
    parser.add_argument(
        "--judge", choices=get_args(JudgeChoice), help="judge to use (default: from the settings)"
    )
    common.add_model_argument(parser)
    parser.add_argument(
        "--transcript",
        metavar="FILE",
        help="write the exchange with the model to FILE, as Markdown",
    )
    parser.add_argument(
        "--explain-ranking",
        action="store_true",
        help="add every candidate with its score and features",
    )
    parser.add_argument(
        "--force-refresh", action="store_true", help="judge again, even if the report is cached"
    )
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour the output; auto does so on a terminal (default: auto)",
    )


def run(args: argparse.Namespace) -> int:
    """Ask and print; returns the exit code. Raises `UserError`."""
    report, workspace, is_kept = asyncio.run(_explore(args))
    _print(report, workspace, args)
    if not is_kept:
        return BAD_INPUT
    found = report.action != "skip_explore_result" and (report.primary or report.links)
    return ANSWERED if found else NOTHING_FOUND


async def _explore(args: argparse.Namespace) -> tuple[Report, Workspace, bool]:
    """The report, its workspace, and whether the transcript was written if one was wanted."""
    from explorer_core.workspace import WorkspaceError

    question = _question(args.question)
    folders = common.folders(args)
    settings = common.settings(args)
    transcript_file = _transcript_file(args.transcript)
    try:
        workspace = await asyncio.to_thread(_open, folders, settings)
        request = _request(question, args, workspace)
    except WorkspaceError as error:
        raise UserError(str(error)) from error
    pool = common.workers_ahead(workspace)
    first_look = await _first_look(workspace, request, pool) if pool else None
    # The rest of the program loads while the workers start and the files are searched.
    await asyncio.to_thread(importlib.import_module, "explorer_core.explorer")
    from explorer_core.explorer import ExploreError, Explorer
    from explorer_core.index.index import Index
    from explorer_core.judges.models.transcript import Transcript
    from lsp_server.terminal.console import progress

    transcript = Transcript()
    try:
        explorer = Explorer(workspace, index=Index.open(workspace, pool), first_look=first_look)
        try:
            async with progress(sys.stderr, args.color) as show:
                report = await explorer.explore(
                    request,
                    on_event=lambda event: show(event.message, event.fraction),
                    explain_ranking=args.explain_ranking,
                    transcript=transcript,
                )
        finally:
            await explorer.close()
            is_kept = transcript_file is None or _write_transcript(
                transcript_file, transcript.markdown() or _EMPTY_TRANSCRIPT
            )
    except (ExploreError, WorkspaceError) as error:
        raise UserError(str(error)) from error
    return report, workspace, is_kept


async def _first_look(workspace: Workspace, request: ExploreRequest, pool: Pool) -> FirstLook:
    """The part of the work that can begin before there is an index. Raises `UserError`."""
    from explorer_core.channels.earlier import asked
    from explorer_core.channels.question.query import understand
    from explorer_core.channels.readiness.first_files import main_languages
    from explorer_core.channels.readiness.first_look import first_look
    from explorer_core.registry.traits import aside_from
    from explorer_core.workspace import WorkspaceError

    try:
        look = await first_look(workspace)
    except WorkspaceError as error:
        raise UserError(str(error)) from error
    pool.warm(main_languages(look.files), most=common.WORKERS_AHEAD)
    return look.started(understand(asked(request)), request.scope, aside_from)


def _transcript_file(path: str | None) -> Path | None:
    """The file for the transcript. It is checked to be writable before any model is paid for."""
    if path is None:
        return None
    file = Path(path)
    try:
        file.touch()
    except OSError as error:
        raise UserError(f"--transcript {path} cannot be written: {error.strerror}.") from error
    return file


def _write_transcript(file: Path, transcript: str) -> bool:
    """Write the transcript. A failure only prints a message, since the answer was paid for."""
    try:
        file.write_text(transcript, encoding="utf-8")
    except OSError as error:
        common.print_notice(f"--transcript {file} cannot be written: {error.strerror}.")
        return False
    return True


def _open(folders: list[str], settings: Settings) -> Workspace:
    from explorer_core.workspace import Workspace

    return Workspace.open(*folders, settings=settings)


def _question(argument: str | None) -> str:
    if argument is not None and argument != "-":
        return argument
    if argument is None and sys.stdin.isatty():
        raise UserError("Ask a question, for example: sightline explore 'How is a user created?'")
    data = sys.stdin.buffer.read(_STDIN_LIMIT_BYTES)
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data.decode("utf-16" if utf16 else "utf-8-sig", errors="replace")


def _request(question: str, args: argparse.Namespace, workspace: Workspace) -> ExploreRequest:
    from lsp_server.protocol import AnchorParams, BadRequest, ExploreParams, explore_request

    try:
        anchor = _anchor(args.anchor, workspace) if args.anchor else None
        params = ExploreParams(
            query=question,
            intent=args.intent,
            scope=tuple(args.scope),
            anchor=anchor and AnchorParams(path=anchor[0], line=anchor[1]),
            keywords=tuple(args.keyword),
            judge=args.judge or "auto",
            force_refresh=args.force_refresh,
        )
        return explore_request(params)
    except BadRequest as error:
        raise UserError(str(error)) from error


def _anchor(argument: str, workspace: Workspace) -> tuple[str, int]:
    """The anchor's workspace path and line. An absolute path, or one relative to the current
    folder, works too."""
    from explorer_core.workspace.presence import exists
    from lsp_server.protocol import check_line

    path, _, digits = argument.rpartition(":")
    line = whole_number(digits)
    if not path or not line:
        raise UserError(
            f"--anchor {argument[:200]} is not of the form PATH:LINE, such as src/app.py:12."
        )
    if Path(path).is_absolute():
        path = workspace.relative(path)
    path = path.replace("\\", "/") if "\\" in path and not _exists(workspace, path) else path
    if not _exists(workspace, path) and exists(Path(path)):
        path = workspace.relative(os.path.realpath(path))
    check_line(path, line, workspace.read(path).lines)
    return path, line


def _exists(workspace: Workspace, path: str) -> bool:
    from explorer_core.workspace import WorkspaceError
    from explorer_core.workspace.presence import is_file

    try:
        return is_file(workspace.absolute(path))
    except WorkspaceError:
        return False


def _print(report: Report, workspace: Workspace, args: argparse.Namespace) -> None:
    """Print the report: laid out for people at a terminal, otherwise in the plain formats."""
    from explorer_core.report import render_markdown, render_text
    from lsp_server.terminal.console import print_for_people, wants_colour

    if args.format == "json":
        print(_json(report))
        return
    if args.format == "markdown":
        print(render_markdown(report), end="")
    elif sys.stdout.isatty() or wants_colour(args.color, sys.stdout):
        from explorer_core.report.terminal import terminal_report

        shown = terminal_report(report, lambda path, _: workspace.absolute(path).as_uri())
        print_for_people(shown, args.color)
    else:
        print(render_text(report, workspace.settings.report_chars), end="")
    for line in _ranking(report):
        print(line)


def _ranking(report: Report) -> Iterator[str]:
    """One line per ranked candidate: score, place, symbol, and the features behind the score."""
    from explorer_core.report.printable import printable

    for place in report.candidates or ():
        lines = f":{place.range.start}-{place.range.end}" if place.range else ""
        features = " ".join(f"{name}={value:.3g}" for name, value in place.features.items())
        where = printable(f"{place.path}{lines} {place.symbol or '-'}")
        yield f"{place.score:8.3f} {where}  {features}".rstrip()


def _json(report: Report) -> str:
    """The report's JSON, in ASCII if standard output is not UTF-8, so that nothing is lost."""
    encoding = (sys.stdout.encoding or "").replace("-", "").lower()
    if encoding == "utf8":
        return report.to_json()
    return json.dumps(json.loads(report.to_json()), indent=2)
