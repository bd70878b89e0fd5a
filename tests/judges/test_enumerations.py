"""Where one more of an enumeration goes: what tells its members apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Intent
from tests.judges.test_offline import answered

NEW = "What do I touch to add another column to the list of parcels?"
NAMES = ("SENDER", "WEIGHT", "STATE", "PRICE")


def model(*, titled: int = 4, sorted_by: int = 4, kind: str = "enum ParcelColumn") -> str:
    """A list of parcels, of which so many columns have titles and an order of their own."""
    cases = "".join(f"      case ParcelColumn.{each}: return row;\n" for each in NAMES[:titled])
    orders = "".join(f"    [ParcelColumn.{each}]: 1,\n" for each in NAMES[:sorted_by])
    others = "".join(f"//- text/part{at}.ts\nexport function part{at}() {{}}\n" for at in range(8))
    return f"""
//- list/column.ts
export {kind} {{
  {", ".join(NAMES)},
}}
//- list/model.ts
import {{ ParcelColumn }} from "./column";

export class Rows {{
  titleOf(column: ParcelColumn, row: string) {{
    // What the list of parcels has above each column.
    switch (column) {{
{cases}    }}
  }}
}}
//- list/order.ts
import {{ ParcelColumn }} from "./column";

export function orderOf(column: ParcelColumn) {{
  return {{
{orders}  }}[column];
}}
{others}"""


@pytest.mark.parametrize(
    ("fixture", "intent", "question", "names"),
    [
        (model(), "edit", NEW, ["ParcelColumn", "Rows.titleOf", "orderOf"]),
        (model(sorted_by=2), "edit", NEW, ["ParcelColumn", "Rows.titleOf"]),
        # Nothing has most of the members, a member is asked for, the enumeration is not, and what
        # is asked for is a place.
        (model(titled=2, sorted_by=2), "edit", NEW, []),
        (model(), "edit", "What do I touch to change the price column of the list?", []),
        (model(), "edit", "What do I touch to change what is above the list of parcels?", []),
        (model(), "locate", "Where is what the list of parcels has above each column?", []),
    ],
)
async def test_what_tells_the_members_apart_comes_first(
    tmp_path: Path, fixture: str, intent: Intent, question: str, names: list[str]
):
    report = await answered(tmp_path, fixture, question, intent)
    counted = [link.fact for link in report.links if " members" in link.fact]
    assert [fact.split("`")[1] for fact in counted] == names
    first = [link.fact for link in report.links][: len(names)]
    assert counted == first
