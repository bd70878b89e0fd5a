"""An in-process event bus. A subscriber that fails does not stop the others."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)
Subscriber = Callable[[Any], None]


class EventBus:
    def __init__(self) -> None:
        self._subscribers: dict[type, list[Subscriber]] = defaultdict(list)

    def subscribe(self, kind: type, subscriber: Subscriber) -> None:
        self._subscribers[kind].append(subscriber)

    def publish(self, event: object) -> None:
        for subscriber in self._subscribers[type(event)]:
            try:
                subscriber(event)
            except Exception:
                log.exception("%r failed on %s", subscriber, type(event).__name__)
