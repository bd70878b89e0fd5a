"""What an edge proves, in one plain sentence. Never more than that."""

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
    "feeds": "hands over to",
    "references": "refers to",
    "imports": "imports",
    "extends": "extends",
    "implements": "implements",
    "overrides": "overrides",
    "contains": "contains",
}
_PASSIVES: dict[Relation, str] = {
    "calls": "is called by",
    "feeds": "takes what is handed over by",
    "references": "is referred to by",
    "imports": "is imported by",
    "extends": "is extended by",
    "implements": "is implemented by",
    "overrides": "is overridden by",
    "contains": "is part of",
}
_PROSE = re.compile(r"[^\W\d_]\w*(?:[^\w\s]*\s+[^\w\s@]*\w+){2,}[^\w\s]*")
_NOT_PROSE = re.compile(r"\w[./\\:#@~]+\w|[`/\\]|\d")
_PLAIN = re.compile(r"/?:?[\w-]+(?:/:?[\w-]+)*")
_SENTENCE_END = re.compile(r"[.!?](?=\s)")
_BY_NAME = ", going by the name"
_BY_ADDRESS = ", going by the address"
_USERS = 2
"""How many of those that use something are told by name, at most."""


def of_edge(
    graph: SymbolGraph,
    edge: Edge,
    via: Sequence[SymbolId] = (),
    overriding: SymbolId | None = None,
    others: int | None = 0,
) -> str:
    """The sentence for an edge, what it leads to through ``via``, and what overrides its target,
    with how many ``others`` do; None where nobody has counted them."""
    said = " ".join((called(graph.symbol(edge.source)), *_leads_to(graph, edge)))
    if overriding is not None:
        said += f", which {called(graph.symbol(overriding))}{_override_with(others)}"
    beyond = [called(graph.symbol(each)) for each in via if each not in (edge.source, edge.target)]
    if beyond:
        said += f", and goes on through {' and '.join(beyond)}"
    return said + "."


def _override_with(others: int | None) -> str:
    if others is None:
        return " and perhaps others override"
    if not others:
        return " overrides"
    return f" and {others} {'others' if others > 1 else 'other'} override"


def of_handed(graph: SymbolGraph, edge: Edge, text: str) -> str:
    """The sentence for an edge to what is handed over as it is, on a line that has a text. One that
    might be taken for the name of a file is left to the quote."""
    source = edge.source
    by = called(graph.symbol(source))
    beside = f' ("{text}")' if _PLAIN.fullmatch(text) else ""
    return f"{by} hands over {_target(graph, edge)}{beside}{_how(graph, edge)}."


def of_further_edges(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The sentence for edges, after one about what they start from."""
    by_verb: dict[str, list[Edge]] = {}
    for edge in edges:
        by_verb.setdefault(_verb(graph, edge), []).append(edge)
    said = (f"{verb} {_targets(graph, alike)}" for verb, alike in by_verb.items())
    return f"It also {' and '.join(said)}."


def _targets(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """What edges lead to, last and once for all what only its name or its address tells."""
    by: dict[str, list[str]] = {"": []}
    for edge in edges:
        how = _how(graph, edge)
        by.setdefault(how, []).append(
            _target(graph, edge) + ("" if how else _or_another(graph, edge))
        )
    known = by.pop("")
    said = [_in_turn(known)] if known else []
    for how, targets in by.items():
        named = _in_turn(targets)
        said.append(f"{how.removeprefix(', ')}, {named}" if said else f"{named}{how}")
    return " and, ".join(said)


def _in_turn(said: Sequence[str]) -> str:
    *others, last = said or ("",)
    return f"{', '.join(others)} and {last}" if others else last


def of_further_lines(lines: Sequence[int]) -> str:
    """The sentence for other lines that the sentence before it holds for."""
    return f"It does so on line{'s' if len(lines) > 1 else ''} {_in_turn([*map(str, lines)])}, too."


def of_exit(line: int) -> str:
    """The sentence for an early exit before what was said of a definition."""
    return f"It may leave before that, on line {line}."


def of_caught(by: Symbol) -> str:
    """The sentence for what is called where another definition handles errors."""
    return f"{called(by)} may catch its errors."


def of_line_below(line: int, head: int) -> str:
    """The sentence for the line of what was said before it, where another one is quoted that it
    stands below."""
    return f"That stands on line {line}, below line {head}."


def of_tested(by: Symbol) -> str:
    """The sentence for what gives what another definition tests."""
    return f"{called(by)} tests what it gives."


def _leads_to(graph: SymbolGraph, edge: Edge) -> tuple[str, str]:
    """What an edge says of its source: the verb, and of what."""
    return _verb(graph, edge), f"{_target(graph, edge)}{_or_another(graph, edge)}"


def _verb(graph: SymbolGraph, edge: Edge) -> str:
    if not _makes(graph, edge):
        return _VERBS[edge.relation]
    return "calls the constructor of" if _is_of_super(graph, edge) else "creates"


def _is_of_super(graph: SymbolGraph, edge: Edge) -> bool:
    """Whether an edge to a type is from what is made of it as one of its subtypes."""
    above = graph.supertypes(edge.source)
    return graph.is_of_super(edge) or any(each.target == edge.target for each in above)


def going_by(graph: SymbolGraph, edge: Edge) -> str:
    """What a sentence says of how an edge is known that is told by a name or an address alone;
    empty where it is known by more."""
    if not edge.is_by_name:
        return ""
    return _BY_ADDRESS if graph.goes_by_address(edge) else _BY_NAME


def _how(graph: SymbolGraph, edge: Edge) -> str:
    """The same, where nothing else has the name; else it is told of how many may be meant."""
    return going_by(graph, edge) if edge.namesakes == 1 else ""


def of_target(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The sentence for edges of one relation, told of what they lead to."""
    return f"{called(graph.symbol(edges[0].target))} {_led_to_by(graph, edges)}."


def of_further_targets(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """The sentence for edges of one relation, after one about what they lead to."""
    return f"It {_led_to_by(graph, edges)}."


def _led_to_by(graph: SymbolGraph, edges: Sequence[Edge]) -> str:
    """What edges of one relation say of their target."""
    users = list(dict.fromkeys(_source(graph, edge) for edge in edges))
    told, rest = users[:_USERS], users[_USERS:]
    named = f"{', '.join(told)} and others" if rest else " and ".join(told)
    how = next((how for edge in edges if (how := _how(graph, edge))), "")
    return f"{_passive(graph, edges[0])} {named}{how}"


def _passive(graph: SymbolGraph, edge: Edge) -> str:
    """What an edge says of its target."""
    if not _makes(graph, edge):
        return _PASSIVES[edge.relation]
    of_super = _is_of_super(graph, edge)
    return "has its constructor called by" if of_super else "is created by"


def _makes(graph: SymbolGraph, edge: Edge) -> bool:
    """Whether an edge leads to a type, or a case of one, of which it makes a value, and to no
    function."""
    if edge.relation != "calls":
        return False
    kind = graph.kind(edge.target)
    around = graph.container(edge.target) if kind == "constant" else None
    return kind in CLASS_KINDS or (around is not None and graph.kind(around) == "enum")


def of_text(symbol: Symbol, text: str) -> str:
    """The sentence for text of the question that stands in a definition."""
    return f'{called(symbol)} has the text "{text}".'


def documented(symbol: Symbol) -> str:
    """The sentence that a definition's own documentation begins with; empty where that is no prose,
    or names what nobody may have seen."""
    said = symbol.doc
    if ends := list(_SENTENCE_END.finditer(said)):
        said = said[: ends[0].end()]
    if not _PROSE.fullmatch(said) or _NOT_PROSE.search(said) or credentials(said):
        return ""
    return said.rstrip(".")


def of_documentation(symbol: Symbol, said: str) -> str:
    """The sentence for what a definition's own documentation says first."""
    return f'{called(symbol)} is documented as "{said}".'


def of_definition(symbol: Symbol) -> str:
    """The sentence for a definition of which nothing else is known."""
    article = "an" if symbol.kind[0] in "aeiou" else "a"
    return f"{called(symbol)} is {article} {symbol.kind} defined here."


def of_line(symbol: Symbol, words: Sequence[str]) -> str:
    """The sentence for a line of a definition, by the words of the question that it has."""
    return f"{called(symbol)} has a line that matches {listed(words)}."


def of_pointed(symbol: Symbol) -> str:
    """The sentence for a line that the question points to."""
    return f"The question points here, into {called(symbol)}."


def of_place(candidate: Candidate, symbol: Symbol | None, words: Sequence[str]) -> str:
    """What a place shows: a definition, a part of it, or words of the question; empty if none is
    known."""
    if symbol is None or candidate.range is None:
        return f"text that matches {listed(words)}" if words else ""
    whole = len(candidate.range) >= len(symbol.range)
    return called(symbol) if whole else f"part of {called(symbol)}"


def of_text_alone(text: str) -> str:
    """The sentence for text of the question that stands outside of definitions."""
    return f'The text "{text}" stands here.'


def of_window(words: Sequence[str]) -> str:
    """The sentence for text outside of definitions, by the words of the question that it has."""
    return f"Text that matches {listed(words)}."


UNDEFINED = "nothing here is called {}"
"""What is told of names of the question that nothing has."""
UNKNOWN = "nothing in the index has {}"
"""What is told of words of the question that stand nowhere."""
MISSING = "no place shown has {}"
"""What is told of words of the question that stand somewhere, but in no place shown."""
UNFOUND = "the text {} was not found"
"""What is told of text that the question quotes and nothing has."""
UNSHOWN = "no place shown has the text {}"
"""What is told of text that the question quotes, which stands somewhere else than shown."""
UNJOINED = "no call was found that joins these places"
"""What is told of places that were to be a way from one to the next."""


def called(symbol: Symbol) -> str:
    """A symbol's name as a reader would say it: with its type, without the whole path to it. A file
    goes by its own. The names of sections, which are text or keys, say little apart from those
    they are in."""
    return f"`{_name(symbol)}`"


def as_called(symbol: Symbol) -> SymbolInfo:
    """What is told of a symbol outside of the graph, under the name that sentences give it."""
    return symbol.info.model_copy(update={"qualified_name": _name(symbol)})


def _name(symbol: Symbol) -> str:
    if symbol.id.is_file:
        return _file_name(symbol.path)
    # Some languages put names in the very marks that make code of text.
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
    """What a file is called, with its folder where it only stands for that."""
    folder, _, file = path.rpartition("/")
    return f"{folder.rpartition('/')[2]}/{file}" if _is_index(folder, file) else file


def _module(path: str) -> str:
    """What a file is called by those that import it."""
    folder, _, file = path.rpartition("/")
    return folder.rpartition("/")[2] if _is_index(folder, file) else splitext(file)[0]


def _is_index(folder: str, file: str) -> bool:
    language = language_of(file)
    return bool(folder) and language is not None and file in spec(language).imports.index_files


def _source(graph: SymbolGraph, edge: Edge) -> str:
    """`called` of what an edge comes from, told from its target where that is it or has its
    name."""
    source, target = graph.symbol(edge.source), graph.symbol(edge.target)
    if source.id == target.id:
        return "itself"
    return f"another {called(source)}" if called(source) == called(target) else called(source)


def _target(graph: SymbolGraph, edge: Edge) -> str:
    """`called` of what an edge leads to; "itself" or "another" where it is its own source or has
    the same name. Where several uses on the line fit, it stays open which overload is meant."""
    source, target = graph.symbol(edge.source), graph.symbol(edge.target)
    if source.id != target.id and called(source) != called(target):
        return called(target)
    at_once = [each for each in graph.uses(source.id) if each.line == edge.line]
    alike = {each.target for each in at_once if called(graph.symbol(each.target)) == called(source)}
    if source.id in alike and len(alike) > 1:
        return f"another {called(target)} or itself"
    return "itself" if source.id == target.id else f"another {called(target)}"


def _or_another(graph: SymbolGraph, edge: Edge) -> str:
    """What a sentence adds where something else may be meant than it names. Overloads have one
    name, which stands for them all. What is handed over by a name goes to what has others."""
    if edge.is_by_name:
        others = edge.namesakes - 1
        if not others:
            return going_by(graph, edge)
        same_name = edge.relation != "feeds"
    else:
        meant = graph.symbol(edge.target)
        named = {called(graph.symbol(each)): graph.symbol(each) for each in graph.beside(edge)}
        for each in (meant, graph.symbol(edge.source)):
            named.pop(called(each), None)
        others = len(named)
        if others == 1:
            return f" or {next(iter(named))}"
        same_name = all(each.name == meant.name for each in named.values())
    if not others:
        return ""
    which = " or another" if others == 1 else f" or one of {others} others"
    return which + (" of that name" if same_name else going_by(graph, edge))


def listed(words: Sequence[str]) -> str:
    """Words as a sentence names them."""
    return ", ".join(f"`{word}`" for word in words)
