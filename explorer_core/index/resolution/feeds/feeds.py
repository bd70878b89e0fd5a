"""Finds edges by which something is handed over without a call that leads to its receiver.

Each kind has a module of its own. The edges lead from

- `channels`: a send to a channel, to the receivers;
- `messages`: a call that is given an enumeration case, to the functions that act on that case;
- `events`: what makes an object and passes it on, to the handlers of its type;
- `made_objects`: what makes an object and passes it on, to the method that it is made for;
- `handed_types`: what passes a type to a library, to the methods called on its instances;
- `handlers`: what raises an event of its own type, to the functions that were added to the event;
- `topics`: a call with the name of an event as text, to the functions passed with that name;
- `emissions`: what emits an event of a component, to what markup does on it;
- `joints`: a call of a member without a body, to the member that a call connects with it;
- `hubs`: a call that runs stored callbacks, to those who registered them;
- `subscriptions`: a call on a library's object, to the functions that the object was given;
- `starts`: a call that has a library start a job, to the function that is the job;
- `asked_types`: a call of a library's member on a type, to the method that is run then;
- `registered`: a call on a class, to the methods that the body of the class registers for it;
- `addresses`: what names an address, to the function that answers there.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.resolution.feeds.addresses import Addresses
from explorer_core.index.resolution.feeds.asked_types import AskedTypes
from explorer_core.index.resolution.feeds.channels import Channels
from explorer_core.index.resolution.feeds.emissions import Emissions
from explorer_core.index.resolution.feeds.events import Events
from explorer_core.index.resolution.feeds.handed_types import HandedTypes
from explorer_core.index.resolution.feeds.handlers import Handlers
from explorer_core.index.resolution.feeds.hubs import Hubs
from explorer_core.index.resolution.feeds.joints import Joints
from explorer_core.index.resolution.feeds.made_objects import MadeObjects
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
        self._with_methods = {"object": MadeObjects(resolver), "type": HandedTypes(resolver)}
        self._feeds = (
            self._channels,
            Starts(resolver, users),
            AskedTypes(resolver),
            self._messages,
            Registered(resolver),
            Events(resolver),
            *self._with_methods.values(),
            Joints(resolver, users),
            Emissions(resolver),
            Hubs(resolver),
            Subscriptions(resolver),
            Handlers(resolver),
            Topics(resolver),
            Addresses(resolver),
        )

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what receives what it hands over."""
        for feed in self._feeds:
            yield from feed.edges_from(symbol_id)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from what hands something over to it."""
        for feed in self._feeds:
            yield from feed.edges_to(symbol_id)

    def handled_lines(self, edge: Edge) -> list[range]:
        """The lines of an edge's target that are only for what the edge hands over, if known."""
        return self._messages.handled_lines(edge) if edge.relation == "feeds" else []

    def passed_on(self, edge: Edge) -> str:
        """What an edge's source passes on that has its target as a method: an object or a type.
        Empty if it sends something to its target."""
        kinds = self._with_methods.items() if edge.relation == "feeds" else ()
        return next((kind for kind, feed in kinds if edge in feed.edges_from(edge.source)), "")

    def alternative_receivers(self, edge: Edge) -> list[SymbolId]:
        """The other receivers that may get what an edge hands over, in place of its target."""
        others = (e for e in self._channels.edges_from(edge.source) if e.line == edge.line)
        receivers = dict.fromkeys(other.target for other in others)
        return (
            [receiver for receiver in receivers if receiver != edge.target]
            if edge.target in receivers
            else []
        )
