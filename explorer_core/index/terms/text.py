"""Text analysis: from source text to index terms. Files and questions are analysed alike.

Identifiers are split at case changes, digits and punctuation. The parts are lower-cased and stemmed
with the English Snowball stemmer (Porter 2). If there are several parts, the whole identifier in
lower case is a term as well. Text in scripts written without spaces yields character bigrams. There
are no word lists.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

from explorer_core.index.extraction.identifiers import identifier_parts

_LONGEST_WORD = 64
"""Longer runs of word characters count as encoded data, not words."""
_LONGEST_NUMBER = 5

_WORD = re.compile(r"\w\w+")
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+)"
)
_CACHE_LIMIT = 200_000


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


_stemmer = cast(
    "_Stemmer",
    snowballstemmer.stemmer("english"),  # pyright: ignore[reportUnknownMemberType]
)
_stems: dict[str, str] = {}


_NON_WORD_TO_BLANK = bytes(
    byte if byte < 128 and (chr(byte).isalnum() or byte == ord("_")) else ord(" ")
    for byte in range(256)
)


_NON_WORD_IN_LINE_TO_BLANK = (
    _NON_WORD_TO_BLANK[: ord("\n")] + b"\n" + _NON_WORD_TO_BLANK[ord("\n") + 1 :]
)


class _TermsByWord(dict[str | bytes, tuple[str, ...]]):
    """The terms of words, computed when a word is first seen."""

    def __missing__(self, word: str | bytes) -> tuple[str, ...]:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        terms = self[word] = _split_into_terms(
            word if isinstance(word, str) else word.decode("ascii")
        )
        return terms


_terms_by_word = _TermsByWord()


def runs(text: str) -> list[str] | list[bytes]:
    """Runs of word characters, as `terms_of` takes them. For ASCII text they are bytes, which are
    several times faster to split, and include single characters, which are not words."""
    if text.isascii():
        return text.encode("ascii").translate(_NON_WORD_TO_BLANK).split()
    return _WORD.findall(text)


def runs_by_line(lines: Sequence[str]) -> Iterator[list[str] | list[bytes]]:
    """`runs` of each line. ASCII text is processed as a whole, which is faster."""
    text = "\n".join(lines)
    if text.isascii():
        plain = text.encode("ascii").translate(_NON_WORD_IN_LINE_TO_BLANK).split(b"\n")
        return map(bytes.split, plain if lines else ())
    return map(runs, lines)


def analyse(text: str) -> list[str]:
    """The index terms of a text in order, with repetitions."""
    return list(chain.from_iterable(map(_terms_by_word.__getitem__, _WORD.findall(text))))


def count(text: str) -> Counter[str]:
    """How often each index term occurs in a text."""
    return Counter(chain.from_iterable(map(_terms_by_word.__getitem__, _WORD.findall(text))))


def terms_of(word: str | bytes) -> tuple[str, ...]:
    """The index terms of one word or identifier; empty for single characters and encoded data."""
    return _terms_by_word[word]


def as_written(text: str) -> dict[str, str]:
    """Maps each index term of a text, in order, to what it first stood for: a whole name as
    written, or a word or part of a name in lower case. Other terms (bigrams) map to themselves."""
    written: dict[str, str] = {}
    for word in _WORD.findall(text):
        parts = identifier_parts(word)
        if len(parts) > 1 and (bare := whole(word)) == word.strip("_").lower():
            written.setdefault(bare, word)
        for part in parts:
            if len(terms := terms_of(part)) == 1:
                written.setdefault(terms[0], part)
    return {term: written.get(term, term) for term in analyse(text)}


def whole(name: str) -> str:
    """The term for an identifier as a whole."""
    terms = terms_of(name)
    return terms[-1] if terms else ""


def is_word(term: str) -> bool:
    """Whether a term may be a word of a language: no name with underscores or digits, no number,
    no bigram. A name whose parts differ in case alone cannot be told from a word."""
    return term.isalpha() and not _UNSPACED.search(term)


def respelt(name: str) -> str:
    """The term for an identifier in the other of the two common conventions: `proxy_url` for
    `ProxyURL`, and `proxyurl` for `proxy_url`. Empty for an identifier of one part."""
    bare = name.strip("_").lower()
    parts = [part.lower() for part in identifier_parts(name)]
    if len(parts) < 2:
        return ""
    return "".join(parts) if "_" in bare else "_".join(parts)


def parts_of(word: str | bytes) -> tuple[str, ...]:
    """The index terms of one word, without the whole-identifier term if it has parts."""
    terms = terms_of(word)
    written = word if isinstance(word, str) else word.decode("ascii")
    whole_name = written.strip("_").lower()
    return terms[:-1] if len(terms) > 1 and terms[-1] == whole_name else terms


def words_in(text: str) -> list[str]:
    """The index terms of a text in order, without whole-identifier terms."""
    return list(chain.from_iterable(map(parts_of, _WORD.findall(text))))


def _split_into_terms(word: str) -> tuple[str, ...]:
    if len(word) < 2 or len(word) > _LONGEST_WORD:
        return ()
    if word[0].isdigit():
        return (word,) if 2 < len(word) <= _LONGEST_NUMBER and word.isdigit() else ()
    if not word.isascii() and _UNSPACED.search(word):
        return tuple(chain.from_iterable(map(_script_terms, _UNSPACED.split(word))))
    if word.islower() and word.isalpha() and word.isascii():
        return (_stem(word),)
    parts = identifier_parts(word)
    terms = [_stem(part) for part in parts if len(part) > 1]
    bare = word.strip("_").lower()
    if len(parts) > 1 and len(bare) > 1:
        terms.append(bare)
    return tuple(terms)


def _script_terms(run: str) -> tuple[str, ...]:
    """The terms of a run whose script is either written with spaces throughout, or without."""
    if not _UNSPACED.match(run):
        return _terms_by_word[run]
    return tuple(run[at : at + 2] for at in range(max(1, len(run) - 1)))


def _stem(part: str) -> str:
    stem = _stems.get(part)
    if stem is None:
        if len(_stems) >= _CACHE_LIMIT:
            _stems.clear()
        stem = _stems[part] = _stemmer.stemWord(part)
    return stem
