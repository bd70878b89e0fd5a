"""The base of all contract types: immutable, strict about unknown keys, camelCase on the wire."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Self

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
        defer_build=True,  # most processes validate few of the models they import
    )

    @classmethod
    def of_valid(cls, **values: Any) -> Self:
        """Construct from values known to be valid: all fields by name, in their order. The result
        is that of `model_construct`, at a fifth of its cost; a question makes thousands of
        models."""
        made = cls.__new__(cls)
        _set(made, "__dict__", values)
        _set(made, "__pydantic_fields_set__", _fields(cls))
        _set(made, "__pydantic_extra__", None)
        _set(made, "__pydantic_private__", None)
        return made


_set = object.__setattr__


@cache
def _fields(model: type[Model]) -> set[str]:
    """The names of a model's fields; one set shared by all its instances and never changed."""
    return set(model.model_fields)


def _one_line(text: str) -> str:
    return " ".join(text.split())


OneLine = Annotated[str, AfterValidator(_one_line)]
"""Free text folded to a single line; each run of white space becomes one space."""

CandidateId = Annotated[str, StringConstraints(pattern=r"^c[1-9][0-9]*$")]
"""A registry id such as ``c12``."""

LineNumber = Annotated[int, Field(ge=1)]
"""A 1-based line number."""
