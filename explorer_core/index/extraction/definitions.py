"""Builds the definitions of a file: their ranges, nesting, owners, signatures and documentation."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, cast

from explorer_core.index.extraction import registrations
from explorer_core.index.extraction.documentation import documentation, end_of_code
from explorer_core.index.extraction.drafts import Draft
from explorer_core.index.extraction.extents import Extents
from explorer_core.index.extraction.facts import TOP, Definition, DefinitionKind
from explorer_core.index.extraction.frames import (
    NAMELESS_KINDS,
    Frame,
    Frames,
    Region,
    start_of_code,
)
from explorer_core.index.extraction.initial_values import InitialValues
from explorer_core.index.extraction.kinds import (
    CLASS_KINDS,
    CODE_KINDS,
    TYPE_KINDS,
    VALUE_KINDS,
    VARIABLES,
)
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.references import SILENT, splitter_of
from explorer_core.index.extraction.signatures import signature
from explorer_core.index.extraction.source import span
from explorer_core.index.extraction.type_names import owner_type, simple_type_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tree_sitter import Node

    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_TYPED_KINDS = VALUE_KINDS | CODE_KINDS | {"type"}
"""Kinds whose type may be written out before the name (``struct a { ... } b;``)."""
_OPEN_KINDS = (TYPE_KINDS - CLASS_KINDS) | {"open"}
_OPENED_BODY = re.compile(r"[^\[(<{]*\{")
"""The beginning of an anonymous type that is no list, table or function."""
_CLOSED_LIST = "]>"
"""How a list of such a type ends."""
_NAME = 120
"""How many characters are kept of a name, and of a type that is written out."""
_OWNER = 600
"""How many characters are read of a member's owner, with its type arguments."""
_HEAD = 600
"""How many characters before a name are searched for modifiers of the definition."""


class Definitions:
    """Gathers drafts, then turns them into `Definition` rows and the frames between them."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.drafts: dict[int, Draft] = {}
        self.extents = Extents(source)
        self.locals: list[Node] = []
        self.initial = InitialValues(source)
        self.bound: list[tuple[int, int]] = []
        """The spans of names that are bound in place, without a node of their own."""
        self.globals: list[Node] = []
        """Names that a function declares to be the file's."""
        self.returns: list[tuple[Node, Node]] = []
        """Names whose type another match than the definition's own declares."""
        self.found: list[Definition] = []
        self.named: set[int] = set()
        """Where the names of definitions end."""
        self.values: list[tuple[str, str, Frame, int]] = []
        """Declared variables and members: name, written type, frame around them, line."""
        self.frames = Frames(source)
        self.unfolded: set[int] = set()
        """Where the names of macros begin that are expanded at their use."""
        self.static: list[tuple[int, int]] = []
        """The ends and starts of stretches in which methods belong to the type itself."""
        self._regions: list[Region] = []
        self._heads: list[tuple[int, int, int]] = []
        """The parts of heads before a definition's own name: start, end, and the ordinal around."""
        self._listed: dict[int, bool] = {}
        """For callbacks in functions, by the start of their strings: whether the function lists
        them."""
        self._split = splitter_of(spec).split

    def add(self, draft: Draft) -> None:
        if self.source.flat[draft.end - 1 : draft.end].isspace():
            draft.end = end_of_code(self.source, self.spec, draft.name_end, draft.end)
        registrations.leave_chain_out(draft, self.source)
        known = self.drafts.get(draft.name_start)
        if known is None:
            self.drafts[draft.name_start] = draft
        else:
            known.merge(draft)

    def region(self, group: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes an anonymous scope, a block, a region with an owner, or a type whose names are
        variables nowhere."""
        name = ""
        if owner := captures.get("owner"):
            text = self.source.one_line(owner[0].start_byte, owner[0].end_byte, _OWNER)
            name = owner_type(text, self.spec)[:_NAME]
        group = "open" if "open" in captures else group
        code = start_of_code(node) if group == "scope" else -1
        self._regions.append(Region(*span(node), group, name, code))

    def silent(self, node: Node) -> None:
        """Notes a statement whose names are bindings rather than references."""
        self._regions.append(Region(*span(node), SILENT))

    def result(self, frame: Frame | None) -> str:
        """Returns a function's declared return type; empty for other frames."""
        return self.found[frame.ordinal].returns if frame and frame.kind in CODE_KINDS else ""

    def heads(self, ends: Iterable[int]) -> dict[int, int]:
        """Maps names (by their ends) that stand in a definition's head before its own name to the
        ordinal around the definition, which uses them: ``Cart.prototype`` in ``Cart.prototype.add =
        ...``, or the callee that an anonymous function is passed to."""
        ordered = sorted(ends) if self._heads else []
        return {
            end: around
            for begin, name, around in self._heads
            for end in ordered[bisect_right(ordered, begin) : bisect_right(ordered, name)]
        }

    def settle(self, exports: Collection[str], imported: Collection[int]) -> None:
        """Fills ``found`` and ``frames``. ``exports`` are names exported by a separate statement,
        ``imported`` the starts of names that import statements bind."""
        self.extents.widen(self.drafts)
        for name, returns in self.returns:
            if draft := self.drafts.get(name.start_byte):
                draft.returns = (returns.start_byte, returns.end_byte)
        for name_start in imported:
            self.drafts.pop(name_start, None)
        self.extents.take_attributes(self.drafts)
        self._listed = registrations.listed(self.drafts.values(), self.source, self.spec)
        order: list[tuple[int, int, int, int, Draft | Region]] = []
        order += [(d.start, -d.end, d.kind in TYPE_KINDS, at, d) for at, d in self.drafts.items()]
        order += [(one.start, -one.end, 2, at, one) for at, one in enumerate(self._regions)]
        order.sort()
        frames = self.frames
        for start, minus_end, _, _, item in order:
            around = frames.around(start, -minus_end)
            around = around.parent or around if around.name_start in self.unfolded else around
            if isinstance(item, Region):
                frames.add_region(item, around)
            elif (frame := self._define(item, around, exports)) is not None:
                frames.add(frame)
        frames.close()
        self._settle_locals(imported)
        for node in self.globals:
            name = self.source.text(node)
            frames.at(node.start_byte).beyond_blocks().of_file.add(name)
        frames.settle()

    def _settle_locals(self, imported: Collection[int]) -> None:
        top = self.frames.file
        top.functions.update(one.name for one in self.found if one.container == TOP)
        for node in self.locals:
            start = node.start_byte
            frame = self.frames.holder(self.frames.at(start), start)
            in_code = frame.kind in CODE_KINDS or frame.kind in NAMELESS_KINDS
            of_file = frame is top and start not in imported
            name = self.source.piece(start, node.end_byte)
            declared = in_code or of_file or self._is_parameter(node, frame)
            names_itself = node.end_byte in self.named and name == frame.name
            if declared and not names_itself and name not in frame.functions:
                frame.visible.add(name)
                if name in self.initial.values:
                    self.initial.declare(name, start, frame)
        self.initial.settle()
        for start, end in self.bound:
            self.frames.at(start).visible.add(self.source.piece(start, end))

    def _is_parameter(self, node: Node, frame: Frame) -> bool:
        """Whether ``node`` is a type parameter of the definition that the frame is."""
        parameter = self.spec.type_parameter
        return bool(parameter) and node.type == parameter and frame.ordinal != TOP

    def _define(self, draft: Draft, around: Frame, exports: Collection[str]) -> Frame | None:
        """Adds a draft as a definition, if it is one. Returns its frame, if it has one."""
        holder = self._around(draft, around)
        if holder is None:
            return None
        around = holder
        if draft.called and not self._listed.get(draft.name_start, around.runs_with_file):
            return None
        in_value = around.kind in VALUE_KINDS and not self._is_in_type_of(around, draft)
        has_code = draft.body >= 0  # of a function in its value
        if draft.kind in VALUE_KINDS and (around.is_in_function or in_value) and not has_code:
            self._keep_local(draft, around)
            return None
        owner, name = self._name(draft)
        if not name or (self.spec.flat_functions and self._is_no_function(draft, around)):
            return None
        if not draft.whole:
            self.named.add(draft.name_end)
        if self._repeats(draft, name):
            return None
        return self._keep(self._definition(draft, around, owner, name, exports), draft, around)

    def _definition(
        self, draft: Draft, around: Frame, owner: str, name: str, exports: Collection[str]
    ) -> Definition:
        """Returns the row of a draft that has a name."""
        source, spec = self.source, self.spec
        name_start = self._behind_owner(draft, name, around) if owner else draft.name_start
        if draft.called:  # what it is passed to is used by the code around it
            self._heads.append((draft.start, draft.called[1], around.ordinal))
        line = source.line(name_start)
        owner = owner or around.owner
        published = name in exports
        if owner in spec.export_objects:
            owner, published = "", True
        kind = self._kind(draft.kind, name, owner, around)
        before, name_at = draft.before or (draft.start, draft.name_start)
        head = source.flat[before : min(name_at, before + _HEAD)]
        usable = not around.is_in_function and not draft.called  # by other files
        written = signature(source, spec, draft)
        # A draft that begins with its name may be declared further out.
        hides = spec.functions_hide and draft.start < draft.name_start
        return Definition(
            name=name,
            kind=cast("DefinitionKind", kind),
            container=around.ordinal,
            start=source.line(draft.start),
            end=source.line(max(draft.start, draft.end - 1)),
            line=line,
            column=source.column(name_start, line),
            signature=written,
            doc=documentation(source, spec, draft.start, draft.head, draft.body),
            owner=owner,
            returns=source.one_line(*draft.returns, _NAME) if draft.returns else "",
            exported=usable and (published or self._exported(name, head, owner, around.kind)),
            overrides=_says(spec.override_head, head),
            bodiless=draft.body < 0 and not self._has_its_value(kind, written),
            test=self._is_test(head, around),
            static=kind == "method" and self._is_static(draft, written, around),
            seen=self.frames.nameless(around) if hides else None,
        )

    def _keep(self, definition: Definition, draft: Draft, around: Frame) -> Frame | None:
        """Adds a definition and returns its frame, if it has one."""
        ordinal, name, kind = len(self.found), definition.name, definition.kind
        self.found.append(definition)
        if around.is_in_function:
            for holder in around.in_function():
                holder.functions.add(name)
        written = definition.returns or self._wrapped_class(definition, draft)
        if written and kind in VARIABLES:
            self.values.append((name, written, around, definition.line))
        if draft.parameter:  # what it says is said in the function
            return None
        return Frame(ordinal, kind, draft.end, around, "", draft.start, name, draft.name_start)

    def _wrapped_class(self, definition: Definition, draft: Draft) -> str:
        """Returns the class named before a variable, if nothing else says what the variable
        holds."""
        pattern = self.spec.wrapped_class
        if not pattern or "=" in definition.signature:
            return ""
        named = compiled(pattern).search(self.source.flat, draft.start, draft.name_start)
        return named[1] if named else ""

    def _behind_owner(self, draft: Draft, name: str, around: Frame) -> int:
        """Returns where a definition's name begins behind its owner, and notes the owner's
        place."""
        is_last = self.source.flat.endswith(name, draft.name_start, draft.name_end)
        start = draft.name_end - len(name) if is_last else draft.name_start
        head = draft.owner[0] if draft.owner else draft.name_start
        self._heads.append((head, start, around.ordinal))
        return start

    def _around(self, draft: Draft, around: Frame) -> Frame | None:
        """Returns the frame that a definition belongs to; None for a parameter of a function in no
        type."""
        if draft.top:
            return Frame(TOP, "", draft.end, None, visible=around.visible)  # keeps its own names
        if draft.parameter:
            is_member = around.parent is not None and around.parent.kind in TYPE_KINDS
            return around.parent if is_member else None
        if _is_before_name(draft, around):
            return around.parent or around  # ``struct a { ... } b;`` declares both
        return around

    def _is_no_function(self, draft: Draft, around: Frame) -> bool:
        """Whether a function parsed inside another one is really a macro with a block, in a
        language without nested functions. If it is not indented further than the outer one, it is a
        function after it: the grammar missed the end of the outer one."""
        function = around.beyond_blocks()
        return (
            function.is_code
            and draft.kind in CODE_KINDS
            and self._indent(draft.start) > self._indent(function.start)
        )

    def _indent(self, offset: int) -> int:
        """Returns how far an offset is from the start of its line."""
        return offset - self.source.flat.rfind("\n", 0, offset)

    def _repeats(self, draft: Draft, name: str) -> bool:
        """Whether a type is given the name it already has: ``typedef struct a { ... } a``."""
        if draft.kind != "type" or not draft.returns:
            return False
        start, end = draft.returns
        own = self.source.piece(start, end)
        return own == name and "{" in self.source.flat[end : draft.name_start]

    def _is_in_type_of(self, around: Frame, draft: Draft) -> bool:
        """Whether a field belongs to the anonymous type of another field: to that type itself
        (``struct { a A }``, ``{ a: A }``), not to that of its elements (``[]struct { a A }``)."""
        outer = self.drafts.get(around.name_start)
        if outer is None or outer.returns is None or not outer.kind == draft.kind == "field":
            return False
        (start, end), flat = outer.returns, self.source.flat
        is_several = flat[end - 1] in _CLOSED_LIST
        return not is_several and _OPENED_BODY.match(flat, start, end) is not None

    def _keep_local(self, draft: Draft, around: Frame) -> None:
        """Notes a local variable: no definition, but its name is local and its type may be
        known."""
        name = self.source.piece(draft.name_start, draft.name_end)
        self.named.add(draft.name_end)
        around = self.frames.holder(around, draft.name_start)
        around.visible.add(name)
        if draft.returns:
            returns = self.source.one_line(*draft.returns, _NAME)
            self.values.append((name, returns, around, self.source.line(draft.name_start)))

    def _name(self, draft: Draft) -> tuple[str, str]:
        """Returns the owner, if the syntax names it, and the name."""
        if draft.called:
            return "", registrations.name_of(draft, self.source)
        name = self.source.one_line(draft.name_start, draft.name_end, _NAME).strip("'\"")
        owner = ""
        may_be_path = not (name.isidentifier() or draft.whole or draft.kind == "section")
        if may_be_path and any(map(str.isalnum, name)):
            owner, name = self._split(name)
        if draft.owner:
            owner = self.source.one_line(*draft.owner, _OWNER)
            for suffix in self.spec.owner_suffixes:
                owner = owner.removesuffix(suffix)
            if owner in self.spec.self_names:
                owner = ""
        return owner_type(owner, self.spec)[:_NAME] if owner else "", name

    def _kind(self, kind: str, name: str, owner: str, around: Frame) -> str:
        member = around.kind in TYPE_KINDS or bool(owner)
        if kind == "function" and member:
            kind = "method"
        if kind == "method" and name in self.spec.constructors:
            return "constructor"
        if kind == "constructor" and owner and name.lstrip("~") != simple_type_name(owner):
            return "method"
        if kind == "variable" and _says(self.spec.constant, name):
            return "constant"
        if kind == "variable" and around.kind in TYPE_KINDS:
            return "field"
        return kind

    def _is_test(self, head: str, around: Frame) -> bool:
        inside = around.ordinal != TOP and self.found[around.ordinal].test
        return inside or _says(self.spec.test_head, head)

    def _has_its_value(self, kind: str, signature: str) -> bool:
        """Whether a variable is defined here, in a language where some are only declared."""
        told_of = self.spec.told_of
        return bool(told_of) and kind == "variable" and not _says(told_of, signature)

    def _is_static(self, draft: Draft, signature: str, around: Frame) -> bool:
        """Whether a method is declared static, or stands in a stretch where all methods are."""
        return _says(self.spec.static_signature, signature) or any(
            around.start < start <= draft.start < end for end, start in self.static
        )

    def _exported(self, name: str, head: str, owner: str, around: str) -> bool:
        spec = self.spec
        if _says(spec.hidden_head, head):
            return False
        if spec.exported_name and not _says(spec.exported_name, name):
            return False
        if not spec.exported_head or around in _OPEN_KINDS:
            return True
        is_member = owner or around in TYPE_KINDS or around in ("variable", "field")
        if spec.members_follow_owner and is_member:
            return True
        return _says(spec.exported_head, head)


def _is_before_name(draft: Draft, around: Frame) -> bool:
    """Whether a type, or a constant of it, is written out before the name that has the type."""
    is_type = draft.kind in TYPE_KINDS or draft.kind == "constant"
    return is_type and around.kind in _TYPED_KINDS and draft.name_end <= around.name_start


def _says(pattern: str, text: str) -> bool:
    """Whether a pattern of the language's spec is set and occurs in a text."""
    return bool(pattern) and compiled(pattern).search(text) is not None
