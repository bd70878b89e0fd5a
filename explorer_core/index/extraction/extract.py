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
    PLACE,
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
_OWNERS = {
    "owner": "{}",
    "owner.type": "<{}>",
    "owner.each": f"{{}}[{EACH}]",
    "owner.made": f"{PLACE}{{}}",
    "owner.unless": f"{UNSURE}{{}}",
}
"""Captures for what a name is a member of, and the receivers they become."""
_NO_BREAK = re.compile(rb"[^\n]")
_NESTED_MACROS = 4
_MOST_ARGUMENTS = 250
_LOOP = re.compile(r"(.*?)\s(?:in|of)\s", re.DOTALL)
_WORD = re.compile(r"[\w$]+")
_INSIDE_MARKUP = frozenset({"scope", "block", "emitted"})
_INSIDE_MACROS = frozenset({"scope", "block", "hoisted", "type", "tokens"})


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
        self.noted: frozenset[str] | None = None
        """The groups of captures to take; None means all."""
        self.apart: list[tuple[int, int]] = []
        """Spans of text parsed together that are independent of each other."""

    def run(self) -> FileFacts:
        if self.spec.code_parts:
            has_errors = self._parts()
        else:
            has_errors = self._preprocessed() if self.spec.preprocessor else self._plain()
        self._collect_templates()
        self._collect_tokens()
        gathered = self.gathered
        for start, (language, end) in sorted(gathered.embedded.items()):
            has_errors |= self._collect(language, _alone(self.source.raw, start, end))
        self._collect_expressions()
        gathered.references.named(gathered.texts.paths)
        definitions, expressions = gathered.definitions, gathered.references.expressions
        definitions.settle(gathered.imports.exports, gathered.imports.places)
        gathered.references.listed(listed_methods(self.source, self.spec, definitions))
        gathered.types.declare(definitions)
        settled = gathered.lambdas.settle(definitions, expressions)
        types = gathered.types.settle(definitions, expressions, settled.bindings)
        references = gathered.references
        references.held = {each.name for each in types if _is_made(each)}
        return FileFacts(
            language=self.language,
            line_count=self.source.line_count,
            packages=tuple(dict.fromkeys(package for package, _ in gathered.packages)),
            definitions=tuple(definitions.found),
            references=references.settle(definitions, settled.keys, settled.placeholders),
            imports=gathered.imports.settle(definitions),
            supertypes=gathered.supertypes.settle(definitions),
            types=types,
            lambdas=settled.lambdas,
            passages=gathered.passages.passages(definitions),
            passings=gathered.passages.passings(definitions, types, references.found),
            joints=self._joints(),
            placements=gathered.placements.settle(definitions, gathered.references.found),
            emissions=gathered.emissions.emissions(definitions),
            listeners=gathered.emissions.listeners(definitions),
            topics=gathered.topics.settle(definitions),
            addresses=gathered.texts.addresses(definitions),
            handovers=tuple(references.handovers),
            messages=gathered.messages.settle(definitions, references),
            has_errors=has_errors,
        )

    def _joints(self) -> tuple[tuple[Pointer, Pointer], ...]:
        """Returns the pairs of members that calls are given two pointers to."""
        given = (given for _, given in sorted(self.gathered.pointers.items()) if len(given) == 2)
        return tuple((self._pointer(*first), self._pointer(*second)) for first, second in given)

    def _pointer(self, start: int, end: int) -> Pointer:
        """Returns the member that an expression ends in."""
        source = self.source
        name = splitter_of(self.spec).split(source.piece(start, end))[1]
        at = end - len(name.encode())
        return Pointer(name, *source.place(at))

    def _parts(self) -> bool:
        """Reads the code in text of another kind, such as a template; it declares nothing. Errors
        there are ignored, since a piece of it need not be a whole statement."""
        found = compiled(self.spec.code_parts).finditer(self.source.flat)
        parts = [each.span(each.lastindex) for each in found if each.lastindex]
        raw = _only(self.source.raw, parts, b";\n", self.spec.code_opening.encode())
        root = grammars.parser(self.language).parse(raw).root_node
        self.noted = _INSIDE_MACROS
        self._collect_tree(self.language, root)
        return False

    def _plain(self) -> bool:
        """Reads text as it is, or in the most readable of its repairs."""
        return self._collect_tree(self.language, self._most_readable(self.source.raw))

    def _most_readable(self, raw: bytes) -> Node:
        parse = grammars.parser(self.language).parse
        rules = self.spec.parsing
        return most_readable(self.source, raw, rules, lambda text: parse(text).root_node)

    def _collect(self, language: str, raw: bytes) -> bool:
        """Runs the language's query over ``raw``. Returns whether the text has syntax errors."""
        return self._collect_tree(language, grammars.parser(language).parse(raw).root_node)

    def _collect_tree(self, language: str, root: Node) -> bool:
        spec = languages.spec(language)
        self.gathered.types.documented_type = spec.documented_type
        self.gathered.lambdas.handed = spec.handed
        grammar = grammars.grammar(language)
        roles = grammar.roles
        ranks = ranks_of(roles)
        found = self.gathered.references.found
        add_local = self.gathered.definitions.locals.append
        flat = self.source.flat + "  "
        for pattern, captures in QueryCursor(grammar.query).matches(root):
            rank = ranks[pattern]
            if rank == OTHER:
                wanted = self.noted is None or roles[pattern].partition(".")[0] in self.noted
                if wanted and self._is_of_one(captures[roles[pattern]][0]):
                    self.gathered.note(roles[pattern], pattern, captures)
                continue
            node = captures[roles[pattern]][0]
            if rank == LOCAL:
                add_local(node)
                continue
            if rank == LABEL:
                self.gathered.references.labels[node.start_byte] = node.end_byte
                continue
            end = node.end_byte
            start = node.start_byte
            if rank == USE:
                after = flat[end]
                rank = CALL if after == "(" or (after == " " and flat[end + 1] == "(") else READ
            if len(captures) > 1:
                start = self._take_parts(captures, start, end)
            if end in found:
                known, first = found[end]
                if rank < known or (rank == known and start >= first):
                    continue
            found[end] = (rank, start)
        if self.noted is None and spec.text_nodes:
            self.gathered.texts.scan(root, spec)
        return root.has_error

    def _take_parts(self, captures: dict[str, list[Node]], start: int, end: int) -> int:
        """Notes what a match says of a reference beside its name. Returns the reference's start."""
        for part, nodes in captures.items():
            if part == "arguments":
                arguments = self.gathered.references.arguments
                arguments[end] = max(arguments.get(end, []), self._given(nodes), key=len)
            elif part == "receiver":
                start = nodes[0].start_byte
            elif part in _OWNERS:
                self._take_owner(_OWNERS[part], nodes[0], end)
        return start

    def _take_owner(self, written: str, node: Node, end: int) -> None:
        """Notes what the name that ends at ``end`` is a member of, in the form ``written``."""
        references = self.gathered.references
        first, last = node.start_byte, node.end_byte
        if last - first > LONG and self.source.flat[last - 1] == ")":
            references.long_owners[end] = written, first, last
        elif owner := written.format(self.source.one_line(first, last, LONG)):
            references.owners[end] = owner

    def _given(self, given: list[Node]) -> list[int]:
        """Returns the starts of arguments; those outside of the parentheses as complements."""
        found: list[int] = []
        for node in given:
            if self.source.flat[node.start_byte] == "(":
                found += [each.start_byte for each in node.named_children if not each.is_extra]
            else:
                found.append(~node.start_byte)
        return found[:_MOST_ARGUMENTS]

    def _preprocessed(self) -> bool:
        """Reads text with macros and conditionals, and the uses in macro bodies and conditions."""
        text = preprocessor.readable(self.source, self.spec.parsing)
        members = named_members(text.raw.decode("latin-1"), self.spec)
        root = self._most_readable(_named(text.raw, members))
        has_errors = self._collect_tree(self.language, root)
        self._take_members(members)
        self.gathered.references.found.update((end, (READ, start)) for start, end in text.uses)
        for start, end in preprocessor.namespaces(self.source, self.gathered.macros):
            opened = Draft(start, end, start, end, "namespace", -1, start, top=True)
            self.gathered.definitions.add(opened)
        bodies = preprocessor.together(self.source, [*self.gathered.macros, *text.others])
        if bodies:
            self._collect_only(frozenset(), bodies)
        return has_errors

    def _take_members(self, members: list[NamedMember]) -> None:
        """Takes the members that macros name, as members of the objects before them."""
        references = self.gathered.references
        for each in members:
            start, end = each.name
            is_code = references.found.pop(end, None) is not None
            if is_code and each.owner:
                references.found[end] = (RANKS["reference.argument"], start)
                references.owners[end] = each.owner
                self.gathered.pointers.setdefault(each.opening, []).append(each.name)

    def _collect_only(self, groups: frozenset[str] | None, raw: bytes) -> None:
        self.noted, before = groups, self.noted
        self._collect(self.language, raw)
        self.noted = before

    def _collect_expressions(self) -> None:
        """Reads the expressions in markup. Names that they bind belong to the element around
        them."""
        spans: list[tuple[int, int]] = []
        for start, (end, detail) in self.gathered.expressions.items():
            text = self.source.flat[start:end]
            loop = _LOOP.match(text) if detail == "each" else None
            bound = len(text) if detail == "bound" else loop.end(1) if loop else 0
            names = self.gathered.definitions.bound
            names += ((start + m.start(), start + m.end()) for m in _WORD.finditer(text, 0, bound))
            if not detail or loop:
                spans.append((start + (loop.end() if loop else 0), end))
        if spans:
            self.noted = _INSIDE_MARKUP
            self._collect(self.spec.embedded[""], _bracketed(self.source.raw, spans))
            self.noted = None

    def _collect_templates(self) -> None:
        """Reads the items that macros used at the top of the file stand for."""
        templates, parse = self.gathered.templates, grammars.parser(self.language).parse
        text = templates.items(lambda raw: parse(raw).root_node)
        if not text:
            return
        self._collect_only(None, text)
        self.gathered.definitions.unfolded = templates.unfolded()
        found, drafts = self.gathered.references.found, self.gathered.definitions.drafts
        for end in [end for end, (_, start) in found.items() if templates.is_put_in(start)]:
            del found[end]
        for at in [at for at in drafts if templates.is_put_in(at)]:
            del drafts[at]

    def _collect_tokens(self) -> None:
        """Parses what macros are given, which the grammar leaves as tokens, as code. Declarations
        count only at the top of a file or type, where nothing else makes sense."""
        for _ in range(_NESTED_MACROS):
            given, self.gathered.tokens = self.gathered.tokens, {}
            for declares, groups in ((True, None), (False, _INSIDE_MACROS)):
                spans = [span for span, items in given.items() if items == declares]
                if spans:
                    self.apart = sorted(spans)
                    self._collect_only(groups, _only(self.source.raw, spans))
                    self.apart = []

    def _is_of_one(self, node: Node) -> bool:
        """Whether a node lies within one of the independent spans, if there are any: text that is
        not code can make the parser run on into the next span."""
        if not self.apart:
            return True
        at = bisect_right(self.apart, node.start_byte, key=itemgetter(0))
        return at > 0 and node.end_byte <= self.apart[at - 1][1] + 1


def _is_made(binding: TypeBinding) -> bool:
    """Whether a variable holds a newly made object, going by the type's capitalised name."""
    is_type = last_part(binding.type)[:1].isupper()
    return is_type and binding.source in ("construct", "call") and binding.name[:1] != "."


def _alone(raw: bytes, start: int, end: int) -> bytes:
    """Blanks ``raw`` up to ``start`` and cuts it at ``end``, so that offsets and lines stay the
    same."""
    blank = b"\n".join(b" " * len(line) for line in raw[:start].split(b"\n"))
    return blank + raw[start:end]


def _named(raw: bytes, members: list[NamedMember]) -> bytes:
    """Blanks all but the names in macros that name members."""
    text = bytearray(raw)
    for each in members:
        first, last = each.name
        text[each.start : first] = _NO_BREAK.sub(b" ", raw[each.start : first])
        text[last : each.end] = _NO_BREAK.sub(b" ", raw[last : each.end])
    return bytes(text) if members else raw


def _bracketed(raw: bytes, spans: list[tuple[int, int]]) -> bytes:
    """Blanks ``raw`` except for some expressions, each put in parentheses."""
    text = bytearray(b" " * len(raw))
    for start, end in spans:
        text[start - 1 : end + 2] = b"(%b);" % raw[start:end]
    return bytes(text)


def _only(
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
