"""Types as written in declarations, reduced to what can be looked up.

``Optional[Job]`` becomes ``Job``, and ``List<Job>`` becomes ``List[*]Job``, a list of `Job`.
"""

from __future__ import annotations

import re

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.reduced_types import reduced_type
from explorer_core.index.extraction.type_names import simple_type_name
from explorer_core.index.languages.specification import LanguageSpec
from explorer_core.index.resolution.tables import FileTable

_NAME = re.compile(r"\w+")
_MEMBER = re.compile(r"""(.+)\[(?:(["'])([^"'\[\]]+)\2|(?:keyof )?[^\W\d][\w.$]*)\]""")


def simple_type_text(written: str, table: FileTable) -> str:
    """A declared type in its reduced form, without wrappers that stand for their argument."""
    if head := _NAME.match(written):
        for binding in table.imports.get((TOP, head.group()), ()):
            if binding.name in (*table.spec.transparent_types, *table.spec.class_types):
                written = binding.name + written[head.end() :]
    return reduced_type(written, table.spec) or simple_type_name(written)


def is_own_type(written: str, spec: LanguageSpec) -> bool:
    """Whether a written type is that of the enclosing object (``Self``, ``typing.Self``)."""
    path, _, name = written.rpartition(".")
    return name in spec.self_names and (not path or name[:1].isupper())


def queried_value(written: str, table: FileTable) -> str:
    """The expression in a type query (``x`` of ``typeof x``); empty for other types."""
    spec = table.spec
    word, _, expression = written.partition(" ")
    if not spec.type_query or word != spec.type_query:
        return ""
    for suffix in spec.owner_suffixes:
        expression = expression.replace(f"{suffix}.", ".")
    return expression


def member_type(written: str) -> tuple[str, str]:
    """The type and the name in the type of a member (``Type["name"]``). The name is empty where a
    type stands for it (``Type[Name]``); both are empty for other types."""
    match = _MEMBER.fullmatch(written)
    return (match[1], match[3] or "") if match else ("", "")
