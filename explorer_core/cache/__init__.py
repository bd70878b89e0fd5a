"""Cached judgements, reused when the same question meets the same evidence."""

from explorer_core.cache.entry import Entry, KeptPlace
from explorer_core.cache.key import case_key, tree_digest
from explorer_core.cache.store import CheckedFile, ReportCache, cache_folder

__all__ = [
    "CheckedFile",
    "Entry",
    "KeptPlace",
    "ReportCache",
    "cache_folder",
    "case_key",
    "tree_digest",
]
