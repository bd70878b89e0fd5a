"""The emitted report matches the files at that moment."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer_core.contracts import ExploreRequest, LineRange
from explorer_core.validation import Validated, check_emission, validate
from tests.validation.shop import CALLS, Files, described, observe
from tests.validation.test_validate import FLOW, selection_of, step, target


def emit_after(edit: Callable[[dict[str, str]], object], *dropped: str) -> Validated:
    """Observe the shop, edit its files, then emit the report."""
    registry, files = observe(), Files()
    request = ExploreRequest(query="Where is an order stored?")
    selection = selection_of(*FLOW, primary=("c2", "c6"), targets=(target("c3"),))
    verdict = validate(selection, registry=registry, request=request, relations=CALLS)
    files.texts["shop/readme.md"] = "hello"
    edit(files.texts)
    sent = check_emission(verdict, workspace=files, registry=registry, intent="explain")
    assert list(dropped) == [f"{described(each)}: {each.why}" for each in sent.dropped]
    for link in sent.links:
        lines = files.texts[link.path].split("\n")
        assert link.quote in "\n".join(lines[link.quote_range.start - 1 : link.quote_range.end])
        assert link.range.end <= len(lines)
    return sent


def replace_in(path: str, old: str, new: str) -> Callable[[dict[str, str]], object]:
    return lambda texts: texts.update({path: texts[path].replace(old, new)})


def test_unchanged_files_leave_the_report_unchanged() -> None:
    sent = emit_after(lambda texts: None)
    assert (sent.confidence, len(sent.links)) == ("high", 3)


def test_a_moved_quote_is_found_again() -> None:
    sent = emit_after(
        lambda texts: texts.update({"shop/orders.py": "# new\n" * 20 + texts["shop/orders.py"]})
    )
    assert sent.links[1].quote_range == LineRange(start=24, end=24)
    assert sent.links[1].range == LineRange(start=21, end=25)
    assert sent.read_targets[0].range == LineRange(start=28, end=31)
    assert sent.primary[0].range == LineRange(start=21, end=25)


@pytest.mark.parametrize(
    ("edit", "site"),
    [
        (lambda text: text, 4),
        (lambda text: "# new\n" * 3 + text, 7),
        (lambda text: text.replace("    store.save", "    audit(1)\n" * 3 + "    store.save"), 7),
        (lambda text: text.replace("    store", "  store"), 4),
        (lambda text: "    store.save(order)\n" * 3 + text, 7),
        (lambda text: text.replace("store.save(order)", "store.put(order)"), None),
        (lambda text: text.replace("    store.save(order)\n", ""), None),
    ],
)
def test_the_site_of_a_hop_moves_with_its_statement(
    edit: Callable[[str], str], site: int | None
) -> None:
    """Whatever else the link quotes."""
    registry, files = observe(), Files()
    selection = selection_of(
        FLOW[0], step("c2", "It makes an order.", "order = Order(**data)"), FLOW[2]
    )
    verdict = validate(
        selection,
        registry=registry,
        request=ExploreRequest(query="Where is an order stored?"),
        relations=CALLS,
    )
    files.texts["shop/orders.py"] = edit(files.texts["shop/orders.py"])
    sent = check_emission(verdict, workspace=files, registry=registry, intent="explain")
    hop = sent.links[1].hop
    assert (hop.site.line if hop and hop.site else None) == site
    assert sent.links[0].hop is not None


def test_a_quote_that_moved_too_far_is_dropped() -> None:
    def move(by: int) -> Callable[[dict[str, str]], object]:
        return replace_in("shop/orders.py", "def place_order", "# new\n" * by + "def place_order")

    assert emit_after(move(50)).links[1].range == LineRange(start=51, end=55)
    sent = emit_after(
        move(51),
        "link c2: changed_since_observed",
        "primary c2: changed_since_observed",
        "read_target c3: changed_since_observed",
    )
    assert sent.confidence == "medium"


def test_vanished_quote_is_dropped_with_its_hop() -> None:
    sent = emit_after(
        replace_in("shop/orders.py", "store.save(order)", "store.put(order)"),
        "link c2: changed_since_observed",
        "primary c2: changed_since_observed",
    )
    assert [link.hop for link in sent.links] == [None, None]


@pytest.mark.parametrize("now", ["    # store.save(order)", "    store.save(order).later()"])
def test_quoted_line_with_more_on_it_is_dropped(now: str) -> None:
    """The quote can still be found in it, but the line no longer says what the fact is about."""
    emit_after(
        replace_in("shop/orders.py", "    store.save(order)", now),
        "link c2: changed_since_observed",
        "primary c2: changed_since_observed",
    )


def test_a_quote_found_twice_elsewhere_is_dropped() -> None:
    emit_after(
        replace_in(
            "shop/orders.py",
            "    store.save(order)",
            "    pass\n    store.save(order)\n    store.save(order)",
        ),
        "link c2: changed_since_observed",
        "primary c2: changed_since_observed",
    )


@pytest.mark.parametrize(
    ("old", "new", "start", "end"),
    [
        ("def place_order(data):", "def place_order(data, user):", 2, 5),
        ("order = Order(**data)", "order = Order(data)", 3, 5),
        ("    check_stock(order)", "  check_stock(order)", 4, 5),
        ("    return order", "    return order.id", 1, 4),
    ],
)
def test_range_shrinks_to_the_unchanged_lines(old: str, new: str, start: int, end: int) -> None:
    sent = emit_after(replace_in("shop/orders.py", old, new), "primary c2: changed_since_observed")
    assert sent.links[1].range == LineRange(start=start, end=end)


def test_links_to_a_deleted_file_are_dropped() -> None:
    sent = emit_after(
        lambda texts: texts.pop("shop/orders.py"),
        "link c2: file_gone",
        "primary c2: file_gone",
        "read_target c3: file_gone",
    )
    assert sent.confidence == "medium"


def test_report_without_any_file_left_suggests_a_search() -> None:
    sent = emit_after(
        lambda texts: texts.clear(),
        "link c1: file_gone",
        "link c2: file_gone",
        "link c4: file_gone",
        "primary c2: file_gone",
        "primary c6: file_gone",
        "read_target c3: file_gone",
    )
    assert (sent.confidence, sent.action) == ("low", "targeted_gap_search")


def test_links_to_an_emptied_file_are_dropped() -> None:
    emit_after(
        lambda texts: texts.update({"shop/orders.py": ""}),
        "link c2: changed_since_observed",
        "primary c2: changed_since_observed",
        "read_target c3: changed_since_observed",
    )


def test_hop_moves_with_the_link_it_starts_from() -> None:
    registry, files = observe(), Files()
    selection = selection_of(
        step("c2", "It saves.", "check_stock(order)\n    store.save(order)"),
        FLOW[2],
        step("c2", "It begins.", "def place_order(data):"),
    )
    request = ExploreRequest(query="Where is an order stored?")
    verdict = validate(selection, registry=registry, request=request, relations=CALLS)
    head, body = files.texts["shop/orders.py"].split("\n", 1)
    files.texts["shop/orders.py"] = "\n".join([head, *["    store.save(order)"] * 3, body])
    sent = check_emission(verdict, workspace=files, registry=registry, intent="explain")
    assert [link.quote_range.start for link in sent.links] == [6, 4, 1]
    hop = sent.links[0].hop
    assert (hop.site.line if hop and hop.site else None) == 7
