"""The base of every contract type: immutable, strict about unknown keys, camelCase on the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    """Frozen pydantic model whose JSON keys are camelCase and whose Python names are snake_case."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


OneLine = Annotated[str, AfterValidator(_one_line)]
"""Free text folded to a single line; every run of white space becomes one space."""

CandidateId = Annotated[str, StringConstraints(pattern=r"^c[1-9][0-9]*$")]
"""A registry id such as ``c12``."""

LineNumber = Annotated[int, Field(ge=1)]
"""A 1-based line number."""
