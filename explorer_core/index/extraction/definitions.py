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
from explorer_core.index.extraction.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS, VARIABLES
from explorer_core.index.extraction.modifiers import is_defined_here, is_exported, is_static
from explorer_core.index.extraction.patterns import compiled, occurs
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
_ANONYMOUS_BODY = re.compile(r"[^\[(<{]*\{")
"""The beginning of an anonymous type that is no list, table or function."""
_LIST_END = "]>"
"""How a list of such a type ends."""
_NAME_LENGTH = 120
"""How many characters are kept of a name, and of a type that is written out."""
_OWNER_LENGTH = 600
"""How many characters are read of a member's owner, with its type arguments."""
_HEAD_LENGTH = 600
"""How many characters before a name are searched for modifiers of the definition."""


class Definitions:
    """Gathers drafts, then turns them into `Definition` rows and the frames between them."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.drafts: dict[int, Draft] = {}
        self.extents = Extents(source)
        self.locals: list[Node] = []
        self.initial_values = InitialValues(source)
        self.bound_spans: list[tuple[int, int]] = []
        """The spans of names that are bound in place, without a node of their own."""
        self.globals: list[Node] = []
        """Names that a function declares to be the file's."""
        self.separate_types: list[tuple[Node, Node]] = []
        """Names whose type another match than the definition's own declares."""
        self.rows: list[Definition] = []
        self.name_ends: set[int] = set()
        """Where the names of definitions end."""
        self.typed_variables: list[tuple[str, str, Frame, int]] = []
        """Declared variables and members: name, written type, frame around them, line."""
        self.frames = Frames(source)
        self.expanded_macros: set[int] = set()
        """Where the names of macros begin that are expanded at their use."""
        self.static_spans: list[tuple[int, int]] = []
        """The ends and starts of stretches in which methods belong to the type itself."""
        self._regions: list[Region] = []
        self._head_spans: list[tuple[int, int, int]] = []
        """The parts of heads before a definition's own name: start, end, and the ordinal around."""
        self._listed_callbacks: dict[int, bool] = {}
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

    def add_region(self, group: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes an anonymous scope, a block, a region with an owner, or a type whose names are
        variables nowhere."""
        name = ""
        if owner := captures.get("owner"):
            text = self.source.one_line(owner[0].start_byte, owner[0].end_byte, _OWNER_LENGTH)
            name = owner_type(text, self.spec)[:_NAME_LENGTH]
        group = "open" if "open" in captures else group
        code_start = start_of_code(node) if group == "scope" else -1
        self._regions.append(Region(*span(node), group, name, code_start))

    def add_silent_region(self, node: Node) -> None:
        """Notes a statement whose names are bindings rather than references."""
        self._regions.append(Region(*span(node), SILENT))

    def return_type(self, frame: Frame | None) -> str:
        """Returns a function's declared return type; empty for other frames."""
        return self.rows[frame.ordinal].returns if frame and frame.kind in CODE_KINDS else ""

    def head_scopes(self, ends: Iterable[int]) -> dict[int, int]:
        """Maps names (by their ends) that stand in a definition's head before its own name to the
        ordinal around the definition, which uses them: ``Cart.prototype`` in ``Cart.prototype.add =
        ...``, or the callee that an anonymous function is passed to."""
        ordered = sorted(ends) if self._head_spans else []
        return {
            end: scope
            for start, name_start, scope in self._head_spans
            for end in ordered[bisect_right(ordered, start) : bisect_right(ordered, name_start)]
        }

    def settle(self, exports: Collection[str], imported: Collection[int]) -> None:
        """Fills ``rows`` and ``frames``. ``exports`` are names exported by a separate statement,
        ``imported`` the starts of names that import statements bind."""
        self.extents.widen(self.drafts)
        for name, type_node in self.separate_types:
            if draft := self.drafts.get(name.start_byte):
                draft.returns = (type_node.start_byte, type_node.end_byte)
        for name_start in imported:
            self.drafts.pop(name_start, None)
        self.extents.take_attributes(self.drafts)
        self._listed_callbacks = registrations.registration_lists(
            self.drafts.values(), self.source, self.spec
        )
        order: list[tuple[int, int, int, int, Draft | Region]] = []
        order += [(d.start, -d.end, d.kind in TYPE_KINDS, key, d) for key, d in self.drafts.items()]
        order += [(r.start, -r.end, 2, key, r) for key, r in enumerate(self._regions)]
        order.sort()
        frames = self.frames
        for start, minus_end, _, _, item in order:
            outer = frames.enclosing(start, -minus_end)
            outer = outer.parent or outer if outer.name_start in self.expanded_macros else outer
            if isinstance(item, Region):
                frames.add_region(item, outer)
            elif (frame := self._define(item, outer, exports)) is not None:
                frames.add(frame)
        frames.close()
        self._settle_locals(imported)
        for node in self.globals:
            name = self.source.text(node)
            frames.at(node.start_byte).beyond_blocks().global_names.add(name)
        frames.settle()

    def _settle_locals(self, imported: Collection[int]) -> None:
        file_frame = self.frames.file
        file_frame.definition_names.update(row.name for row in self.rows if row.container == TOP)
        for node in self.locals:
            start = node.start_byte
            frame = self.frames.declaring_frame(self.frames.at(start), start)
            is_in_code = frame.kind in CODE_KINDS or frame.kind in NAMELESS_KINDS
            is_of_file = frame is file_frame and start not in imported
            name = self.source.piece(start, node.end_byte)
            declared = is_in_code or is_of_file or self._is_type_parameter(node, frame)
            names_itself = node.end_byte in self.name_ends and name == frame.name
            if declared and not names_itself and name not in frame.definition_names:
                frame.visible.add(name)
                if name in self.initial_values.values:
                    self.initial_values.declare(name, start, frame)
        self.initial_values.settle()
        for start, end in self.bound_spans:
            self.frames.at(start).visible.add(self.source.piece(start, end))

    def _is_type_parameter(self, node: Node, frame: Frame) -> bool:
        """Whether ``node`` is a type parameter of the definition that the frame is."""
        parameter = self.spec.type_parameter
        return bool(parameter) and node.type == parameter and frame.ordinal != TOP

    def _define(self, draft: Draft, outer: Frame, exports: Collection[str]) -> Frame | None:
        """Adds a draft as a definition, if it is one. Returns its frame, if it has one."""
        container = self._enclosing_frame(draft, outer)
        if container is None:
            return None
        outer = container
        if draft.callee and not self._listed_callbacks.get(draft.name_start, outer.runs_with_file):
            return None
        is_in_value = outer.kind in VALUE_KINDS and not self._is_in_type_of(outer, draft)
        has_code = draft.body >= 0  # of a function in its value
        if draft.kind in VALUE_KINDS and (outer.is_in_function or is_in_value) and not has_code:
            self._note_local(draft, outer)
            return None
        owner, name = self._owner_and_name(draft)
        if not name or (self.spec.flat_functions and self._is_macro_block(draft, outer)):
            return None
        if not draft.is_unqualified:
            self.name_ends.add(draft.name_end)
        if self._repeats_type_name(draft, name):
            return None
        return self._add_definition(
            self._definition(draft, outer, owner, name, exports), draft, outer
        )

    def _definition(
        self, draft: Draft, outer: Frame, owner: str, name: str, exports: Collection[str]
    ) -> Definition:
        """Returns the row of a draft that has a name."""
        source, spec = self.source, self.spec
        name_start = self._name_start_after_owner(draft, name, outer) if owner else draft.name_start
        if draft.callee:  # what it is passed to is used by the code around it
            self._head_spans.append((draft.start, draft.callee[1], outer.ordinal))
        line = source.line(name_start)
        owner = owner or outer.owner
        published = name in exports
        if owner in spec.export_objects:
            owner, published = "", True
        kind = self._kind(draft.kind, name, owner, outer)
        head_start, head_end = draft.declaration_head or (draft.start, draft.name_start)
        head = source.flat[head_start : min(head_end, head_start + _HEAD_LENGTH)]
        usable = not outer.is_in_function and not draft.callee  # by other files
        is_in_test = outer.ordinal != TOP and self.rows[outer.ordinal].test
        signature_text = signature(source, spec, draft)
        # A draft that begins with its name may be declared further out.
        hides = spec.functions_hide and draft.start < draft.name_start
        return Definition(
            name=name,
            kind=cast("DefinitionKind", kind),
            container=outer.ordinal,
            start=source.line(draft.start),
            end=source.line(max(draft.start, draft.end - 1)),
            line=line,
            column=source.column(name_start, line),
            signature=signature_text,
            doc=documentation(source, spec, draft.start, draft.head, draft.body),
            owner=owner,
            returns=source.one_line(*draft.returns, _NAME_LENGTH) if draft.returns else "",
            exported=usable and (published or is_exported(spec, name, head, owner, outer.kind)),
            overrides=occurs(spec.override_head, head),
            bodiless=draft.body < 0 and not is_defined_here(spec, kind, signature_text),
            test=is_in_test or occurs(spec.test_head, head),
            static=kind == "method"
            and is_static(spec, signature_text, draft, outer, self.static_spans),
            visible_lines=self.frames.anonymous_lines(outer) if hides else None,
        )

    def _add_definition(self, definition: Definition, draft: Draft, outer: Frame) -> Frame | None:
        """Adds a definition and returns its frame, if it has one."""
        ordinal, name, kind = len(self.rows), definition.name, definition.kind
        self.rows.append(definition)
        if outer.is_in_function:
            for frame in outer.in_function():
                frame.definition_names.add(name)
        type_text = definition.returns or self._wrapped_class(definition, draft)
        if type_text and kind in VARIABLES:
            self.typed_variables.append((name, type_text, outer, definition.line))
        if draft.parameter:  # what it says is said in the function
            return None
        return Frame(ordinal, kind, draft.end, outer, "", draft.start, name, draft.name_start)

    def _wrapped_class(self, definition: Definition, draft: Draft) -> str:
        """Returns the class named before a variable, if nothing else says what the variable
        holds."""
        pattern = self.spec.wrapped_class
        if not pattern or "=" in definition.signature:
            return ""
        match = compiled(pattern).search(self.source.flat, draft.start, draft.name_start)
        return match[1] if match else ""

    def _name_start_after_owner(self, draft: Draft, name: str, outer: Frame) -> int:
        """Returns where a definition's name begins behind its owner, and notes the owner's
        place."""
        is_last = self.source.flat.endswith(name, draft.name_start, draft.name_end)
        start = draft.name_end - len(name) if is_last else draft.name_start
        head = draft.owner[0] if draft.owner else draft.name_start
        self._head_spans.append((head, start, outer.ordinal))
        return start

    def _enclosing_frame(self, draft: Draft, outer: Frame) -> Frame | None:
        """Returns the frame that a definition belongs to; None for a parameter of a function in no
        type."""
        if draft.top:
            return Frame(TOP, "", draft.end, None, visible=outer.visible)  # keeps its own names
        if draft.parameter:
            is_member = outer.parent is not None and outer.parent.kind in TYPE_KINDS
            return outer.parent if is_member else None
        if _precedes_typed_name(draft, outer):
            return outer.parent or outer  # ``struct a { ... } b;`` declares both
        return outer

    def _is_macro_block(self, draft: Draft, outer: Frame) -> bool:
        """Whether a function parsed inside another one is really a macro with a block, in a
        language without nested functions. If it is not indented further than the outer one, it is a
        function after it: the grammar missed the end of the outer one."""
        function = outer.beyond_blocks()
        return (
            function.is_code
            and draft.kind in CODE_KINDS
            and self._indent(draft.start) > self._indent(function.start)
        )

    def _indent(self, offset: int) -> int:
        """Returns how far an offset is from the start of its line."""
        return offset - self.source.flat.rfind("\n", 0, offset)

    def _repeats_type_name(self, draft: Draft, name: str) -> bool:
        """Whether a type is given the name it already has: ``typedef struct a { ... } a``."""
        if draft.kind != "type" or not draft.returns:
            return False
        start, end = draft.returns
        type_name = self.source.piece(start, end)
        return type_name == name and "{" in self.source.flat[end : draft.name_start]

    def _is_in_type_of(self, enclosing: Frame, draft: Draft) -> bool:
        """Whether a field belongs to the anonymous type of another field: to that type itself
        (``struct { a A }``, ``{ a: A }``), not to that of its elements (``[]struct { a A }``)."""
        outer = self.drafts.get(enclosing.name_start)
        if outer is None or outer.returns is None or not outer.kind == draft.kind == "field":
            return False
        (start, end), flat = outer.returns, self.source.flat
        is_list = flat[end - 1] in _LIST_END
        return not is_list and _ANONYMOUS_BODY.match(flat, start, end) is not None

    def _note_local(self, draft: Draft, outer: Frame) -> None:
        """Notes a local variable: no definition, but its name is local and its type may be
        known."""
        name = self.source.piece(draft.name_start, draft.name_end)
        self.name_ends.add(draft.name_end)
        outer = self.frames.declaring_frame(outer, draft.name_start)
        outer.visible.add(name)
        if draft.returns:
            returns = self.source.one_line(*draft.returns, _NAME_LENGTH)
            self.typed_variables.append((name, returns, outer, self.source.line(draft.name_start)))

    def _owner_and_name(self, draft: Draft) -> tuple[str, str]:
        """Returns the owner, if the syntax names it, and the name."""
        if draft.callee:
            return "", registrations.name_of(draft, self.source)
        name = self.source.one_line(draft.name_start, draft.name_end, _NAME_LENGTH).strip("'\"")
        owner = ""
        may_be_path = not (name.isidentifier() or draft.is_unqualified or draft.kind == "section")
        if may_be_path and any(map(str.isalnum, name)):
            owner, name = self._split(name)
        if draft.owner:
            owner = self.source.one_line(*draft.owner, _OWNER_LENGTH)
            for suffix in self.spec.owner_suffixes:
                owner = owner.removesuffix(suffix)
            if owner in self.spec.self_names:
                owner = ""
        return owner_type(owner, self.spec)[:_NAME_LENGTH] if owner else "", name

    def _kind(self, kind: str, name: str, owner: str, outer: Frame) -> str:
        is_member = outer.kind in TYPE_KINDS or bool(owner)
        if kind == "function" and is_member:
            kind = "method"
        if kind == "method" and name in self.spec.constructors:
            return "constructor"
        if kind == "constructor" and owner and name.lstrip("~") != simple_type_name(owner):
            return "method"
        if kind == "variable" and occurs(self.spec.constant, name):
            return "constant"
        if kind == "variable" and outer.kind in TYPE_KINDS:
            return "field"
        return kind


def _precedes_typed_name(draft: Draft, outer: Frame) -> bool:
    """Whether a type, or a constant of it, is written out before the name that has the type."""
    is_type = draft.kind in TYPE_KINDS or draft.kind == "constant"
    return is_type and outer.kind in _TYPED_KINDS and draft.name_end <= outer.name_start
