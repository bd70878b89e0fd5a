"""Turns a judge's selection into what may be reported. Only ever drops or lowers."""

from explorer_core.validation.emission import Reader, check_emission
from explorer_core.validation.hops import RelationFinder
from explorer_core.validation.validate import validate
from explorer_core.validation.validated import Validated
from explorer_core.validation.visible import visible

__all__ = [
    "Reader",
    "RelationFinder",
    "Validated",
    "check_emission",
    "validate",
    "visible",
]
