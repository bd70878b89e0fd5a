"""Collects what the syntax says about the types of variables and attributes.

``cart: Cart``, ``cart = make_cart()`` and ``for cart in carts`` each say something about ``cart``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import msgspec

from explorer_core.index.extraction.expressions import LONG, LONGEST
from explorer_core.index.extraction.facts import (
    ALTERNATIVE,
    EACH,
    ENTERED,
    ENTRY,
    FIRST,
    KEY,
    RESULT,
    VALUE,
    TypeBinding,
    TypeSource,
)
from explorer_core.index.extraction.frames import BLOCK, UNBOUND, Frame, Frames
from explorer_core.index.extraction.kinds import CODE_KINDS, TYPE_KINDS
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.reduced_types import annotated
from explorer_core.index.extraction.supertypes import type_parts
from explorer_core.index.extraction.type_names import BY_KEY, GIVES, OF, bare_type, past

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.expressions import Expressions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_TEXT = 120
_TYPES = ("annotation", "construct", "bound", "limit")
"""Sources that write a type."""
_EXPRESSIONS = ("call", "alias")
"""Sources that write an expression."""
_TAKEN = {
    "member": "",
    "at": "",
    "each": f"[{EACH}]",
    "member_of_each": f"[{EACH}]",
    "entry": f"[{ENTRY}]",
    "first": f"[{FIRST}]",
    "keyed": f"[{VALUE}]",
    "entered": f"[{ENTERED}]",
}
"""Ways to take something out of a value, mapped to the subscripts that express them."""
_LISTED = {"listed": ("alias", "literal"), "each_listed": ("each", "alias")}
"""Ways to bind a written list, or each of its elements: how if an element has a name, and how if
none has."""
_NAMED = re.compile(r"(?:new )?[A-Za-z_$][\w$.]*(?:$|\()")
_UNTYPED = ("table", "literal")
"""Sources of a type without a name."""
_CALLEE = re.compile(r"(?<![\w$])[\w$]+(?:(?:::)?<[^<>]*>)?$")
"""The end of a called expression."""
_PATH = re.compile(r"[\w$.]+")
_BLOCK = re.compile(r"\s*\{")
"""What stands in place of arguments where all that is given is a function."""
_NO_WORD = re.compile(r"\.+")


class _Extent(msgspec.Struct, frozen=True, gc=False):
    """The lines of the part of the text in which a test of a type holds, and the part's start."""

    first: int
    last: int
    begin: int


class _Bound(msgspec.Struct, frozen=True, gc=False):
    """What a match says of a variable's type."""

    at: int
    """The offset at which the variable is bound."""
    name: str
    written: str
    """The type or expression, cut off."""
    how: str
    whole: tuple[int, int] | None = None
    """The span of the expression, if it is longer than what is kept of it."""
    behind: str = ""
    """The subscript or member that follows the expression."""
    of: str = ""
    """What an attribute is set on, if that is no name for the own object: the binding counts only
    in a type of this name."""


class Types:
    """Gathers type bindings. Their scopes are known once definitions are settled."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.documented_type = spec.documented_type
        """The pattern of the language that is being read, which may be embedded in another."""
        self._bound: list[_Bound] = []
        self._within: dict[tuple[int, str], _Extent] = {}
        """Where a tested type of a variable holds, by the test's offset and the variable's name.
        The last one wins."""
        self._declared: list[TypeBinding] = []

    def note(self, how: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes one match of ``@type.how``."""
        if how == "documented":
            self._documented(node)
        elif how == "pairs":
            self._pairs(node, captures["value"][0])
        elif how == "parts":
            parts = (annotated(self._text(part), self.spec) for part in type_parts(node, self.spec))
            # The members of unnamed parts are already known as those of the type.
            named = dict.fromkeys(part for part in parts if part and part[0] != "{")
            self._bound.append(_Bound(node.start_byte, RESULT, ALTERNATIVE.join(named), how))
        else:
            self.bind(how, node, captures)

    def bind(self, how: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes the type of a variable (``@name``), of an attribute (``@field``), or else of the
        enclosing function's result."""
        this = self._text(captures["self"][0]) if "self" in captures else ""
        of = "" if this in self.spec.self_names else this
        field = captures.get("field")
        named = field or captures.get("name")
        name = self._text(named[0]) if named else RESULT
        if how == "placed":
            name, how = self._place(node), "annotation"
        name = "." + name if field else name
        if put := captures.get("put"):
            name = KEY + self._text(put[0]).strip(".")
        first = captures["receiver"][0] if "receiver" in captures else node
        written = self.source.one_line(first.start_byte, node.end_byte, _TEXT)
        if "rest" in captures and (each := annotated(written, self.spec)):
            written = (BY_KEY if self._text(captures["rest"][0]) == "**" else OF) + each
        if how in _LISTED:
            written = self._listed(node)
            how = _LISTED[how][0 if written else 1]
        whole, behind = None, ""
        is_call = self.source.flat[node.end_byte - 1] == ")"
        if how in _TAKEN and how != "at" and len(written) == _TEXT and is_call:
            whole, behind = (first.start_byte, node.end_byte), self._behind(how, captures)
            how = "alias"
        elif how in _TAKEN:
            written, how = self._taken(how, written, captures), "alias"
        elif how == "own":
            written, how = self.spec.self_names[0], "alias"
        elif how == "asked" or (how == "call" and written != name):
            asked = self._with_arguments(written, node.end_byte)
            # Without a class as argument, such a call says nothing more.
            written, how = (asked, "alias") if asked or how == "asked" else (written, how)
        # A variable is bound where its name stands, however far below its value is.
        at = (named[0] if named else node).start_byte
        if how == "call" and written in self.spec.failing_words:
            return  # a failing call gives nothing
        if how in _EXPRESSIONS and len(written) == _TEXT:
            whole = first.start_byte, node.end_byte
        if part := _part(captures):
            at = node.start_byte
            self._within[at, name] = self._extent(node, part, captures)
        self._bound.append(_Bound(at, name, written, how, whole, behind, of))

    def _with_arguments(self, callee: str, end: int) -> str:
        """Returns a call with its arguments, if these decide its result: a call of a function that
        passes its argument on, or a call that is given a class. ``end`` is the end of the called
        expression. Empty for other calls."""
        spec, flat = self.spec, self.source.flat
        width = LONG
        if callee in spec.passed_on:
            begin, prefix = end, callee
        elif callee in spec.listing:
            begin, prefix, width = end, callee, LONGEST
        else:
            name = _CALLEE.search(callee) if spec.asked_class and len(callee) < _TEXT else None
            begin = end - len(name.group().encode()) if name else -1
            asked = name and compiled(spec.asked_class).match(flat, begin, begin + LONG)
            if name is None or not asked:
                return ""
            prefix = callee[: name.start()]
            if flat[asked.end() - 1] == ">" and _BLOCK.match(flat, asked.end()):
                return f"{prefix}{asked.group()}()"
        opening = flat.find("(", begin, begin + width)
        closing = past(flat[begin : begin + width], opening - begin) if opening >= 0 else -1
        if closing <= 0:
            return ""
        return prefix + " ".join(self.source.piece(begin, begin + closing).split())

    def _extent(self, node: Node, part: Node, captures: dict[str, list[Node]]) -> _Extent:
        """Returns the lines of ``part`` in which a test at ``node`` holds: from there on, or after
        ``@behind``."""
        line = self.source.line
        behind = captures.get("behind")
        first = line(behind[0].end_byte - 1) + 1 if behind else line(node.start_byte)
        return _Extent(first, line(max(part.start_byte, part.end_byte - 1)), part.start_byte)

    def _taken(self, how: str, written: str, captures: dict[str, list[Node]]) -> str:
        """Returns the expression for something taken out of another expression or type; empty if
        the written text is cut off."""
        if how == "member":
            is_call = written.endswith(")") and not written.startswith("(")
            written = written if is_call else bare_type(written, self.spec)
        elif len(written) == _TEXT:
            return ""
        if how == "at":
            of = f"{self._text(captures['of'][0])}." if "of" in captures else ""
            place = self._place(captures["item"][0])
            return f"{of}{bare_type(written, self.spec)}[{place}]" if place else ""
        return written + self._behind(how, captures)

    def _behind(self, how: str, captures: dict[str, list[Node]]) -> str:
        """Returns the subscript or member that follows an expression something is taken out of."""
        key = captures.get("key") or captures["name"]
        member = f".{self._text(key[0])}" if how.startswith("member") else ""
        return _TAKEN[how] + member

    def _listed(self, node: Node) -> str:
        """Returns a written list as one line of text. Empty if no element has a name, or if the
        list is long or has brackets in strings."""
        parts = [self._text(each) for each in node.named_children if not each.is_extra]
        written = f"[{', '.join(parts)}]"
        is_short = node.end_byte - node.start_byte <= LONGEST
        is_read = is_short and any(map(_NAMED.match, parts)) and past(written, 0) == len(written)
        return written if is_read else ""

    def _place(self, node: Node) -> str:
        """Returns the index of a node between commas; empty if a rest pattern before it hides the
        count."""
        place, before = 0, node.prev_sibling
        while before is not None:
            if before.is_named and _NO_WORD.fullmatch(self._text(before)):
                return ""
            place += before.type == ","
            before = before.prev_sibling
        return str(place)

    def _documented(self, comment: Node) -> None:
        """Notes the types that a comment gives to what follows it."""
        source = self.source
        described = comment.next_named_sibling
        if described is None or not source.flat.startswith("/**", comment.start_byte):
            return
        pattern = compiled(self.documented_type)
        for match in pattern.finditer(source.flat, comment.start_byte, comment.end_byte):
            parts = match.groupdict()
            name = RESULT if parts["result"] else parts["name"] or ""
            written = parts["result"] or parts["type"]
            if parts.get("member"):
                name = "." + name.lstrip("$")
            if method := parts.get("method"):
                name, written = "." + method, GIVES + parts["gives"]
            self._bound.append(_Bound(described.start_byte, name, written, "annotation"))

    def _pairs(self, targets: Node, values: Node) -> None:
        """Notes ``a, b = f(), c`` as two assignments."""
        if targets.named_child_count != values.named_child_count:
            return
        for target, value in zip(targets.named_children, values.named_children, strict=True):
            this, _, name = self._text(target).rpartition(".")
            if not name.isidentifier() or (this and this not in self.spec.self_names):
                continue
            made = value.child_by_field_name("constructor")
            called = value.child_by_field_name("function") or made
            if not called and not _PATH.fullmatch(self._text(value)):
                continue
            how = "construct" if made else "call" if called else "alias"
            name = f".{name}" if this else name
            self._bound.append(_Bound(target.start_byte, name, self._text(called or value), how))

    def declare(self, definitions: Definitions) -> None:
        """Notes the written types of declared variables and members."""
        for name, written, frame, line in definitions.values:
            member = frame.kind in TYPE_KINDS or frame.kind == "field"
            if kind := annotated(written, self.spec):
                label = "." + name if member else name
                line, until = definitions.frames.seen(frame, name, line)
                bound = TypeBinding(label, kind, frame.ordinal, line, "annotation", until=until)
                self._declared.append(bound)

    def settle(
        self,
        definitions: Definitions,
        expressions: Expressions,
        parameters: Iterable[TypeBinding],
    ) -> tuple[TypeBinding, ...]:
        """Returns the type bindings, with those of the parameters of lambdas, in text order."""
        bindings = [*self._declared, *parameters]
        frames = definitions.frames
        same: set[tuple[int, str, int]] = set()
        """Variables that mean the same as the name does around their block."""
        for bound in self._bound:
            name, how = bound.name, bound.how
            written = bound.written
            if bound.whole:
                written = expressions.text(*bound.whole) + bound.behind
            text = annotated(written, self.spec) if how in _TYPES else written
            seen = frames.at(bound.at)
            if bound.of and not _is_of_type_around(seen, bound.of):
                continue
            if how in _UNTYPED or (how == "bound" and text == name):
                text = self.spec.text_type if how == "literal" and text[:1] == '"' else ""
            elif not text:
                continue
            elif name == KEY + text and _holder(seen, text) is None:
                continue  # what is no variable of a function is known by the name in the object
            elif text == name and how not in ("annotation", "call", "default"):
                same.add((seen.ordinal, name, frames.seen(seen, name, 0)[1]))
                continue
            if frames.of_variable(seen, name).kind == UNBOUND:
                continue
            if (within := self._within.get((bound.at, name))) is not None:
                found = _narrowed(bound, within, text, definitions)
            else:
                found = self._binding(bound, text, seen, frames)
            bindings += [found] if found is not None else []
        bindings += (each for each in _untyped(bindings, definitions) if _key(each) not in same)
        return tuple(sorted(dict.fromkeys(bindings), key=lambda one: (one.line, one.name)))

    def _binding(self, bound: _Bound, text: str, seen: Frame, frames: Frames) -> TypeBinding | None:
        """Returns the binding of a variable in a frame to the type or expression ``text``. None for
        the result of what returns nothing."""
        name, frame = bound.name, frames.of_variable(seen, bound.name)
        if self.spec.assigns_outer and name.isidentifier():
            frame = _holder(seen, name) or frames.file
        if name == RESULT:
            frame = frames.definition(frame)
        name = name or frame.name
        returns = frame.kind in CODE_KINDS and frame.parent is not None
        if name == RESULT and not returns and bound.how != "parts":
            return None
        its_own = frame.name == name and frame.kind not in CODE_KINDS
        if its_own and frame.parent is not None:
            seen = frame = frame.parent
            name = "." + name if frame.kind in TYPE_KINDS else name
        elif name.startswith("."):
            frame = frame.type_frame() or frame
        line, until = frames.seen(seen, name, self.source.line(bound.at))
        source = cast("TypeSource", bound.how)
        return TypeBinding(name, text, frame.ordinal, line, source, until=until)

    def _text(self, node: Node) -> str:
        return self.source.one_line(node.start_byte, node.end_byte, _TEXT)


def _is_of_type_around(frame: Frame, name: str) -> bool:
    """Whether the innermost type around a frame has this name."""
    around = frame.type_frame()
    return around is not None and around.name == name


def _part(captures: dict[str, list[Node]]) -> Node | None:
    """Returns the part of the text in which a tested type holds: ``@within``, or what is around the
    statement ``@behind``. A query that captured the latter itself would have to try every block."""
    if within := captures.get("within"):
        return within[0]
    behind = captures.get("behind")
    return behind[0].parent if behind else None


def _narrowed(
    bound: _Bound, within: _Extent, text: str, definitions: Definitions
) -> TypeBinding | None:
    """Returns the binding that a test of a variable's type makes, for the lines on which it holds.
    None if there are none, or if an inner variable of the same name hides it there."""
    name, frames = bound.name, definitions.frames
    seen, inner = frames.at(bound.at), frames.at(within.begin)
    around = _holder(seen, name) if definitions.locals else seen.beyond_blocks()
    is_hidden = inner.start > bound.at and name in inner.own
    if around is None or within.first > within.last or is_hidden:
        return None
    source = cast("TypeSource", bound.how)
    return TypeBinding(name, text, around.ordinal, within.first, source, until=within.last)


def _untyped(bindings: list[TypeBinding], definitions: Definitions) -> Iterator[TypeBinding]:
    """Yields an empty binding for each untyped variable of a block that hides a typed one of the
    same name."""
    typed: dict[tuple[int, str], list[TypeBinding]] = {}
    for binding in bindings:
        typed.setdefault((binding.scope, binding.name), []).append(binding)
    for frame in definitions.frames.all:
        for name in frame.own if frame.kind == BLOCK else ():
            others = typed.get((frame.ordinal, name), [])
            line, until = definitions.frames.lines(frame) if others else (0, 0)
            around = any(not each.until or each.line <= line < each.until for each in others)
            if around and all(each.until != until for each in others):
                yield TypeBinding(name, "", frame.ordinal, line, "alias", until=until)


def _key(binding: TypeBinding) -> tuple[int, str, int]:
    return binding.scope, binding.name, binding.until


def _holder(frame: Frame, name: str) -> Frame | None:
    """Returns the innermost frame that owns a variable."""
    holder: Frame | None = frame
    while holder is not None and name not in holder.own:
        holder = holder.parent
    return holder
