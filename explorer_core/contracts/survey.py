"""What a survey finds. Keys are snake_case, because agents of other vendors read these files."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from explorer_core.contracts.base import Model, OneLine

FileRole = Literal[
    "modify_target",
    "dependency",
    "pattern_reference",
    "test_target",
    "type_definition",
    "integration_point",
    "config",
    "context_only",
]
Said = Annotated[OneLine, StringConstraints(min_length=1, max_length=400)]


class SurveyModel(Model):
    """Base of the survey's records: strict and immutable, keys as they are written here."""

    model_config = ConfigDict(alias_generator=None)


class RelevantFile(SurveyModel):
    """A file and why it matters, in words that can be checked against the code."""

    path: str
    rationale: Said
    role: FileRole
    discovery_source: str
    key_symbols: tuple[str, ...] = ()


class FoundPattern(SurveyModel):
    """Something that several files do alike."""

    name: str
    description: Said
    files: tuple[str, ...]


class FoundDependency(SurveyModel):
    """One file's dependency on another; ``type`` says how it is written."""

    from_: str = Field(alias="from")
    to: str
    type: str


class ExternalRef(SurveyModel):
    """An external package as a manifest declares it; ``usage`` says where it is used."""

    name: str
    version: str | None
    usage: Said


class ExplorationMetadata(SurveyModel):
    """Where an exploration comes from. ``cache_key`` is empty for one that is not to be reused."""

    created_by: str
    timestamp: datetime
    cache_key: str
    search_sources: tuple[str, ...]
    total_files_scanned: int
    relevant_file_count: int


class Exploration(SurveyModel):
    """``explore-<angle>.json``: what one angle found."""

    angle: str
    query: str
    relevant_files: tuple[RelevantFile, ...] = ()
    patterns: tuple[FoundPattern, ...] = ()
    dependencies: tuple[FoundDependency, ...] = ()
    external_refs: tuple[ExternalRef, ...] = ()
    metadata: ExplorationMetadata = Field(alias="_metadata")


class CachedExploration(SurveyModel):
    """One entry of ``cache-index.json``."""

    angle: str
    keywords: tuple[str, ...] = ()
    query: str
    file: str
    created_by: str
    created_at: datetime
    file_count: int


class CacheIndex(SurveyModel):
    """``cache-index.json``: the explorations of a session."""

    entries: tuple[CachedExploration, ...] = ()


class MergedFile(SurveyModel):
    """A file with every angle that named it."""

    path: str
    angles: tuple[str, ...]
    role: FileRole
    rationale: Said
    key_symbols: tuple[str, ...] = ()


class Manifest(SurveyModel):
    """``manifest.json``: all angles together, each file once."""

    query: str
    angles: tuple[str, ...]
    files: tuple[MergedFile, ...] = ()
    patterns: tuple[FoundPattern, ...] = ()
    dependencies: tuple[FoundDependency, ...] = ()
    external_refs: tuple[ExternalRef, ...] = ()


class AngleSummary(SurveyModel):
    """One angle in numbers. ``file`` is None where it could not be written."""

    angle: str
    files: int
    patterns: int
    dependencies: int
    external_refs: int
    cached: bool
    file: str | None
    notes: tuple[str, ...] = ()


class SurveySummary(SurveyModel):
    """What the caller of a survey gets; ``top_files`` are the best five of all angles."""

    query: str
    session: str
    manifest: str | None
    files: int
    patterns: int
    dependencies: int
    external_refs: int
    top_files: tuple[MergedFile, ...] = ()
    angles: tuple[AngleSummary, ...] = ()
    notes: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
