"""``sightline cache``: lists, shows, clears or verifies the cache of judged reports."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsp_server.commands import common
from lsp_server.terminal.exits import ANSWERED, NOTHING_FOUND, UserError

if TYPE_CHECKING:
    from explorer_core.cache import Entry, ReportCache

HELP = "list, show, clear or verify the cached judgements"
_SHOWN_KEY = 12
_SHOWN_QUERY = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "action",
        choices=("list", "show", "clear", "verify"),
        help="list: one line each; show: one in full; clear: remove; verify: read every file",
    )
    parser.add_argument("key", nargs="?", help="for show: an entry's key, or the start of one")
    common.add_arguments(parser)
    parser.add_argument(
        "--all", action="store_true", help="entries of all workspaces, not only of this one"
    )
    parser.add_argument("--json", action="store_true", help="as JSON, one object per line")


def run(args: argparse.Namespace) -> int:
    """Run the action and print the result; returns the exit code. Raises `UserError`."""
    from explorer_core.cache import ReportCache, cache_folder

    if args.key is not None and args.action != "show":
        raise UserError(f"cache {args.action} takes no key; only show does.")
    cache = ReportCache(cache_folder(common.settings(args)))
    actions: dict[str, Callable[[ReportCache, argparse.Namespace], int]] = {
        action.__name__.strip("_"): action for action in (_list, _show, _clear, _verify)
    }
    return actions[args.action](cache, args)


def _list(cache: ReportCache, args: argparse.Namespace) -> int:
    entries = _entries(cache, args)
    for entry in entries:
        print(_json(entry) if args.json else _line(entry))
    if not entries:
        _print_why_empty(args)
    return ANSWERED if entries else NOTHING_FOUND


def _show(cache: ReportCache, args: argparse.Namespace) -> int:
    if args.key is None:
        raise UserError("Name the entry to show; sightline cache list lists them all.")
    found = [entry for entry in _entries(cache, args) if entry.name.startswith(args.key)]
    for entry in found:
        print(_json(entry) if args.json else _text(entry))
    if not found:
        common.print_notice(f"There is no entry {args.key}; sightline cache list lists them all.")
    return ANSWERED if found else NOTHING_FOUND


def _clear(cache: ReportCache, args: argparse.Namespace) -> int:
    cleared = [cache.clear(root) for root in ([None] if args.all else _roots(args))]
    files, size = (sum(counts) for counts in zip(*cleared, strict=True))
    if not files:
        _print_why_empty(args)
    if args.json:
        print(common.json_line({"removed_files": files, "removed_bytes": size}))
    else:
        print(f"{files} removed, {size:,} bytes.")
    return ANSWERED


def _verify(cache: ReportCache, args: argparse.Namespace) -> int:
    checked = cache.verify()
    bad = [each for each in checked if each.state == "damaged"]
    for each in checked:
        if args.json:
            record = {"file": each.file, "size_bytes": each.size, "state": each.state}
            print(common.json_line(record))
        elif each.state != "ok":
            print(f"{each.state}: {each.file}")
    if not args.json:
        size = sum(each.size for each in checked)
        print(f"{len(checked)} files, {size:,} bytes, {len(bad)} damaged.")
    return NOTHING_FOUND if bad else ANSWERED


def _entries(cache: ReportCache, args: argparse.Namespace) -> Sequence[Entry]:
    roots = _roots(args)
    return [each for each in cache.entries() if args.all or not roots.isdisjoint(each.roots)]


def _roots(args: argparse.Namespace) -> set[str]:
    from lsp_server.workspace.opening import real_path

    return {str(real_path(folder)) for folder in common.folders(args)}


def _print_why_empty(args: argparse.Namespace) -> None:
    """Print why there is no entry: empty output would look like a fault."""
    from explorer_core.workspace.presence import is_folder

    if args.all:
        common.print_notice("the cache is empty; only a model's judgements are cached.")
        return
    for root in sorted(_roots(args)):
        is_gone = "" if is_folder(Path(root)) else ", which is not a folder"
        common.print_notice(
            f"nothing is cached for {root}{is_gone}; --all looks at every workspace."
        )


def _line(entry: Entry) -> str:
    from explorer_core.report.printable import printable

    query = printable(" ".join(entry.request.query.split()))
    shown = query if len(query) <= _SHOWN_QUERY else f"{query[:_SHOWN_QUERY]}…"
    created = entry.created_at.astimezone().isoformat(" ", "minutes")
    by = f"{entry.judge} ({entry.model})"
    return f"{entry.name[:_SHOWN_KEY]}  {created}  {by}  {entry.selection.confidence}  {shown}"


def _text(entry: Entry) -> str:
    from explorer_core.report.printable import printable

    selection = entry.selection
    needed = "every file of the workspace" if entry.tree else "the evidence"
    lines = [
        f"key: {entry.name}",
        f"roots: {', '.join(entry.roots)}",
        f"query: {' '.join(entry.request.query.split())}",
        f"intent: {entry.request.intent}",
        f"judge: {entry.judge} ({entry.model}), engine {entry.engine}",
        f"cost: {entry.usage.input_tokens} tokens in, {entry.usage.output_tokens} out",
        f"verdict: {selection.confidence}, {selection.recommended_primary_action}",
        f"depends on: {needed}; files read while judging: {len(entry.fingerprints)}",
    ]
    for choice in selection.flow:
        place = entry.places.get(choice.candidate_id)
        if place is not None and place.range is not None:
            where = f"{place.path}:{place.range.start}-{place.range.end}"
            lines.append(f"  {where} ({choice.role}) {choice.fact}")
    return "\n".join(map(printable, lines))


def _json(entry: Entry) -> str:
    return entry.model_dump_json(by_alias=True)
