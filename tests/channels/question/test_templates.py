"""Which lines only output a message."""

from __future__ import annotations

from textwrap import dedent

import pytest

from explorer_core.channels.question.templates import reporting_lines


@pytest.mark.parametrize(
    "text",
    [
        'log.warn("silk is wet")  #',
        'raise ValueError("no silk")  #\nreturn 3',
        'throw Dry("no silk")  #\nthrows(silk)\nbath.raise("silk")',
        'log.Debug(ctx, "Silk is wet", "bath", bath)  #',
        '_logger.LogError(ex, "Silk is wet")  #\nvar bath = Bath("is wet");',
        'puts "silk is wet"\nLog.e "silk is wet"  #',
        'log.Trace(p.ctx, "Looking at silk", "bath", silk.Bath,  #\n'
        '    "days", len(silk.days),  #\n    "depth", depth(silk))  #\nif silk.isWet() {',
        'println!("silk {} (wet", n);  #\nlet bath = dye(silk);',
        'bath = dye(silk, "with indigo")\ndye(silk, indigo)\ndye(wash(silk), "with indigo")',
        'log_debug(this, fmt::format("silk {} is wet", n));  #\ndye(wash(silk, "with indigo"))',
        'get("/silk", dye)\nregister(silk, "indigo")',
    ],
)
def test_lines_that_only_output_a_message_are_found(text: str) -> None:
    lines = dedent(text).splitlines()
    marked = {at for at, line in enumerate(lines) if line.endswith("#")}
    assert (
        reporting_lines([line.removesuffix("  #") for line in lines], ["raise", "throw"]) == marked
    )
