"""Validation errors in words that the sender of a value can act on."""

from __future__ import annotations

from pydantic import ValidationError

_COMPLAINTS = {
    "missing": "is missing",
    "string_type": "must be text",
    "string_unicode": "is not UTF-8",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "may have at most {max_length} characters",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "is too large",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "too_short": "must have at least {min_length} entries",
    "too_long": "may have at most {max_length} entries",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "extra_forbidden": "is not known",
    "whole_path": "must be the absolute path of a folder",
}
"""The rest of a sentence that begins with the value's name, by the type of the error."""


def first_mistake(error: ValidationError) -> tuple[str, str]:
    """The dotted place of the first mistake (empty for the whole value), and the rest of the
    sentence about it."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    complaint = _COMPLAINTS.get(first["type"])
    if complaint is not None:
        return place, complaint.format_map(first.get("ctx", {}))
    message = first["msg"].removeprefix("Value error, ")
    return place, f"is refused: {message[:1].lower()}{message[1:].rstrip('.')}"
