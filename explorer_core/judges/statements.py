"""Plain sentences for what an edge proves, and never more than that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import splitext

from explorer_core.contracts import Candidate, Relation, SymbolInfo
from explorer_core.credentials import credentials
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.languages import language_of, spec
from explorer_core.index.symbols import CALLBACK, Edge, Symbol, SymbolId

_VERBS: dict[Relation, str] = {
    "calls": "calls",
    "feeds": "sends to",
    "references": "refers to",
    "imports": "imports",
    "extends": "extends",
    "implements": "implements",
    "overrides": "overrides",
    "contains": "contains",
}
_PASSIVES: dict[Relation, str] = {
    "calls": "is called by",
    "feeds": "receives from",
    "references": "is referred to by",
    "imports": "is imported by",
    "extends": "is extended by",
    "implements": "is implemented by",
    "overrides": "is overridden by",
    "contains": "is part of",
}
_PROSE = re.compile(r"[^\W\d_]\w*(?:[^\w\s]*\s+[^\w\s@]*\w+){2,}[^\w\s]*")
_NOT_PROSE = re.compile(r"\w[./\\:#@~]+\w|[`/\\]|\d")
_PLAIN_PATH = re.compile(r"/?:?[\w-]+(?:/:?[\w-]+)*")
_SENTENCE_END = re.compile(r"[.!?](?=\s)")
_BY_NAME = ", judging by the name"
_BY_ADDRESS = ", judging by the address"
_USERS = 2
"""Maximum number of users of something that are named."""


def of_edge(
    graph: SymbolGraph,
    edge: Edge,
    via: Sequence[SymbolId] = (),
    overriding: SymbolId | None = None,
    others: int | None = 0,
) -> str:
    """The sentence for an edge, the symbols it leads on to through ``via``, and the override of its
    target. ``others`` is the number of further overrides, None if they were not counted."""
    sentence = " ".join((called(graph.symbol(edge.source)), *_verb_and_object(graph, edge)))
    if overriding is not None:
        meant = called(graph.symbol(overriding))
        is_held = graph.holds_functions(edge.target)
        sentence += f", which {_may_be(meant, others) if is_held else _overrides(meant, others)}"
    ends = {called(graph.symbol(each)) for each in (edge.source, edge.target)}
    beyond = [name for each in via if (name := called(graph.symbol(each))) not in ends]
    if beyond:
        sentence += f", and continues through {' and '.join(beyond)}"
    return sentence + "."


def _overrides(meant: str, others: int | None) -> str:
    if others is None:
        return f"{meant} and possibly others override"
    if not others:
        return f"{meant} overrides"
    return f"{meant} and {f'{others} others' if others > 1 else 'one other'} override"


def _may_be(meant: str, others: int | None) -> str:
    """What a field is said to hold: its functions do not override one another."""
    if not others:
        return f"may be {meant}"
    return f"may be {meant} or {f'one of {others} others' if others > 1 else 'another'}"


def of_handover(graph: SymbolGraph, edge: Edge, text: str) -> str:
    """The sentence for an edge to a definition passed as a value, with the text on that line. A
    text that could be taken for a file name is left to the quote."""
    source = edge.source
    by = called(graph.symbol(source))
    beside = f' ("{text}")' if _PLAIN_PATH.fullmatch(text) else ""
    return f"{by} passes {_target(graph, edge)}{beside}{_resolution_remark(graph, edge)}."


def of_further_edges(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The sentence for more edges from the same source, after a sentence about it."""
    by_verb: dict[str, list[Edge]] = {}
    for edge in edges:
        by_verb.setdefault(_verb(graph, edge), []).append(edge)
    predicates = (f"{verb} {_targets(graph, alike)}" for verb, alike in by_verb.items())
    return f"It also {' and '.join(predicates)}."


def _targets(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The targets of edges. Those known only by a name or an address come last, with one remark for
    all of them."""
    by: dict[str, list[str]] = {"": []}
    for edge in edges:
        remark = _resolution_remark(graph, edge)
        by.setdefault(remark, []).append(
            _target(graph, edge) + ("" if remark else _or_another(graph, edge))
        )
    known = by.pop("")
    phrases = [_joined(known)] if known else []
    for remark, targets in by.items():
        names = _joined(targets)
        phrases.append(f"{remark.removeprefix(', ')}, {names}" if phrases else f"{names}{remark}")
    return " and, ".join(phrases)


def _joined(parts: Sequence[str]) -> str:
    *others, last = parts or ("",)
    return f"{', '.join(others)} and {last}" if others else last


def _lines(lines: Sequence[int]) -> str:
    return f"line{'s' if len(lines) > 1 else ''} {_joined([*map(str, lines)])}"


def of_further_lines(lines: Sequence[int]) -> str:
    """The sentence for further lines for which the preceding sentence holds."""
    return f"It also does so on {_lines(lines)}."


def of_exit(line: int) -> str:
    """The sentence for an early exit that precedes what was said about a definition."""
    return f"It may exit before that, on line {line}."


def of_exits(lines: Sequence[int]) -> str:
    """The sentence for the early exits of the definition that an answer ends at."""
    return f"It may exit early, on {_lines(lines)}."


def of_caught(by: Symbol) -> str:
    """The sentence for a callee whose errors another definition handles."""
    return f"{called(by)} may catch its errors."


def of_line_below(line: int, head: int) -> str:
    """The sentence that locates the preceding statement below the line that is quoted instead."""
    return f"That is on line {line}, below line {head}."


def of_tested(by: Symbol) -> str:
    """The sentence for a function whose result another definition tests."""
    return f"{called(by)} checks its result."


def _verb_and_object(graph: SymbolGraph, edge: Edge) -> tuple[str, str]:
    """What an edge says about its source: the verb and the object."""
    return _verb(graph, edge), f"{_target(graph, edge)}{_or_another(graph, edge)}"


def _verb(graph: SymbolGraph, edge: Edge) -> str:
    if edge.relation == "overrides" and graph.holds_functions(edge.target):
        return "is assigned to"
    if passed := graph.passed_on(edge):
        return f"passes on {_an(passed)} that has"
    if not _creates_value(graph, edge):
        return _VERBS[edge.relation]
    return "calls the constructor of" if _is_super_call(graph, edge) else "creates"


def _is_super_call(graph: SymbolGraph, edge: Edge) -> bool:
    """Whether an edge to a type comes from the construction of one of its subtypes."""
    above = graph.supertypes(edge.source)
    return graph.is_of_super(edge) or any(each.target == edge.target for each in above)


def by_name_remark(graph: SymbolGraph, edge: Edge) -> str:
    """The remark that an edge is known only by a name or an address; empty if more is known."""
    if not edge.is_by_name:
        return ""
    return _BY_ADDRESS if graph.goes_by_address(edge) else _BY_NAME


def _resolution_remark(graph: SymbolGraph, edge: Edge) -> str:
    """The same if only one target is possible; otherwise the sentence counts the possible ones."""
    return by_name_remark(graph, edge) if edge.namesakes == 1 else ""


def of_target(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The sentence for edges of one relation, with their common target as subject."""
    return f"{called(graph.symbol(edges[0].target))} {_passive_predicate(graph, edges)}."


def of_further_targets(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The sentence for edges of one relation, after a sentence about their common target."""
    return f"It {_passive_predicate(graph, edges)}."


def _passive_predicate(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The predicate for the target of edges of one relation."""
    users = list(dict.fromkeys(_source(graph, edge) for edge in edges))
    named_users, rest = users[:_USERS], users[_USERS:]
    named = f"{', '.join(named_users)} and others" if rest else " and ".join(named_users)
    how = next((how for edge in edges if (how := _resolution_remark(graph, edge))), "")
    return f"{_passive(graph, edges[0])} {named}{how}"


def _passive(graph: SymbolGraph, edge: Edge) -> str:
    """The passive verb for an edge's target."""
    if edge.relation == "overrides" and graph.holds_functions(edge.target):
        return "is assigned"
    if passed := graph.passed_on(edge):
        return f"belongs to {_an(passed)} passed on by"
    if not _creates_value(graph, edge):
        return _PASSIVES[edge.relation]
    of_super = _is_super_call(graph, edge)
    return "has its constructor called by" if of_super else "is created by"


def _creates_value(graph: SymbolGraph, edge: Edge) -> bool:
    """Whether an edge calls a type, or a case of an enum, and so creates a value of it."""
    if edge.relation != "calls":
        return False
    kind = graph.kind(edge.target)
    around = graph.container(edge.target) if kind == "constant" else None
    return kind in CLASS_KINDS or (around is not None and graph.kind(around) == "enum")


def of_text(symbol: Symbol, text: str) -> str:
    """The sentence for text of the question that occurs in a definition."""
    return f'{called(symbol)} contains the text "{text}".'


def first_doc_sentence(symbol: Symbol) -> str:
    """The first sentence of a definition's own documentation; empty if that is no prose, or names
    things that may not have been observed."""
    paragraph = symbol.doc
    if ends := list(_SENTENCE_END.finditer(paragraph)):
        paragraph = paragraph[: ends[0].end()]
    if not _PROSE.fullmatch(paragraph) or _NOT_PROSE.search(paragraph) or credentials(paragraph):
        return ""
    return paragraph.rstrip(".")


def of_documentation(symbol: Symbol, sentence: str) -> str:
    """The sentence that quotes the beginning of a definition's documentation."""
    return f'{called(symbol)} is documented as "{sentence}".'


def of_definition(symbol: Symbol) -> str:
    """The sentence for a definition about which nothing else is known."""
    return f"{called(symbol)} is {_an(symbol.kind)} defined here."


def _an(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def of_line(symbol: Symbol, words: Sequence[str]) -> str:
    """The sentence for a line of a definition that contains words of the question."""
    return f"{called(symbol)} has a line that matches {join_words(words)}."


def of_pointed(symbol: Symbol) -> str:
    """The sentence for a line that the question points at."""
    return f"The question points to this line in {called(symbol)}."


def of_place(candidate: Candidate, symbol: Symbol | None, words: Sequence[str]) -> str:
    """What a place shows: a definition, part of one, or words of the question. Empty if none of
    these is known."""
    if symbol is None or candidate.range is None:
        return f"text that matches {join_words(words)}" if words else ""
    whole = len(candidate.range) >= len(symbol.range)
    return called(symbol) if whole else f"part of {called(symbol)}"


def of_text_alone(text: str) -> str:
    """The sentence for text of the question that occurs outside definitions."""
    return f'The text "{text}" occurs here.'


def of_window(words: Sequence[str]) -> str:
    """The sentence for text outside definitions that contains words of the question."""
    return f"Text that matches {join_words(words)}."


UNDEFINED = "nothing in the index is named {}"
"""Reported for names in the question that nothing has."""
UNKNOWN = "nothing in the index contains {}"
"""Reported for words of the question that occur nowhere."""
MISSING = "no place shown contains {}"
"""Reported for words of the question that occur somewhere, but in no place shown."""
UNFOUND = "the text {} was not found"
"""Reported for text that the question quotes and that occurs nowhere."""
UNSHOWN = "no place shown contains the text {}"
"""Reported for text that the question quotes and that occurs only outside the places shown."""
UNJOINED = "no call connecting these places was found"
"""Reported for places that should form a path from one to the next but do not."""


def called(symbol: Symbol) -> str:
    """A symbol's name as a reader would say it: with its type, without the rest of the path. A file
    goes by its own name. Sections (of text or of keys) keep the full path, because their names say
    little without it."""
    return f"`{_name(symbol)}`"


def info_as_named(symbol: Symbol) -> SymbolInfo:
    """The public description of a symbol, with the name used in sentences."""
    return symbol.info.model_copy(update={"qualified_name": _name(symbol)})


def _name(symbol: Symbol) -> str:
    if symbol.id.is_file:
        return _file_name(symbol.path)
    # Some languages use back-ticks in names, which would end the code span.
    full = symbol.qualified_name.replace("`", "")
    if symbol.kind == "section":
        return full
    if symbol.kind == CALLBACK:
        return symbol.name.replace("`", "")
    around, _, name = full.rpartition(".")
    owner = around.rpartition(".")[2]
    language = language_of(symbol.path)
    if language and (around or name) in spec(language).nameless_exports:
        owner, name = (_module(symbol.path), name if around else "")
    return ".".join(filter(None, (owner, name)))


def _file_name(path: str) -> str:
    """A file's name, with its folder if it is the folder's index file."""
    folder, _, file = path.rpartition("/")
    return f"{folder.rpartition('/')[2]}/{file}" if _is_index(folder, file) else file


def _module(path: str) -> str:
    """The name by which other files import a file."""
    folder, _, file = path.rpartition("/")
    return folder.rpartition("/")[2] if _is_index(folder, file) else splitext(file)[0]


def _is_index(folder: str, file: str) -> bool:
    language = language_of(file)
    return bool(folder) and language is not None and file in spec(language).imports.index_files


def _source(graph: SymbolGraph, edge: Edge) -> str:
    """`called` of an edge's source; "itself" if it is also the target, "another ..." if it has the
    target's name."""
    source, target = graph.symbol(edge.source), graph.symbol(edge.target)
    if source.id == target.id:
        return "itself"
    return f"another {called(source)}" if called(source) == called(target) else called(source)


def _target(graph: SymbolGraph, edge: Edge) -> str:
    """`called` of an edge's target; "itself" if it is also the source, "another ..." if it has the
    source's name. If several uses on the line fit, the overload is left open."""
    source, target = graph.symbol(edge.source), graph.symbol(edge.target)
    if source.id != target.id and called(source) != called(target):
        return called(target)
    at_once = [each for each in graph.uses(source.id) if each.line == edge.line]
    alike = {each.target for each in at_once if called(graph.symbol(each.target)) == called(source)}
    if source.id in alike and len(alike) > 1:
        return f"another {called(target)} or itself"
    return "itself" if source.id == target.id else f"another {called(target)}"


def _or_another(graph: SymbolGraph, edge: Edge) -> str:
    """What a sentence adds if something other than the named target may be meant. Overloads share
    one name, which stands for them all. A value passed by name may reach targets of other names."""
    if edge.is_by_name:
        others = edge.namesakes - 1
        if not others:
            return by_name_remark(graph, edge)
        same_name = edge.relation != "feeds"
    else:
        meant = graph.symbol(edge.target)
        named = {
            called(graph.symbol(each)): graph.symbol(each) for each in graph.alternatives(edge)
        }
        for each in (meant, graph.symbol(edge.source)):
            named.pop(called(each), None)
        others = len(named)
        if others == 1:
            return f" or {next(iter(named))}"
        same_name = all(each.name == meant.name for each in named.values())
    if not others:
        return ""
    which = " or another" if others == 1 else f" or one of {others} others"
    return which + (" with that name" if same_name else by_name_remark(graph, edge))


def join_words(words: Sequence[str]) -> str:
    """The words as a sentence lists them."""
    return ", ".join(f"`{word}`" for word in words)
