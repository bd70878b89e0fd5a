"""Recognises anonymous functions that are registered under a string: a route and its handler, a
task and its action, a command and its handler.

``app.get("/users", (req, res) => ...)`` is one. Nothing here knows what such a call is for. It
counts as a registration because nobody uses its result: it is a statement. Registrations in an
ordinary function are parts of that function, unless it consists mostly of them: then it is a list
of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer_core.index.extraction.kinds import CALLABLES, CODE_KINDS

if TYPE_CHECKING:
    from collections.abc import Collection

    from tree_sitter import Node

    from explorer_core.index.extraction.drafts import Draft
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_CALLEE_LENGTH = 600
_NAME_LENGTH = 120
"""How many characters are kept of either part of a registration's name."""
_CHAIN_MARKS = " .?!:&->"
"""What may stand between the end of a call and the name of what is called on it."""


def registers(call: Node, captures: dict[str, list[Node]], spec: LanguageSpec) -> bool:
    """Whether a call that is given a string and a function may register the function.

    It has to be a statement, or the start of a chain of calls that is one (``app.get("/",
    f).named("x")``). A bare name called with a sentence (``it "adds both"``) does not register: a
    sentence describes, and is no name to go by.
    """
    callee = captures["called"]
    is_bare = len(callee) == 1 and not callee[0].named_child_count
    if is_bare and any(len((text.text or b"").split()) > 1 for text in captures["name"]):
        return False
    holders = spec.statement_holders
    if not holders:  # the query says where it stands
        return True
    node, parent = call, call.parent
    while parent is not None and parent.type not in holders:
        if parent.children[0] != node:
            return False
        node, parent = parent, parent.parent
    return parent is not None


def leave_chain_out(draft: Draft, source: Source) -> None:
    """Starts a draft at the last call of a chain, if earlier calls are given something in braces.
    These are mostly functions too (``app.task("a", () => {}).task("b", ...)``). They are no part of
    this one, and what they declare is not visible in it."""
    start, end = draft.callee or (0, 0)
    last_call = source.flat.rfind(")", start, end) + 1
    if "{" in source.flat[start:last_call]:
        while source.flat[last_call].isspace() or source.flat[last_call] in _CHAIN_MARKS:
            last_call += 1
        draft.start, draft.head, draft.callee = last_call, last_call, (last_call, end)


def name_of(draft: Draft, source: Source) -> str:
    """Returns the name of a registered function: the callee (the last of a chain) and the
    string."""
    callee_span = draft.callee or (0, 0)
    name = source.one_line(*callee_span, _CALLEE_LENGTH).rpartition(")")[2].lstrip(_CHAIN_MARKS)
    return (
        f"{name[:_NAME_LENGTH]}({source.one_line(draft.name_start, draft.name_end, _NAME_LENGTH)})"
    )


def registration_lists(
    drafts: Collection[Draft], source: Source, spec: LanguageSpec
) -> dict[int, bool]:
    """Decides for the registered functions inside of another function whether that is a mere list
    of them.

    Returns this by the start of their strings. The outer one is named, or registered itself. It is
    a list if they are at least half of its code and, if it is named, have several names.
    """
    decisions: dict[int, bool] = {}
    callbacks = [draft for draft in drafts if draft.callee]
    if not callbacks:
        return decisions
    by_function, by_named_function = _grouped_by_function(
        [*callbacks, *(d for d in drafts if _is_named_code(d))]
    )
    for function, calls in by_function.items():
        is_list = decisions.get(function.name_start, True)
        if not function.callee:
            names = {name_of(callback, source) for callback in by_named_function[function]}
            is_list = function.kind in CALLABLES and len(names) > 1
        is_list = is_list and _are_half_of(function, calls, source, spec)
        in_named = function.callee is None or function.name_start in decisions
        decisions.update((call.name_start, is_list) for call in calls if in_named or not is_list)
    return decisions


def _is_named_code(draft: Draft) -> bool:
    return draft.kind in CODE_KINDS and not draft.callee


def _grouped_by_function(
    code: list[Draft],
) -> tuple[dict[Draft, list[Draft]], dict[Draft, list[Draft]]]:
    """Groups anonymous functions by the innermost other function around them, and by the innermost
    named one; outer ones first."""
    by_function: dict[Draft, list[Draft]] = {}
    by_named_function: dict[Draft, list[Draft]] = {}
    enclosing: list[Draft] = []
    for draft in sorted(code, key=lambda d: (d.start, -d.end)):
        while enclosing and enclosing[-1].end <= draft.start:
            enclosing.pop()
        if draft.callee and enclosing:
            by_function.setdefault(enclosing[-1], []).append(draft)
            for named in [outer for outer in enclosing if not outer.callee][-1:]:
                by_named_function.setdefault(named, []).append(draft)
        enclosing.append(draft)
    return by_function, by_named_function


def _are_half_of(function: Draft, calls: list[Draft], source: Source, spec: LanguageSpec) -> bool:
    """Whether calls have at least half of a function's lines, without blank lines and line
    comments."""
    code_lines: set[int] = set()
    for line in _lines(function, source):
        text = source.line_text(line).strip()
        if text and not text.startswith(spec.line_comments):
            code_lines.add(line)
    call_lines = {line for call in calls for line in _lines(call, source)}
    return 2 * len(code_lines & call_lines) >= len(code_lines)


def _lines(draft: Draft, source: Source) -> range:
    return range(source.line(draft.start), source.line(draft.end - 1) + 1)
