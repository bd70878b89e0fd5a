"""Selects the files of a never-indexed workspace that most likely answer a question.

These are worth waiting for; the rest is indexed in the background.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from posixpath import splitext

from explorer_core.channels.question.query import Query
from explorer_core.channels.question.wording import alike
from explorer_core.channels.text_search.occurrences import Occurrences, occurrences
from explorer_core.index.languages import language_of
from explorer_core.index.terms import text
from explorer_core.workspace import FileEntry, Workspace

_FILES = 80
_BYTES = 1_000_000
"""Maximum number of files worth waiting for, and their maximum total size in bytes."""
_LOOKED_AT = 3 * _FILES
"""Files for which it is checked whether they are aside, which takes time."""
_LANGUAGES = 2
_PATTERNS = 24
_LONG_PATTERN = 3
_GREP_TIME_S = 0.8
_K1, _B = 12.0, 0.75
"""BM25 parameters. K1 is large because documents are whole files, and stems occur inside other
words too: it takes many occurrences to tell more than a few do."""
_IN_PATH = 5
"""A word in a file's path counts as this many occurrences in its text."""
_ASIDE = 0.5
"""Factor on the score of files that are aside."""

Aside = Callable[[str], Callable[[str], bool]]
"""Maps a question to a predicate on paths: files that seldom answer it, such as tests."""


async def files_that_matter(
    workspace: Workspace,
    files: Sequence[FileEntry],
    query: Query,
    *,
    scope: Sequence[str],
    aside: Callable[[str], bool],
) -> list[str]:
    """The paths of the most promising ``files``, best first.

    Words are searched by their stems, also inside longer words. Files that contain text quoted in
    the question come first.
    """
    limit = workspace.settings.file_size_limit_bytes
    entries = [
        each for each in files if each.size <= limit and workspace.in_scope(each.path, scope)
    ]
    stems = sorted(
        (term for term in text.count(query.text) if len(term) >= _LONG_PATTERN),
        key=lambda term: (-len(term), term),
    )[:_PATTERNS]
    quoted = {each.text.lower() for each in alike(query).texts_to_find}
    found = await occurrences(workspace, entries, {*stems, *quoted}, timeout_s=_GREP_TIME_S)
    having = {path for path, counts in found.items() if not quoted.isdisjoint(counts)}
    sizes = {each.path: each.size for each in entries}
    for path in sizes:
        lowered = path.lower()
        for stem in stems:
            if stem in lowered:
                counts = found.setdefault(path, {})
                counts[stem] = counts.get(stem, 0) + _IN_PATH
    scores = _bm25(found, sizes)
    best = nlargest(_LOOKED_AT, scores, key=lambda path: (path in having, scores[path], path))
    worth = {path: scores[path] * (_ASIDE if aside(path) else 1.0) for path in best}
    chosen: list[str] = []
    room = _BYTES
    for path in sorted(worth, key=lambda path: (path not in having, -worth[path], path))[:_FILES]:
        room -= sizes[path]
        if room < 0 and chosen:
            break
        chosen.append(path)
    return chosen


def main_languages(files: Iterable[FileEntry]) -> list[str]:
    """The most frequent languages of the files, judged by their suffixes."""
    counted: Counter[str] = Counter()
    for suffix, times in Counter(splitext(entry.path)[1] for entry in files).items():
        counted[language_of(f"_{suffix}") or ""] += times
    del counted[""]
    return [language for language, _ in counted.most_common(_LANGUAGES)]


def _bm25(found: Occurrences, sizes: Mapping[str, int]) -> dict[str, float]:
    """BM25 over whole files, with size as document length (Robertson and Zaragoza 2009)."""
    spread = Counter(word for counts in found.values() for word in counts)
    rarity = {word: math.log1p((len(sizes) - n + 0.5) / (n + 0.5)) for word, n in spread.items()}
    mean = max(sum(sizes.get(path, 0) for path in found) / max(len(found), 1), 1.0)
    return {
        path: sum(
            rarity[word] * n / (n + _K1 * (1 - _B + _B * sizes.get(path, 0) / mean))
            for word, n in counts.items()
        )
        for path, counts in found.items()
        if path in sizes
    }
