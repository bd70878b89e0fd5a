"""The packet judge: one call over a packet of candidates, for models without good tool use and for
speed. It may ask for more evidence once, which uses one of the rounds in the settings."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from pydantic import ValidationError

from explorer_core.channels.features.narrowing import line_worth
from explorer_core.channels.grep import grep
from explorer_core.contracts import (
    Candidate,
    CandidateId,
    Dropped,
    ExploreRequest,
    JudgeName,
    NeedMoreEvidence,
    Observation,
    PacketSelection,
    Selection,
    SymbolFound,
    Usage,
)
from explorer_core.credentials import masked, masked_text
from explorer_core.index.terms.text import analyse
from explorer_core.judges.base import Effort, Gap, JudgeCase, JudgeError, Verdict
from explorer_core.judges.model_judges.budget import REPLY_TOKENS
from explorer_core.judges.model_judges.dialogue import (
    Dialogue,
    gaps_text,
    question_block,
    text_block,
)
from explorer_core.judges.model_judges.prompts import prompt
from explorer_core.judges.model_judges.submission import Rejected, parse_submission, without_unknown
from explorer_core.judges.models.model import Block, ModelClient, Reply
from explorer_core.judges.question_words import QuestionWords
from explorer_core.judges.shown.packer import pack
from explorer_core.judges.shown.shown import PlaceBlock, ShownPlaces, heading, plain

_REPAIRS = 2
_LINES = 6
"""Lines shown per candidate, the most telling ones, besides that of its name."""
_MOST_FURTHER = 12
"""Maximum candidates that a further round adds."""
_QUERIES = 3
_LONGEST_QUERY = 1_000
_ROUND_OVER = "No further evidence is to be had; decide with what you have been shown."


class PacketJudge:
    """One packet and one answer, plus the rounds needed to correct it."""

    name: JudgeName = "packet"

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self._round: _Rounds | None = None

    async def judge(self, case: JudgeCase) -> Verdict:
        """Ask about the packet. Raises JudgeError if no usable answer comes."""
        self._round = _Rounds(self._client, case)
        return await self._round.first()

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        """Ask again, naming the gaps; None if no round or time is left."""
        rounds = self._round
        if rounds is None or rounds.left < 1 or not rounds.seconds_left():
            return None
        return await rounds.again(gaps)


class _Rounds:
    """One dialogue: the places shown, and the rounds left."""

    def __init__(self, client: ModelClient, case: JudgeCase) -> None:
        settings = case.workspace.settings
        self.left = settings.reconsider_rounds
        self._case = case
        self._seconds = case.request.budget.wall_time_s or settings.packet_time_s
        self._room = case.request.budget.observation_chars or settings.observation_chars
        self._ends = time.monotonic() + self._seconds
        self._shown = ShownPlaces(case.registry)
        self._words = QuestionWords(case)
        self._chars = 0
        self._effort = Effort()
        self._has_asked = False
        self._dialogue = Dialogue(client, case.transcript, prompt("packet"), schema=_schema())

    async def first(self) -> Verdict:
        self._dialogue.begin("Packet", [("seconds", f"{self._seconds:g}")])
        candidates = pack(self._case.ranking.candidates)
        block = await self._case.with_graph(lambda: self._packet(candidates))
        return await self._verdict(question_block(self._case.request), block)

    async def again(self, gaps: Sequence[Gap]) -> Verdict:
        self._use_round()
        missing = [gap.text for gap in gaps if gap.needs_exploring]
        more = [await self._further_places(missing)] if missing else []
        wrong = gaps_text([gap.text for gap in gaps])
        return await self._verdict(text_block(f"{wrong}\nAnswer again, in full."), *more)

    async def _verdict(self, *blocks: Block) -> Verdict:
        try:
            async with self._dialogue.within(self.seconds_left(), self._seconds):
                self._dialogue.tell(*blocks)
                selection, dropped = await self._answer()
        except JudgeError as error:
            error.usage, error.effort = self._usage(), self._effort
            raise
        return Verdict(
            selection,
            judge="packet",
            model=self._dialogue.model,
            usage=self._usage(),
            effort=self._effort,
            dropped=dropped,
        )

    async def _answer(self) -> tuple[Selection, tuple[Dropped, ...]]:
        repairs = 0
        while repairs <= _REPAIRS:
            self._case.tell(
                f"Asking {self._dialogue.model_asked} about {len(self._shown.ids)} places"
            )
            answer = _json_in(await self._dialogue.ask(REPLY_TOKENS))
            requested = None if self._has_asked or self.left < 1 else _requested_evidence(answer)
            if requested is not None:
                self._has_asked = True
                self._use_round()
                self._case.tell(f"missing: {requested.role_gap[:60]!r}")
                by_text = "grep" in requested.preferred_tools
                self._dialogue.tell(await self._further_places(requested.targeted_queries, by_text))
                continue
            known = self._shown.has if repairs < _REPAIRS else _any_id
            parsed = parse_submission(answer, PacketSelection, known)
            if not isinstance(parsed, Rejected):
                return without_unknown(_without_request(parsed), self._shown.has)
            repairs += 1
            self._effort = replace(self._effort, repairs=self._effort.repairs + 1)
            self._dialogue.tell(text_block(f"{parsed.text}\nAnswer again, in full."))
        raise self._dialogue.failure("The model gave no valid answer.", "no_report")

    def seconds_left(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    def _use_round(self) -> None:
        self.left -= 1
        self._effort = replace(self._effort, rounds=self._effort.rounds + 1)

    # evidence

    def _packet(self, candidates: Sequence[Candidate]) -> Block:
        """The packet as text: its head, then each candidate with its most telling lines."""
        ranking = self._case.ranking
        head = [
            f"{len(candidates)} of {len(ranking.candidates)} places found.",
            f"{ranking.covered:.0%} of what the question says, by weight of its words, is in the"
            " best file.",
            *self._unmatched(candidates),
        ]
        return self._text_block_of("\n".join(map(plain, head)), candidates)

    def _text_block_of(self, head: str, candidates: Iterable[Candidate]) -> Block:
        blocks = [self._place_block(each) for each in candidates]
        rendered = self._shown.render(blocks, max(0, self._room - self._chars))
        self._chars += len(rendered.text)
        return text_block(f"{head}\n{rendered.text}" if rendered.ids else head)

    def _place_block(self, candidate: Candidate) -> PlaceBlock:
        weights = self._words.weights
        lines = [
            (number, line)
            for segment in candidate.segments
            for number, line in enumerate(segment.lines, segment.start)
            if line.strip()
        ]
        telling = sorted(lines, key=lambda each: -line_worth(each[1], weights))[:_LINES]
        first = {symbol.line for symbol in candidate.symbols[:1]}
        telling += [each for each in lines if each[0] in first]
        head = f"{heading(candidate)}; {plain(self._description(candidate))}"
        return PlaceBlock(candidate.id, candidate.path, head, tuple(sorted(set(telling))))

    async def _further_places(self, queries: Sequence[str], by_text: bool = False) -> Block:
        """New places that further queries find; ``by_text`` greps for the queries too."""
        found: list[Candidate] = []
        matches: list[Observation] = []
        scope = self._case.request.scope
        for query in filter(str.strip, queries[:_QUERIES]):
            self._case.tell(f"looking for {query[:60]!r}")
            asked = ExploreRequest(query=query[:_LONGEST_QUERY], scope=scope)
            found += pack((await self._case.gather(asked)).candidates)[:_MOST_FURTHER]
            if by_text:
                result = await grep(self._case.workspace, query[:_LONGEST_QUERY], scope=scope)
                matches += result.observations[:_MOST_FURTHER]

        def work() -> Block:
            ids = dict.fromkeys(self._case.registry.add_all(matches))
            ids |= dict.fromkeys(filter(None, map(self._adopt, found)))
            new = (self._case.registry.get(each) for each in ids if not self._shown.has(each))
            fresh = [each for each in new if each is not None][:_MOST_FURTHER]
            return self._text_block_of("Further places:" if fresh else _ROUND_OVER, fresh)

        return await self._case.with_graph(work)

    def _adopt(self, candidate: Candidate) -> CandidateId | None:
        """The id in this case's registry of a place found for another question; None if none of its
        text was read."""
        if candidate.range is None or not candidate.segments:
            return None
        ids = [
            self._case.registry.add(
                SymbolFound(
                    path=candidate.path,
                    range=candidate.range,
                    symbol=candidate.symbols[0] if candidate.symbols else None,
                    segment=segment,
                    terms=candidate.matched_terms,
                )
            )
            for segment in candidate.segments
        ]
        return ids[0]

    def _unmatched(self, candidates: Iterable[Candidate]) -> list[str]:
        """Lines that name telling terms of the question which no candidate matches."""
        matched = {term for each in candidates for term in each.matched_terms}
        weights = {each: w for each, w in self._words.weights.items() if self._may_be_sent(each)}
        telling = max(weights.values(), default=0.0) / 2
        unmatched = [term for term in weights if term not in matched]
        return [f"No place matches: {term}" for term in unmatched if weights[term] > telling][:5]

    def _description(self, candidate: Candidate) -> str:
        """What is known about a place besides its text, on one line."""
        matched = [term for term in candidate.matched_terms if self._may_be_sent(term)]
        traits = [name for name, holds in candidate.traits.model_dump().items() if holds]
        parts = [
            f"matches {', '.join(matched[:8])}",
            *([", ".join(traits)] if traits else []),
            f"found by {', '.join(candidate.provenance)}",
            f"about {candidate.estimated_tokens} tokens",
        ]
        return "; ".join(parts)

    def _may_be_sent(self, term: str) -> bool:
        """Whether a term is not a credential, nor a normalised part of one in the question."""
        return term not in self._withheld and masked(term) == term

    @cached_property
    def _withheld(self) -> frozenset[str]:
        question = self._case.question
        return frozenset(analyse(question)) - frozenset(analyse(masked_text(question)))

    def _usage(self) -> Usage:
        return self._dialogue.usage().model_copy(
            update={"observation_chars": self._chars, "candidates_seen": len(self._shown.ids)}
        )


@cache
def _schema() -> dict[str, Any]:
    return PacketSelection.model_json_schema(by_alias=True)


def _requested_evidence(answer: Any) -> NeedMoreEvidence | None:
    """The evidence an answer asks for; None if it asks for none, or not in a usable form."""
    try:
        request = NeedMoreEvidence.model_validate(answer["needMoreEvidence"])
    except (KeyError, TypeError, ValidationError):
        return None
    return request if any(map(str.strip, request.targeted_queries)) else None


def _any_id(candidate_id: CandidateId) -> bool:
    return True


def _without_request(selection: PacketSelection) -> Selection:
    fields = {name: getattr(selection, name) for name in Selection.model_fields}
    return Selection.model_construct(**fields)


def _json_in(reply: Reply) -> Any:
    """The JSON object in a model's reply, which may be in a fence or between words; None if none.

    Lone surrogates, which JSON can escape but UTF-8 cannot encode, are replaced.
    """
    text = reply.text
    start, end = text.find("{"), text.rfind("}")
    try:
        parsed = json.loads(text[start : end + 1])
        return json.loads(json.dumps(parsed, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
