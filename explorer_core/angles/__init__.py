"""Angles: surveys of a code base from several points of view, each described by a small file."""

from explorer_core.angles.looking import Ask
from explorer_core.angles.spec import AngleSpec, angles
from explorer_core.angles.survey import Surveyor

__all__ = ["AngleSpec", "Ask", "Surveyor", "angles"]
