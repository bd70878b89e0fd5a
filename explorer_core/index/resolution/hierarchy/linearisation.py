"""C3 linearisation (Barrett et al., 1996): merges the orders of supertypes, keeping each."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from itertools import islice

from explorer_core.index.symbols import SymbolId


def c3_merge(orders: list[tuple[SymbolId, ...]], bases: tuple[SymbolId, ...]) -> Iterator[SymbolId]:
    """Merges the orders of a type's supertypes and the list of these. Where they contradict each
    other, the first one left decides."""
    queues: list[deque[SymbolId]] = [deque(order) for order in (*orders, bases) if order]
    in_tails: Counter[SymbolId] = Counter(
        type_id for queue in queues for type_id in islice(queue, 1, None)
    )
    while queues:
        head = next((queue[0] for queue in queues if not in_tails[queue[0]]), queues[0][0])
        yield head
        for queue in queues:
            if queue[0] == head:
                queue.popleft()
                if queue:
                    in_tails[queue[0]] -= 1
            elif in_tails[head] and head in queue:
                queue.remove(head)
                in_tails[head] -= 1
        queues = [queue for queue in queues if queue]
