"""The modifiers of a definition: whether it is exported, static, or only declared.

A language's spec says in regexes what they look like: in the head of a definition (the text from
its start to its name), in its name, or in its signature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer_core.index.extraction.kinds import CLASS_KINDS, TYPE_KINDS
from explorer_core.index.extraction.patterns import occurs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from explorer_core.index.extraction.drafts import Draft
    from explorer_core.index.extraction.frames import Frame
    from explorer_core.index.languages.specification import LanguageSpec

_OPEN_KINDS = (TYPE_KINDS - CLASS_KINDS) | {"open"}
"""Kinds of frames in which nothing has to say that it is exported."""


def is_exported(spec: LanguageSpec, name: str, head: str, owner: str, outer_kind: str) -> bool:
    """Whether a definition in a frame of kind ``outer_kind`` is visible from outside."""
    if occurs(spec.hidden_head, head):
        return False
    if spec.exported_name and not occurs(spec.exported_name, name):
        return False
    if not spec.exported_head or outer_kind in _OPEN_KINDS:
        return True
    is_member = owner or outer_kind in TYPE_KINDS or outer_kind in ("variable", "field")
    if spec.members_follow_owner and is_member:
        return True
    return occurs(spec.exported_head, head)


def is_static(
    spec: LanguageSpec,
    signature: str,
    draft: Draft,
    outer: Frame,
    static_spans: Iterable[tuple[int, int]],
) -> bool:
    """Whether a method is declared static, or stands in a stretch where all methods are; these are
    given by their ends and starts."""
    return occurs(spec.static_signature, signature) or any(
        outer.start < start <= draft.start < end for end, start in static_spans
    )


def is_defined_here(spec: LanguageSpec, kind: str, signature: str) -> bool:
    """Whether a variable is defined here, in a language where some are only declared."""
    pattern = spec.told_of
    return bool(pattern) and kind == "variable" and not occurs(pattern, signature)
