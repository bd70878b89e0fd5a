"""What survived validation: the parts of a report that a judge decides on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer_core.contracts import (
    Action,
    Confidence,
    Dropped,
    Intent,
    Link,
    PrimaryPlace,
    ReadTarget,
    SearchTarget,
)
from explorer_core.validation.lowering import lower_action, lower_confidence


@dataclass(frozen=True, slots=True)
class Validated:
    """Verified parts, and what was dropped on the way.

    ``links_dropped`` counts links only. ``fell_back``: nothing of the judge's own selection was
    left, and the offline selection replaces it.
    """

    confidence: Confidence
    action: Action
    primary: tuple[PrimaryPlace, ...] = ()
    links: tuple[Link, ...] = ()
    read_targets: tuple[ReadTarget, ...] = ()
    missing: tuple[str, ...] = ()
    search_targets: tuple[SearchTarget, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    links_dropped: int = 0
    fell_back: bool = False

    def lowered(self, intent: Intent) -> Validated:
        """With confidence, then action, lowered to what the surviving parts support."""
        confidence = lower_confidence(
            self.confidence,
            link_dropped=self.links_dropped > 0,
            missing=bool(self.missing),
            links=len(self.links),
        )
        action = lower_action(
            self.action,
            intent=intent,
            confidence=confidence,
            ranged_targets=len(self.read_targets),
        )
        return replace(self, confidence=confidence, action=action)
