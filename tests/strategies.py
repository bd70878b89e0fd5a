"""Hypothesis strategies: selections that are honest, lie, or try to smuggle in references."""

from __future__ import annotations

from hypothesis import strategies as st

from explorer_core.contracts import (
    FlowChoice,
    ReadTargetChoice,
    Report,
    SearchTarget,
    Selection,
)
from tests.golden import golden
from tests.validation.shop import SHOP

UNSEEN_FILES = ("hidden.py", "config.yaml", "Main.java", "x.c", "index.html", "app.tsx", "notes.md")
UNSEEN_FOLDERS = (
    "",
    "src/",
    "shop/",
    "a/b/",
    "./",
    "../",
    "/etc/",
    "~/",
    "C:/",
    "file:///",
    "https://h.io/",
)

ids = st.sampled_from(["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c40", "c999"])
intents = st.sampled_from(["explain", "locate", "edit", "debug"])
confidences = st.sampled_from(["low", "medium", "high"])
actions = st.sampled_from(
    ["answer_from_report", "read_targets", "targeted_gap_search", "skip_explore_result"]
)

names = st.builds(
    lambda folder, file: folder + file,
    st.sampled_from(UNSEEN_FOLDERS),
    st.sampled_from(UNSEEN_FILES),
)


def disguised(reference: str) -> st.SearchStrategy[str]:
    """The same reference, written so as to get past a check."""
    return st.sampled_from(
        [
            reference,
            reference.replace("/", "\\"),
            reference.replace("/", "⁄"),
            reference.replace("/", "／"),
            reference.replace(".", "．"),
            reference.replace(".", "\u200b."),
            reference.replace("/", "%2F"),
            reference.replace("/", "&#47;"),
            f"\x1b[1m{reference}\x1b[0m",
            f"[x]({reference})",
            f"`{reference}`",
            f"<{reference}>",
            f"({reference}),",
        ]
    )


suffixes = st.sampled_from(["", ":10", ":10-20", ":3:4", "#L10", "#L3-L9", "@7", "(10)"])
lines_never_seen = st.integers(100, 10**6).flatmap(
    lambda n: st.sampled_from([f":{n}", f"line {n}", f"Lines {n}-{n + 4}", f"L{n}", f"#L{n}"])
)
unseen_references = st.one_of(
    st.builds(lambda name, line: name + line, names, suffixes).flatmap(disguised),
    lines_never_seen,
    lines_never_seen.map(lambda line: f"shop/routes.py {line}"),
)
words = st.sampled_from(["", "It saves.", "see", "`place_order` calls `Store.save`", "and/or", "→"])
smuggling_texts = st.builds(
    lambda before, reference, after: f"{before} {reference} {after}",
    words,
    unseen_references,
    words,
)
any_texts = st.one_of(words, smuggling_texts, st.text(max_size=300))

_CODE_LINES = [line for text in SHOP.files.values() for line in text.split("\n")]
quotes = st.one_of(
    st.sampled_from(_CODE_LINES),
    st.lists(st.sampled_from(_CODE_LINES), min_size=1, max_size=3).map("\n".join),
    st.text(max_size=60),
)


@st.composite
def selections(draw: st.DrawFn, texts: st.SearchStrategy[str] = any_texts) -> Selection:
    """Any selection that a judge may return."""

    def some(most: int) -> range:
        return range(draw(st.integers(0, most)))

    return Selection(
        primary_candidate_ids=tuple(draw(st.lists(ids, max_size=7))),
        flow=tuple(
            FlowChoice(
                candidate_id=draw(ids), role=draw(texts), fact=draw(texts), quote=draw(quotes)
            )
            for _ in some(10)
        ),
        read_targets=tuple(
            ReadTargetChoice(candidate_id=draw(ids), purpose=draw(texts)) for _ in some(8)
        ),
        missing_coverage=tuple(draw(texts) for _ in some(5)),
        recommended_primary_action=draw(actions),
        search_targets=tuple(
            SearchTarget(terms=(draw(texts),), scope=draw(texts)) for _ in some(3)
        ),
        confidence=draw(confidences),
    )


_LONG = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/.\\:[]`"), max_size=240
).map(lambda text: " ".join(text.split()))


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports of any length over few or many files, including long paths and long texts."""
    steps = golden("explain").links
    paths = draw(
        st.lists(
            st.builds(
                lambda stem, folder: f"{'deep/' * folder}{stem}_file.py",
                st.text("abcxyz", min_size=1, max_size=40),
                st.integers(1, 30),
            ),
            min_size=1,
            max_size=6,
            unique=True,
        )
    )
    links = [
        steps[0].model_copy(
            update={
                "id": f"c{number}",
                "path": draw(st.sampled_from(paths)),
                "fact": " ".join([draw(_LONG), draw(st.sampled_from(["", *paths]))]).strip()[:240],
                "role": draw(_LONG)[:40],
                "quote": draw(st.sampled_from(["x = 1", "call(a)\nother(b)", "y" * 200])),
                "hop": None,
            }
        )
        for number in range(1, draw(st.integers(0, 8)) + 1)
    ]
    targets = [
        golden("edit")
        .read_targets[0]
        .model_copy(update={"path": draw(st.sampled_from(paths)), "purpose": draw(_LONG)[:120]})
        for _ in range(draw(st.integers(0, 6)))
    ]
    return golden("explain").model_copy(
        update={
            "query": draw(_LONG) or "q",
            "action": draw(actions),
            "links": tuple(links),
            "read_targets": tuple(targets),
            "primary": (),
            "missing": tuple(draw(st.lists(_LONG, max_size=3))),
            "notes": tuple(draw(st.lists(_LONG, max_size=3))),
            "suggested_keywords": tuple(draw(st.lists(st.text("abcxyz", min_size=3), max_size=16))),
        }
    )
