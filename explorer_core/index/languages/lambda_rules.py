"""The anonymous functions of a language: what becomes of each, and what it is given.

Both say what the parameters of such a function are.
"""

from __future__ import annotations

from typing import Literal

import msgspec

LambdaContext = Literal[
    "arguments",
    "argument",
    "entry",
    "object",
    "element",
    "variable",
    "assigned",
    "cast",
    "result",
    "last",
    "same",
    "component",
    "function",
]


class LambdaRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to tell what an anonymous function is passed to, and whose members it reaches."""

    handed: dict[str, LambdaContext] = {}
    """What becomes of an anonymous function, by the type of the node around it.

    - ``arguments``: it is one of the arguments of what precedes them; ``argument``: in a node of
      its own, if it has a name; ``last``: the last argument, after the others.
    - ``entry``: the value of an entry of an ``object``; ``element``: an element of a list.
    - ``variable``: the value of a variable, which may have a type; ``assigned``: assigned to the
      first child of the node, or to an entry in an object.
    - ``cast``: of the type that the cast names; ``result``: the result of a function.
    - ``same``: whatever becomes of the node around it.
    - ``component``: its entries are the first argument of what it is named after.
    - ``function``: placeholders in it stand for the parameters of a function, in places where they
      alone do not make one."""
    receivers: bool = False
    """Whether an anonymous function may have a receiver whose members it reaches by their bare
    names (``T.() -> Unit``)."""
    scope_functions: dict[str, Literal["parameter", "receiver", "held"]] = {}
    """Functions of the language that pass their receiver to an anonymous function: as its first
    ``parameter``, or as its own ``receiver``. With ``held`` they pass what the receiver holds, as a
    promise does."""
