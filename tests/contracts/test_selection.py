"""The candidates that a selection names, and the selection after their ids are renamed."""

from __future__ import annotations

from explorer_core.contracts import FlowChoice, ReadTargetChoice, Selection


def test_selection_lists_and_renames_all_candidate_ids() -> None:
    selection = Selection(
        primary_candidate_ids=("c1", "c2"),
        flow=tuple(
            FlowChoice(candidate_id=id_, role=id_, fact="", quote="x = 1") for id_ in ("c2", "c3")
        ),
        read_targets=tuple(
            ReadTargetChoice(candidate_id=id_, purpose=id_, required=True) for id_ in ("c3", "c2")
        ),
        recommended_primary_action="read_targets",
        confidence="low",
    )
    assert [tuple(each) for each in selection.places()] == [
        ("primary", "primaryCandidateIds.0", "c1"),
        ("primary", "primaryCandidateIds.1", "c2"),
        ("link", "flow.0.candidateId", "c2"),
        ("link", "flow.1.candidateId", "c3"),
        ("read_target", "readTargets.0.candidateId", "c3"),
        ("read_target", "readTargets.1.candidateId", "c2"),
    ]
    renamed = selection.renamed({"c1": "c7", "c3": "c8"}.get)
    assert renamed.primary_candidate_ids == ("c7",)
    assert [(each.candidate_id, each.role) for each in renamed.flow] == [("c8", "c3")]
    assert [(each.candidate_id, each.purpose) for each in renamed.read_targets] == [("c8", "c3")]
    assert selection.renamed(lambda id_: id_) == selection
