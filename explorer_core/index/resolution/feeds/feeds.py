"""All edges by which something is handed over without a call."""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.resolution.feeds.addresses import Addresses
from explorer_core.index.resolution.feeds.channels import Channels
from explorer_core.index.resolution.feeds.emissions import Emissions
from explorer_core.index.resolution.feeds.events import Events
from explorer_core.index.resolution.feeds.handlers import Handlers
from explorer_core.index.resolution.feeds.hubs import Hubs
from explorer_core.index.resolution.feeds.joints import Joints
from explorer_core.index.resolution.feeds.messages import Messages
from explorer_core.index.resolution.feeds.registered import Registered
from explorer_core.index.resolution.feeds.starts import Starts
from explorer_core.index.resolution.feeds.subscriptions import Subscriptions
from explorer_core.index.resolution.feeds.topics import Topics
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.users import Users
from explorer_core.index.symbols import Edge, SymbolId


class Feeds:
    """Finds the edges by their source and by their target."""

    def __init__(self, resolver: Resolver, users: Users) -> None:
        self._channels = Channels(resolver)
        self._messages = Messages(resolver)
        self._all = (
            self._channels,
            Starts(resolver, users),
            self._messages,
            Registered(resolver),
            Events(resolver),
            Joints(resolver, users),
            Emissions(resolver),
            Hubs(resolver),
            Subscriptions(resolver),
            Handlers(resolver),
            Topics(resolver),
            Addresses(resolver),
        )

    def out_of(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what takes what it hands over."""
        for each in self._all:
            yield from each.out_of(symbol_id)

    def into(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those whose things it takes."""
        for each in self._all:
            yield from each.into(symbol_id)

    def taken(self, edge: Edge) -> list[range]:
        """The lines of the target of an edge that are for what it is handed there alone; none where
        these are not told apart."""
        return self._messages.taken(edge) if edge.relation == "feeds" else []

    def beside(self, edge: Edge) -> list[SymbolId]:
        """Who may take in place of the target of an edge what is handed over there."""
        others = (e for e in self._channels.out_of(edge.source) if e.line == edge.line)
        taking = dict.fromkeys(each.target for each in others)
        return [each for each in taking if each != edge.target] if edge.target in taking else []
