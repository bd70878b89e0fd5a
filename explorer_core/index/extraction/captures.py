"""The main captures of queries, each with the function that handles its matches.

`docs/languages.md` explains them. References are handled in `extract`, since nearly all matches are
references.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from explorer_core.index.extraction.channel_operations import Channels
from explorer_core.index.extraction.definitions import Definitions
from explorer_core.index.extraction.drafts import Draft
from explorer_core.index.extraction.emissions import Emissions
from explorer_core.index.extraction.imports import Imports
from explorer_core.index.extraction.lambdas import Lambdas
from explorer_core.index.extraction.messages import Messages
from explorer_core.index.extraction.placements import Placements
from explorer_core.index.extraction.references import RANKS, References
from explorer_core.index.extraction.registrations import registers
from explorer_core.index.extraction.source import span
from explorer_core.index.extraction.supertypes import Supertypes
from explorer_core.index.extraction.templates import Templates
from explorer_core.index.extraction.texts import Texts
from explorer_core.index.extraction.topics import Topics
from explorer_core.index.extraction.types import Types

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_PACKAGE_LENGTH = 200
"""How many characters of a package's name are kept."""


class Match(msgspec.Struct, frozen=True, gc=False):
    """A match of a pattern. ``group`` and ``detail`` are its main capture before and after the
    dot."""

    group: str
    detail: str
    pattern: int
    node: Node
    captures: dict[str, list[Node]]

    def part(self, capture: str) -> Node:
        """Returns the node of another capture; the first if there are several."""
        return self.captures[capture][0]


class Gathered:
    """Everything that the matches in one file have said so far."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.definitions = Definitions(source, spec)
        self.references = References(source, spec)
        self.imports = Imports(source, spec)
        self.supertypes = Supertypes(source, spec)
        self.types = Types(source, spec)
        self.lambdas = Lambdas(source)
        self.embedded: dict[int, tuple[str, int]] = {}
        self.packages: list[tuple[str, int]] = []
        """The declared packages, each with the end of its body, or 0 if it has none."""
        self.macro_bodies: list[tuple[int, int]] = []
        self.channels = Channels(source, spec)
        self.markup_expressions: dict[int, tuple[int, str]] = {}
        """The expressions in markup: start, then end and what the capture says of it."""
        self.member_pointers: dict[int, list[tuple[int, int]]] = {}
        """The spans of members that calls are given pointers to, by where a call's arguments
        begin."""
        self.placements = Placements(source)
        self.emissions = Emissions(source, spec)
        self.topics = Topics(source)
        self.messages = Messages(source, spec)
        self.texts = Texts(source, spec)
        self.templates = Templates(source, spec)
        self.macro_tokens: dict[tuple[int, int], bool] = {}
        """The spans of what macros are given, and whether that may declare something."""

    def note(self, role: str, pattern: int, captures: dict[str, list[Node]]) -> None:
        """Handles a match of a pattern whose main capture is ``role``."""
        group, detail, handler = _handler(role)
        handler(self, Match(group, detail, pattern, captures[role][0], captures))


def _definition(gathered: Gathered, match: Match) -> None:
    captures = match.captures
    if "called" in captures and not registers(match.node, captures, gathered.spec):
        return
    draft = Draft.of(match.detail, match.pattern, match.node, match.captures)
    gathered.definitions.add(draft)


def _extent(gathered: Gathered, match: Match) -> None:
    gathered.definitions.extents.note(match.group, match.node, match.part("name"))


def _region(gathered: Gathered, match: Match) -> None:
    gathered.definitions.add_region(match.group, match.node, match.captures)


def _import(gathered: Gathered, match: Match) -> None:
    gathered.imports.add(match.node, match.captures)
    gathered.definitions.add_silent_region(match.node)


def _package(gathered: Gathered, match: Match) -> None:
    """Notes a declared package, with its full path if it is nested. With ``within`` it replaces the
    package declared before it, as a part of that."""
    start, packages = match.node.start_byte, gathered.packages
    name = gathered.source.one_line(start, match.node.end_byte, _PACKAGE_LENGTH)
    enclosing = [package for package, end in packages if start < end]
    if match.detail == "within" and packages:
        enclosing.append(packages.pop()[0])
    body = match.captures.get("body")
    path = f"{enclosing[-1]}.{name}" if enclosing else name
    packages.append((path, body[0].end_byte if body else 0))
    gathered.definitions.add_silent_region(match.node)


def _pointer(gathered: Gathered, match: Match) -> None:
    """Notes a pointer to a member under the call that is given it. The pointer may be wrapped in a
    call of its own (``overload<int>(&A::b)``)."""
    argument_list = _parent(_parent(match.node))
    if argument_list is not None and argument_list.named_child_count == 1:
        argument_list = _parent(_parent(argument_list))
    if argument_list is not None and gathered.source.flat[argument_list.start_byte] == "(":
        gathered.member_pointers.setdefault(argument_list.start_byte, []).append(span(match.node))


def _parent(node: Node | None) -> Node | None:
    return None if node is None else node.parent


def _message(gathered: Gathered, match: Match) -> None:
    if match.detail == "in":
        gathered.messages.note_sent(match.node)
    else:
        arm, is_single_call = match.part("done"), "value" in match.captures
        gathered.messages.note_matched(match.node, arm, is_single_call=is_single_call)


def _tokens(gathered: Gathered, match: Match) -> None:
    tokens = span(match.node)
    gathered.macro_tokens[tokens] = match.detail == "items" or gathered.macro_tokens.get(
        tokens, False
    )
    if match.detail == "items":
        gathered.templates.note_use(match.node)


def _template(gathered: Gathered, match: Match) -> None:
    gathered.templates.note(match.part("name"), match.node)


def _expression(gathered: Gathered, match: Match) -> None:
    start, end = span(match.node)
    previous_detail = gathered.markup_expressions.get(start, (0, ""))[1]
    gathered.markup_expressions[start] = end, match.detail or previous_detail


def _embedded(gathered: Gathered, match: Match) -> None:
    start, kind = match.node.start_byte, match.captures.get("kind")
    kind_text = gathered.source.text(kind[0]) if kind else ""
    language = gathered.spec.embedded.get(kind_text.lower())
    if language and (kind or start not in gathered.embedded):
        gathered.embedded[start] = (language, match.node.end_byte)
    elif kind:
        gathered.embedded.pop(start, None)


_Handler = Callable[[Gathered, Match], None]
_HANDLERS: dict[str, _Handler] = {
    "definition.": _definition,
    "returns.of": lambda gathered, match: gathered.definitions.separate_types.append(
        (match.part("name"), match.part("returns"))
    ),
    "extent": _extent,
    "decorated": _extent,
    "attribute": lambda gathered, match: gathered.definitions.extents.attributes.append(
        (match.node.end_byte, match.node.start_byte)
    ),
    "static": lambda gathered, match: gathered.definitions.static_spans.append(
        (match.node.end_byte, match.node.start_byte)
    ),
    "hoisted": lambda gathered, match: gathered.definitions.frames.hoist(match.node),
    "global": lambda gathered, match: gathered.definitions.globals.append(match.node),
    "initial": lambda gathered, match: gathered.definitions.initial_values.note(
        match.part("declared_with"), match.node
    ),
    "region": _region,
    "unbound": _region,
    "scope": _region,
    "block": _region,
    "supertype.": lambda gathered, match: gathered.supertypes.note(
        match.detail, match.node, match.captures
    ),
    "type.": lambda gathered, match: gathered.types.note(match.detail, match.node, match.captures),
    "lambda.": lambda gathered, match: gathered.lambdas.note(
        match.detail, match.node, match.captures
    ),
    "quoted": lambda gathered, match: gathered.references.add_quoted_type(match.node),
    "pattern": lambda gathered, match: gathered.references.pattern_spans.append(span(match.node)),
    "import": _import,
    "declared": lambda gathered, match: gathered.imports.declare(match.node),
    "export": lambda gathered, match: gathered.imports.export(match.captures),
    "package": _package,
    "package.within": _package,
    "macro": lambda gathered, match: gathered.macro_bodies.append(span(match.node)),
    "passage.": lambda gathered, match: gathered.channels.note(match.detail, match.node),
    "message.": _message,
    "placed": lambda gathered, match: gathered.placements.note(
        match.node, match.part("owner"), match.captures.get("name", [])
    ),
    "placed.assigned": lambda gathered, match: gathered.placements.note_assignment(
        match.part("owner"), match.node
    ),
    "pointer": _pointer,
    "emitted": lambda gathered, match: gathered.emissions.emit(match.node),
    "listener": lambda gathered, match: gathered.emissions.listen(
        match.part("owner"), match.node, match.part("value")
    ),
    "topic": lambda gathered, match: gathered.topics.note(match.node),
    "template": _template,
    "tokens": _tokens,
    "tokens.items": _tokens,
    "expression": _expression,
    "expression.": _expression,
    "embedded": _embedded,
}
"""The handlers by main capture, or by the group up to the dot for all captures of a group."""


@functools.cache
def _handler(role: str) -> tuple[str, str, _Handler]:
    """Returns the group and the detail of a main capture, and its handler."""
    group, dot, detail = role.partition(".")
    return group, detail, _HANDLERS.get(role) or _HANDLERS[group + dot]


def is_main(capture: str) -> bool:
    """Whether a capture is a main capture, rather than a part of a match."""
    group = capture[: capture.find(".") + 1]
    return capture in RANKS or capture in _HANDLERS or group in _HANDLERS
