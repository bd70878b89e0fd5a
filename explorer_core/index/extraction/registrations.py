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

_CALLEE = 600
_NAME = 120
"""How many characters are kept of either part of a registration's name."""
_JOINTS = " .?!:&->"
"""What may stand between the end of a call and the name of what is called on it."""


def registers(call: Node, captures: dict[str, list[Node]], spec: LanguageSpec) -> bool:
    """Whether a call that is given a string and a function may register the function.

    It has to be a statement, or the start of a chain of calls that is one (``app.get("/",
    f).named("x")``). A bare name called with a sentence (``it "adds both"``) does not register: a
    sentence describes, and is no name to go by.
    """
    called = captures["called"]
    is_bare = len(called) == 1 and not called[0].named_child_count
    if is_bare and any(len((text.text or b"").split()) > 1 for text in captures["name"]):
        return False
    holders = spec.statement_holders
    if not holders:  # the query says where it stands
        return True
    node, around = call, call.parent
    while around is not None and around.type not in holders:
        if around.children[0] != node:
            return False
        node, around = around, around.parent
    return around is not None


def leave_chain_out(draft: Draft, source: Source) -> None:
    """Starts a draft at the last call of a chain, if earlier calls are given something in braces.
    These are mostly functions too (``app.task("a", () => {}).task("b", ...)``). They are no part of
    this one, and what they declare is not visible in it."""
    start, end = draft.called or (0, 0)
    begin = source.flat.rfind(")", start, end) + 1
    if "{" in source.flat[start:begin]:
        while source.flat[begin].isspace() or source.flat[begin] in _JOINTS:
            begin += 1
        draft.start, draft.head, draft.called = begin, begin, (begin, end)


def name_of(draft: Draft, source: Source) -> str:
    """Returns the name of a registered function: the callee (the last of a chain) and the
    string."""
    called = draft.called or (0, 0)
    callee = source.one_line(*called, _CALLEE).rpartition(")")[2].lstrip(_JOINTS)
    return f"{callee[:_NAME]}({source.one_line(draft.name_start, draft.name_end, _NAME)})"


def listed(drafts: Collection[Draft], source: Source, spec: LanguageSpec) -> dict[int, bool]:
    """Decides for the registered functions inside of another function whether that is a mere list
    of them.

    Returns this by the start of their strings. The outer one is named, or registered itself. It is
    a list if they are at least half of its code and, if it is named, have several names.
    """
    found: dict[int, bool] = {}
    called = [draft for draft in drafts if draft.called]
    if not called:
        return found
    inside, deeper = _by_function([*called, *(d for d in drafts if _is_named_code(d))])
    for function, calls in inside.items():
        is_list = found.get(function.name_start, True)
        if not function.called:
            names = {name_of(each, source) for each in deeper[function]}
            is_list = function.kind in CALLABLES and len(names) > 1
        is_list = is_list and _are_half_of(function, calls, source, spec)
        in_named = function.called is None or function.name_start in found
        found.update((call.name_start, is_list) for call in calls if in_named or not is_list)
    return found


def _is_named_code(draft: Draft) -> bool:
    return draft.kind in CODE_KINDS and not draft.called


def _by_function(code: list[Draft]) -> tuple[dict[Draft, list[Draft]], dict[Draft, list[Draft]]]:
    """Groups anonymous functions by the innermost other function around them, and by the innermost
    named one; outer ones first."""
    inside: dict[Draft, list[Draft]] = {}
    deeper: dict[Draft, list[Draft]] = {}
    around: list[Draft] = []
    for draft in sorted(code, key=lambda each: (each.start, -each.end)):
        while around and around[-1].end <= draft.start:
            around.pop()
        if draft.called and around:
            inside.setdefault(around[-1], []).append(draft)
            for named in [each for each in around if not each.called][-1:]:
                deeper.setdefault(named, []).append(draft)
        around.append(draft)
    return inside, deeper


def _are_half_of(function: Draft, calls: list[Draft], source: Source, spec: LanguageSpec) -> bool:
    """Whether calls have at least half of a function's lines, without blank lines and line
    comments."""
    code: set[int] = set()
    for line in _lines(function, source):
        text = source.line_text(line).strip()
        if text and not text.startswith(spec.line_comments):
            code.add(line)
    given = {line for call in calls for line in _lines(call, source)}
    return 2 * len(code & given) >= len(code)


def _lines(draft: Draft, source: Source) -> range:
    return range(source.line(draft.start), source.line(draft.end - 1) + 1)
