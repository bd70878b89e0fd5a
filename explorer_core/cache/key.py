"""The cache key of a judgement: a digest of everything its judge was given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from explorer_core import __version__
from explorer_core.contracts import Candidate, ExploreRequest, JudgeName
from explorer_core.index.index import Index
from explorer_core.workspace import Workspace

_IRRELEVANT_SETTINGS = frozenset(
    {
        "cache_dir",
        "index_workers",
        "inlay_hints",
        "report_chars",
        "start_language_servers",
        "language_servers",
        "editor_soft_deadline_ms",
        "editor_time_s",
        "server_soft_deadline_ms",
    }
)
"""Settings that influence no judge; all others are part of the key."""


def case_key(
    request: ExploreRequest,
    question: str,
    judge: JudgeName,
    workspace: Workspace,
    evidence: Iterable[Candidate],
) -> str:
    """The key of a question: request, roots, judge, model, version, settings, and the evidence in
    its order, each place with its lines and their text. ``question`` includes any it follows up.

    The id of a report that is followed up is left out: its places are part of the evidence.
    """
    request_fields = request.model_dump(mode="json", exclude={"force_refresh", "follow_up"})
    settings = workspace.settings.model_dump(mode="json", exclude=set(_IRRELEVANT_SETTINGS))
    roots = [[root.name, str(root.path)] for root in workspace.roots]
    is_follow_up = request.follow_up is not None
    places = [_place_key(each) for each in evidence]
    parts = [__version__, judge, request_fields, question, is_follow_up, roots, settings, places]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def tree_digest(index: Index) -> str:
    """A digest of every file of the workspace, unsaved text included."""
    text = "\n".join(sorted(f"{row.digest} {row.path}" for row in index.view.visible_rows()))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _place_key(candidate: Candidate) -> list[object]:
    lines = candidate.range and [candidate.range.start, candidate.range.end]
    seen = [[segment.start, segment.text] for segment in candidate.segments]
    return [candidate.path, lines, seen]
