"""The only module that loads grammars. A different grammar bundle changes nothing but this file."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import cast

import tree_sitter_language_pack as bundle
from tree_sitter import Language, Parser, Query

from explorer_core.index import languages
from explorer_core.index.extraction.captures import is_main

_CAPTURE = re.compile(r"@([a-z][\w.]*)")
_NOISE = re.compile(r'"(?:\\.|[^"\\])*"|;[^\n]*|\(#[^()]*\)')


class QueryError(ValueError):
    """A query file breaks the capture conventions of ``docs/languages.md``."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language's grammar and its compiled query; ``roles`` are the patterns' main captures."""

    language: Language
    query: Query
    roles: tuple[str, ...]


def load(language: str) -> Language:
    """The grammar of ``language``; raises LookupError when the bundle has none of that name."""
    return bundle.get_language(cast("bundle.SupportedLanguage", languages.spec(language).grammar))


@functools.cache
def grammar(language: str) -> Grammar:
    """The grammar with its query; raises QueryError where a pattern has no single main capture."""
    loaded = load(language)
    source = languages.query_source(language)
    query = Query(loaded, source)
    encoded = source.encode()
    roles = tuple(
        _role(encoded[query.start_byte_for_pattern(i) : query.end_byte_for_pattern(i)].decode())
        for i in range(query.pattern_count)
    )
    return Grammar(loaded, query, roles)


@functools.cache
def parser(language: str) -> Parser:
    """A parser for ``language``, kept for the life of the process; not to be shared by threads."""
    return Parser(grammar(language).language)


def _role(pattern: str) -> str:
    mains = {name for name in _CAPTURE.findall(_NOISE.sub(" ", pattern)) if is_main(name)}
    if len(mains) != 1:
        raise QueryError(f"a pattern needs one main capture, not {sorted(mains)}: {pattern}")
    return mains.pop()
