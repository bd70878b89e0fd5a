"""All edges by which something is handed over without a call that leads to who takes it.

Each kind has a module of its own. The edges lead from what

- `channels`: puts something into a channel, to what takes it out;
- `messages`: hands over a case of an enumeration, to what takes that case and does something;
- `events`: hands on an object that it makes, to what is there for objects of that type;
- `made_objects`: hands on an object that it makes, to the method that it is made for;
- `handed_types`: hands on a type, to the methods that are asked of what is made of it;
- `handlers`: has an event of its own type happen, to the functions that were added to the event;
- `topics`: gives the name of an event as text, to the functions that are given with that name;
- `emissions`: lets know of an event of a component, to what is done on it in markup;
- `joints`: calls a member without a body, to the member that a call joins with it;
- `hubs`: has the functions called that something keeps, to those who had it keep them;
- `subscriptions`: calls an object of a library, to the functions that the object was given;
- `starts`: asks a library to start a job, to the function that is the job;
- `asked_types`: asks a type for what it has from elsewhere, to the method that is done then;
- `registered`: asks something of a class, to the methods that the body of the class registers;
- `addresses`: names an address, to the function that answers there.
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
        self._all = (
            self._channels,
            Starts(resolver, users),
            AskedTypes(resolver),
            self._messages,
            Registered(resolver),
            Events(resolver),
            MadeObjects(resolver),
            HandedTypes(resolver),
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
        """The lines of an edge's target that are only for what is handed over by it; none where
        these are not told apart."""
        return self._messages.taken(edge) if edge.relation == "feeds" else []

    def beside(self, edge: Edge) -> list[SymbolId]:
        """Who else may take what is handed over by an edge, in place of its target."""
        others = (e for e in self._channels.out_of(edge.source) if e.line == edge.line)
        taking = dict.fromkeys(each.target for each in others)
        return [each for each in taking if each != edge.target] if edge.target in taking else []
