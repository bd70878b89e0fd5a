"""What is to be known to parse the text of a language: what its grammar stumbles over.

What a pattern finds is blanked or replaced byte for byte, so that places stay the same.
"""

from __future__ import annotations

import msgspec


class ParsingRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is left out of a text when it is parsed, or put in its place."""

    blanked: tuple[str, ...] = ()
    """Regexes whose group 1 is blanked whenever text is parsed, since the grammar takes it for
    something else without a word."""
    conditionals: bool = False
    """Whether text may stand under ``#if``, with no macros; its grammar reads most of it."""
    repairs: tuple[tuple[str, str], ...] = ()
    """Regexes, whose group 1 is put as that character, or as that word and blanks behind it, when
    text is parsed again that has errors."""
    stray_macros: tuple[str, ...] = ()
    """Regexes whose group 1 is a macro where the grammar expects none."""
    trailing_macros: str = ""
    """Regex whose group 1 is macros behind the parenthesis that ends the parameters of a function,
    with which it begins."""
    declarator: str = ""
    """Regex: a line that goes on with the parameters of a function, and not as a statement does;
    only behind these `trailing_macros` are left out."""
    declaring_macros: str = ""
    """Regex: a statement that begins with a macro to which a declaration and an expression are
    handed: group 1 is its name, group 2 the comma behind the declaration."""
