"""How to parse a language despite constructs that its grammar cannot read.

Matches are blanked or replaced byte for byte, so that positions stay the same.
"""

from __future__ import annotations

import msgspec


class ParsingRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is left out of a text, or replaced, before it is parsed."""

    blanked: tuple[str, ...] = ()
    """Regexes whose group 1 is always blanked, since the grammar misreads it without reporting an
    error."""
    conditionals: bool = False
    """Whether code may be under ``#if`` although there are no macros; the grammar reads most of
    it."""
    repairs: tuple[tuple[str, str], ...] = ()
    """Pairs of a regex and a replacement, applied when text with errors is parsed again. Group 1 is
    filled with a one-character replacement, or replaced by a word padded with blanks."""
    stray_macros: tuple[str, ...] = ()
    """Regexes whose group 1 is a macro in a place where the grammar expects none."""
    trailing_macros: str = ""
    """Regex that begins with the parenthesis closing a function's parameters; group 1 is the macros
    after it."""
    declarator: str = ""
    """Regex: the end of a line that continues with the parameters of a function rather than as a
    statement. `trailing_macros` are left out only after such parameters."""
    declaring_macros: str = ""
    """Regex: a statement that begins with a macro whose arguments are a declaration and an
    expression. Group 1 is the macro's name, group 2 the comma after the declaration."""
