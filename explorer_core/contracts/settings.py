"""All settings, their defaults and meanings. The faces load them.

``workspace_may_set`` marks the keys that a repository's own ``.sightline.toml`` may change: none
that can run code, redirect a model or widen what is read. The limits on what a model may use up can
only be lowered there. Every number has a bound, so that no such file can make each question wait.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from explorer_core.contracts.base import Model
from explorer_core.contracts.request import JudgeChoice

_OPEN: dict[str, Any] = {"workspace_may_set": True}
_LOWER: dict[str, Any] = {"workspace_may_set": "lower"}
_CLOSED: dict[str, Any] = {"workspace_may_set": False}


def _whole_path(path: str | None) -> str | None:
    """Reject relative paths: they would mean a different folder for every process, often one in a
    workspace."""
    try:
        is_whole = not path or Path(path).expanduser().is_absolute()
    except RuntimeError:  # the home folder of an unknown user
        is_whole = False
    if not is_whole:
        raise PydanticCustomError("whole_path", "it is not the absolute path of a folder")
    return path


class Settings(Model):
    """The settings of one workspace. Times end in ``_s`` or ``_ms``, sizes in ``_bytes``."""

    judge: Annotated[
        JudgeChoice,
        Field(
            description="What judges the evidence; auto is offline unless a model is set.",
            json_schema_extra=_CLOSED,
        ),
    ] = "auto"
    model: Annotated[
        str | None,
        Field(
            description="Model used by the packet and conversation judges; setting it means consent"
            " to send it code.",
            json_schema_extra=_CLOSED,
        ),
    ] = None
    base_url: Annotated[
        str | None,
        Field(
            description="Server that implements the Messages API; the SDK's default if not set.",
            json_schema_extra=_CLOSED,
        ),
    ] = None
    effort: Annotated[
        Literal["low", "medium", "high", "xhigh", "max"] | None,
        Field(
            description="Effort requested from the model; its own default if not set.",
            json_schema_extra=_CLOSED,
        ),
    ] = None
    conversation_steps: Annotated[
        int,
        Field(
            ge=1, le=100, description="Tool steps of one conversation.", json_schema_extra=_LOWER
        ),
    ] = 12
    observation_chars: Annotated[
        int,
        Field(
            ge=1000,
            le=10_000_000,
            description="Characters of raw observations in total.",
            json_schema_extra=_LOWER,
        ),
    ] = 60_000
    observation_chars_per_result: Annotated[
        int,
        Field(
            ge=500,
            le=1_000_000,
            description="Characters of one tool result.",
            json_schema_extra=_LOWER,
        ),
    ] = 12_000
    conversation_output_tokens: Annotated[
        int,
        Field(
            ge=4000,
            le=1_000_000,
            description="Tokens the model may produce in one conversation.",
            json_schema_extra=_LOWER,
        ),
    ] = 24_000
    reconsider_rounds: Annotated[
        int,
        Field(
            ge=0,
            le=2,
            description="Rounds a judge may use to close a gap.",
            json_schema_extra=_LOWER,
        ),
    ] = 2
    conversation_time_s: Annotated[
        float,
        Field(gt=0, le=3600, description="Wall time of a conversation.", json_schema_extra=_LOWER),
    ] = 90.0
    packet_time_s: Annotated[
        float,
        Field(
            gt=0, le=3600, description="Wall time of a packet judgement.", json_schema_extra=_LOWER
        ),
    ] = 30.0
    report_chars: Annotated[
        int,
        Field(
            ge=400,
            le=100_000,
            description="Characters of a report's text form.",
            json_schema_extra=_OPEN,
        ),
    ] = 2500
    grep_time_s: Annotated[
        float,
        Field(gt=0, le=60, description="Time limit for one text search.", json_schema_extra=_OPEN),
    ] = 3.0
    grep_matches: Annotated[
        int,
        Field(
            ge=1, le=10_000, description="Matches shown per text search.", json_schema_extra=_OPEN
        ),
    ] = 100
    editor_soft_deadline_ms: Annotated[
        int,
        Field(
            ge=0,
            le=60_000,
            description="How long an answer waits for the editor.",
            json_schema_extra=_OPEN,
        ),
    ] = 300
    editor_time_s: Annotated[
        float,
        Field(
            gt=0,
            le=60,
            description="Time after which an editor request is dropped.",
            json_schema_extra=_OPEN,
        ),
    ] = 3.0
    server_soft_deadline_ms: Annotated[
        int,
        Field(
            ge=0,
            le=60_000,
            description="How long an answer waits for a warm language server.",
            json_schema_extra=_OPEN,
        ),
    ] = 500
    file_size_limit_bytes: Annotated[
        int,
        Field(
            ge=1024,
            le=100_000_000,
            description="Larger files are not read.",
            json_schema_extra=_CLOSED,
        ),
    ] = 2_000_000
    adaptive: Annotated[
        bool,
        Field(
            description="Show off-flow members of a family as signatures only.",
            json_schema_extra=_OPEN,
        ),
    ] = True
    start_language_servers: Annotated[
        bool,
        Field(
            description="Let Sightline start language servers; they may run the workspace's code.",
            json_schema_extra=_CLOSED,
        ),
    ] = False
    language_servers: Annotated[
        tuple[str, ...],
        Field(
            description="`language=command line` of each; without one, the first found on PATH,"
            " outside of the workspace.",
            json_schema_extra=_CLOSED,
        ),
    ] = ()
    inlay_hints: Annotated[
        bool,
        Field(description="Show inlay hints at quoted lines.", json_schema_extra=_OPEN),
    ] = False
    index_workers: Annotated[
        int | None,
        Field(
            ge=1,
            le=256,
            description="Worker processes that parse; one per core if not set.",
            json_schema_extra=_CLOSED,
        ),
    ] = None
    cache_dir: Annotated[
        str | None,
        AfterValidator(_whole_path),
        Field(
            description="Folder of the index and the cache, outside of the workspace; the user's"
            " cache folder if not set.",
            json_schema_extra=_CLOSED,
        ),
    ] = None
    secret_globs: Annotated[
        tuple[str, ...],
        Field(
            description="Files never read for a model, whatever else allows it.",
            json_schema_extra=_CLOSED,
        ),
    ] = (
        "**/.env",
        "**/.env.*",
        "**/*.pem",
        "**/*.key",
        "**/*.p12",
        "**/*.pfx",
        "**/*.jks",
        "**/*.keystore",
        "**/id_rsa*",
        "**/id_ed25519*",
        "**/.netrc",
        "**/.npmrc",
        "**/.pypirc",
        "**/id_dsa*",
        "**/id_ecdsa*",
        "**/.git-credentials",
        "**/.htpasswd",
        "**/.pgpass",
        "**/.envrc",
        "**/*.ppk",
        "**/.aws/credentials",
    )
