"""Extracts the `FileFacts` of one file from its text.

The language's query runs over the syntax tree once. Everything else is arithmetic on byte offsets,
since a Python call for each node of a tree is what makes extractors slow. No disk access, no state,
and no exception whatever the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from explorer_core.index import languages
from explorer_core.index.extraction import grammars, preprocessor
from explorer_core.index.extraction.captures import Gathered
from explorer_core.index.extraction.drafts import Draft
from explorer_core.index.extraction.expressions import LONG
from explorer_core.index.extraction.facts import (
    EACH,
    UNNAMED,
    UNSURE,
    FileFacts,
    Pointer,
    TypeBinding,
)
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.listed_methods import listed_methods
from explorer_core.index.extraction.member_macros import NamedMember, named_members
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.references import (
    CALL,
    LABEL,
    LOCAL,
    OTHER,
    RANKS,
    READ,
    USE,
    ranks_of,
    splitter_of,
)
from explorer_core.index.extraction.repairs import most_readable
from explorer_core.index.extraction.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.languages.specification import LanguageSpec

_MINIFIED_SIZE = 20_000
_MINIFIED_LINE = 600
_OWNER_FORMATS = {
    "owner": "{}",
    "owner.type": "<{}>",
    "owner.each": f"{{}}[{EACH}]",
    "owner.made": f"{UNNAMED}{{}}",
    "owner.unless": f"{UNSURE}{{}}",
}
"""Captures for what a name is a member of, and the receivers they become."""
_NOT_LINE_END = re.compile(rb"[^\n]")
_MAX_MACRO_DEPTH = 4
_MAX_ARGUMENTS = 250
_LOOP_HEAD = re.compile(r"(.*?)\s(?:in|of)\s", re.DOTALL)
_WORD = re.compile(r"[\w$]+")
_MARKUP_GROUPS = frozenset({"scope", "block", "emitted"})
_MACRO_GROUPS = frozenset({"scope", "block", "hoisted", "type", "tokens"})


def extract(path: str, text: str) -> FileFacts | None:
    """Returns the facts of ``text``, or None if the language of ``path`` is unknown.

    Text that does not parse yields the facts of the parts that do, with ``has_errors``. Minified
    text (very long lines) yields only its language and length, as nobody reads it.
    """
    language = languages.language_of(path, text)
    if language is None:
        return None
    source = Source(text, languages.spec(language).name_mark)
    if len(text) > _MINIFIED_SIZE and len(text) > _MINIFIED_LINE * len(source.starts):
        return FileFacts(language=language, line_count=source.line_count)
    return _Extraction(language, source).run()


class _Extraction:
    def __init__(self, language: str, source: Source) -> None:
        self.language = language
        self.source = source
        self.spec: LanguageSpec = languages.spec(language)
        self.gathered = Gathered(source, self.spec)
        self.groups: frozenset[str] | None = None
        """The groups of captures to take; None means all."""
        self.separate_spans: list[tuple[int, int]] = []
        """Spans of text parsed together that are independent of each other."""

    def run(self) -> FileFacts:
        if self.spec.code_parts:
            has_errors = self._collect_code_parts()
        else:
            has_errors = (
                self._collect_preprocessed() if self.spec.preprocessor else self._collect_plain()
            )
        self._collect_templates()
        self._collect_tokens()
        gathered = self.gathered
        for start, (language, end) in sorted(gathered.embedded.items()):
            has_errors |= self._collect(language, _embedded_text(self.source.raw, start, end))
        self._collect_expressions()
        gathered.references.add_text_paths(gathered.texts.paths)
        definitions, expressions = gathered.definitions, gathered.references.expressions
        definitions.settle(gathered.imports.exports, gathered.imports.name_starts)
        gathered.references.add_listed_methods(listed_methods(self.source, self.spec, definitions))
        gathered.types.declare(definitions)
        lambda_facts = gathered.lambdas.settle(definitions, expressions)
        types = gathered.types.settle(definitions, expressions, lambda_facts.bindings)
        references = gathered.references
        references.new_value_variables = {
            binding.name for binding in types if _holds_new_object(binding)
        }
        return FileFacts(
            language=self.language,
            line_count=self.source.line_count,
            packages=tuple(dict.fromkeys(package for package, _ in gathered.packages)),
            definitions=tuple(definitions.rows),
            references=references.settle(definitions, lambda_facts.keys, lambda_facts.placeholders),
            imports=gathered.imports.settle(definitions),
            supertypes=gathered.supertypes.settle(definitions),
            types=types,
            lambdas=lambda_facts.lambdas,
            channel_operations=gathered.channels.channel_operations(definitions),
            channel_arguments=gathered.channels.channel_arguments(
                definitions, types, references.captured
            ),
            pointer_pairs=self._pointer_pairs(),
            placements=gathered.placements.settle(definitions, gathered.references.captured),
            emissions=gathered.emissions.emissions(definitions),
            listeners=gathered.emissions.listeners(definitions),
            topics=gathered.topics.settle(definitions),
            addresses=gathered.texts.addresses(definitions),
            handovers=tuple(references.handovers),
            messages=gathered.messages.settle(definitions, references),
            has_errors=has_errors,
        )

    def _pointer_pairs(self) -> tuple[tuple[Pointer, Pointer], ...]:
        """Returns the pairs of members that calls are given two pointers to."""
        pairs = (
            ends for _, ends in sorted(self.gathered.member_pointers.items()) if len(ends) == 2
        )
        return tuple((self._pointer(*first), self._pointer(*second)) for first, second in pairs)

    def _pointer(self, start: int, end: int) -> Pointer:
        """Returns the member that an expression ends in."""
        source = self.source
        name = splitter_of(self.spec).split(source.piece(start, end))[1]
        name_start = end - len(name.encode())
        return Pointer(name, *source.place(name_start))

    def _collect_code_parts(self) -> bool:
        """Reads the code in text of another kind, such as a template; it declares nothing. Errors
        there are ignored, since a piece of it need not be a whole statement."""
        matches = compiled(self.spec.code_parts).finditer(self.source.flat)
        spans = [match.span(match.lastindex) for match in matches if match.lastindex]
        raw = _blanked_outside(self.source.raw, spans, b";\n", self.spec.code_opening.encode())
        root = grammars.parser(self.language).parse(raw).root_node
        self.groups = _MACRO_GROUPS
        self._collect_tree(self.language, root)
        return False

    def _collect_plain(self) -> bool:
        """Reads text as it is, or in the most readable of its repairs."""
        return self._collect_tree(self.language, self._parse_most_readable(self.source.raw))

    def _parse_most_readable(self, raw: bytes) -> Node:
        parse = grammars.parser(self.language).parse
        rules = self.spec.parsing
        return most_readable(self.source, raw, rules, lambda text: parse(text).root_node)

    def _collect(self, language: str, raw: bytes) -> bool:
        """Runs the language's query over ``raw``. Returns whether the text has syntax errors."""
        return self._collect_tree(language, grammars.parser(language).parse(raw).root_node)

    def _collect_tree(self, language: str, root: Node) -> bool:
        spec = languages.spec(language)
        self.gathered.types.documented_type = spec.documented_type
        self.gathered.lambdas.node_roles = spec.lambdas.handed
        grammar = grammars.grammar(language)
        roles = grammar.roles
        ranks = ranks_of(roles)
        captured = self.gathered.references.captured
        add_local = self.gathered.definitions.locals.append
        flat = self.source.flat + "  "
        for pattern, captures in QueryCursor(grammar.query).matches(root):
            rank = ranks[pattern]
            if rank == OTHER:
                is_noted = self.groups is None or roles[pattern].partition(".")[0] in self.groups
                if is_noted and self._is_in_one_span(captures[roles[pattern]][0]):
                    self.gathered.note(roles[pattern], pattern, captures)
                continue
            node = captures[roles[pattern]][0]
            if rank == LOCAL:
                add_local(node)
                continue
            if rank == LABEL:
                self.gathered.references.label_spans[node.start_byte] = node.end_byte
                continue
            end = node.end_byte
            start = node.start_byte
            if rank == USE:
                char = flat[end]
                rank = CALL if char == "(" or (char == " " and flat[end + 1] == "(") else READ
            if len(captures) > 1:
                start = self._note_reference_parts(captures, start, end)
            if end in captured:
                known_rank, known_start = captured[end]
                if rank < known_rank or (rank == known_rank and start >= known_start):
                    continue
            captured[end] = (rank, start)
        if self.groups is None and spec.text_nodes:
            self.gathered.texts.scan(root, spec)
        return root.has_error

    def _note_reference_parts(self, captures: dict[str, list[Node]], start: int, end: int) -> int:
        """Notes what a match says of a reference beside its name. Returns the reference's start."""
        for part, nodes in captures.items():
            if part == "arguments":
                arguments = self.gathered.references.arguments
                arguments[end] = max(arguments.get(end, []), self._argument_starts(nodes), key=len)
            elif part == "receiver":
                start = nodes[0].start_byte
            elif part in _OWNER_FORMATS:
                self._note_owner(_OWNER_FORMATS[part], nodes[0], end)
        return start

    def _note_owner(self, owner_format: str, node: Node, end: int) -> None:
        """Notes what the name that ends at ``end`` is a member of, in the form ``owner_format``."""
        references = self.gathered.references
        owner_start, owner_end = node.start_byte, node.end_byte
        if owner_end - owner_start > LONG and self.source.flat[owner_end - 1] == ")":
            references.long_owners[end] = owner_format, owner_start, owner_end
        elif owner := owner_format.format(self.source.one_line(owner_start, owner_end, LONG)):
            references.owners[end] = owner

    def _argument_starts(self, nodes: list[Node]) -> list[int]:
        """Returns the starts of arguments; those outside of the parentheses as complements."""
        starts: list[int] = []
        for node in nodes:
            if self.source.flat[node.start_byte] == "(":
                starts += [child.start_byte for child in node.named_children if not child.is_extra]
            else:
                starts.append(~node.start_byte)
        return starts[:_MAX_ARGUMENTS]

    def _collect_preprocessed(self) -> bool:
        """Reads text with macros and conditionals, and the uses in macro bodies and conditions."""
        text = preprocessor.readable(self.source, self.spec.parsing)
        members = named_members(text.raw.decode("latin-1"), self.spec)
        root = self._parse_most_readable(_reduced_to_names(text.raw, members))
        has_errors = self._collect_tree(self.language, root)
        self._add_named_members(members)
        self.gathered.references.captured.update(
            (end, (READ, start)) for start, end in text.macro_names
        )
        for start, end in preprocessor.opened_namespaces(self.source, self.gathered.macro_bodies):
            namespace = Draft(start, end, start, end, "namespace", -1, start, top=True)
            self.gathered.definitions.add(namespace)
        bodies = preprocessor.joined(self.source, [*self.gathered.macro_bodies, *text.expressions])
        if bodies:
            self._collect_only(frozenset(), bodies)
        return has_errors

    def _add_named_members(self, members: list[NamedMember]) -> None:
        """Takes the members that macros name, as members of the objects before them."""
        references = self.gathered.references
        for member in members:
            start, end = member.name
            is_code = references.captured.pop(end, None) is not None
            if is_code and member.owner:
                references.captured[end] = (RANKS["reference.argument"], start)
                references.owners[end] = member.owner
                self.gathered.member_pointers.setdefault(member.opening, []).append(member.name)

    def _collect_only(self, groups: frozenset[str] | None, raw: bytes) -> None:
        self.groups, previous = groups, self.groups
        self._collect(self.language, raw)
        self.groups = previous

    def _collect_expressions(self) -> None:
        """Reads the expressions in markup. Names that they bind belong to the element around
        them."""
        spans: list[tuple[int, int]] = []
        for start, (end, detail) in self.gathered.markup_expressions.items():
            text = self.source.flat[start:end]
            loop = _LOOP_HEAD.match(text) if detail == "each" else None
            binding_end = len(text) if detail == "bound" else loop.end(1) if loop else 0
            bound_spans = self.gathered.definitions.bound_spans
            bound_spans += (
                (start + m.start(), start + m.end()) for m in _WORD.finditer(text, 0, binding_end)
            )
            if not detail or loop:
                spans.append((start + (loop.end() if loop else 0), end))
        if spans:
            self.groups = _MARKUP_GROUPS
            self._collect(self.spec.embedded[""], _parenthesised(self.source.raw, spans))
            self.groups = None

    def _collect_templates(self) -> None:
        """Reads the items that macros used at the top of the file stand for."""
        templates, parse = self.gathered.templates, grammars.parser(self.language).parse
        text = templates.items(lambda raw: parse(raw).root_node)
        if not text:
            return
        self._collect_only(None, text)
        self.gathered.definitions.expanded_macros = templates.expanded_macros()
        captured, drafts = self.gathered.references.captured, self.gathered.definitions.drafts
        for end in [end for end, (_, start) in captured.items() if templates.is_substituted(start)]:
            del captured[end]
        for name_start in [
            name_start for name_start in drafts if templates.is_substituted(name_start)
        ]:
            del drafts[name_start]

    def _collect_tokens(self) -> None:
        """Parses what macros are given, which the grammar leaves as tokens, as code. Declarations
        count only at the top of a file or type, where nothing else makes sense."""
        for _ in range(_MAX_MACRO_DEPTH):
            macro_tokens, self.gathered.macro_tokens = self.gathered.macro_tokens, {}
            for declaring, groups in ((True, None), (False, _MACRO_GROUPS)):
                spans = [
                    span for span, may_declare in macro_tokens.items() if may_declare == declaring
                ]
                if spans:
                    self.separate_spans = sorted(spans)
                    self._collect_only(groups, _blanked_outside(self.source.raw, spans))
                    self.separate_spans = []

    def _is_in_one_span(self, node: Node) -> bool:
        """Whether a node lies within one of the independent spans, if there are any: text that is
        not code can make the parser run on into the next span."""
        if not self.separate_spans:
            return True
        index = bisect_right(self.separate_spans, node.start_byte, key=itemgetter(0))
        return index > 0 and node.end_byte <= self.separate_spans[index - 1][1] + 1


def _holds_new_object(binding: TypeBinding) -> bool:
    """Whether a variable holds a newly made object, going by the type's capitalised name."""
    is_type = last_part(binding.type)[:1].isupper()
    return is_type and binding.source in ("construct", "call") and binding.name[:1] != "."


def _embedded_text(raw: bytes, start: int, end: int) -> bytes:
    """Blanks ``raw`` up to ``start`` and cuts it at ``end``, so that offsets and lines stay the
    same."""
    blank = b"\n".join(b" " * len(line) for line in raw[:start].split(b"\n"))
    return blank + raw[start:end]


def _reduced_to_names(raw: bytes, members: list[NamedMember]) -> bytes:
    """Blanks all but the names in macros that name members."""
    text = bytearray(raw)
    for member in members:
        name_start, name_end = member.name
        text[member.start : name_start] = _NOT_LINE_END.sub(b" ", raw[member.start : name_start])
        text[name_end : member.end] = _NOT_LINE_END.sub(b" ", raw[name_end : member.end])
    return bytes(text) if members else raw


def _parenthesised(raw: bytes, spans: list[tuple[int, int]]) -> bytes:
    """Blanks ``raw`` except for some expressions, each put in parentheses."""
    text = bytearray(b" " * len(raw))
    for start, end in spans:
        text[start - 1 : end + 2] = b"(%b);" % raw[start:end]
    return bytes(text)


def _blanked_outside(
    raw: bytes, spans: list[tuple[int, int]], mark: bytes = b";", opening: bytes = b""
) -> bytes:
    """Blanks ``raw`` except for some parts. A ``mark``, which ends a statement and perhaps a
    comment, follows each part. An ``opening`` precedes the first."""
    text = bytearray(b" " * (len(raw) + len(mark)))
    if spans and opening:
        text[spans[0][0] - len(opening) : spans[0][0]] = opening
    for start, end in spans:
        text[start:end] = raw[start:end]
        text[end : end + len(mark)] = mark
    return bytes(text)
