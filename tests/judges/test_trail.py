"""Questions with a message or a stack trace are answer_question backwards from the symptom."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Intent
from tests.judges.test_offline import answer_request

REELS = {
    "python": """
//- src/reels/wind.py
from reels.spool import measure

def wind(spool):
    turn(spool)

def turn(spool):
    measure(spool)
//- src/reels/spool.py
def measure(spool):
    if spool.age > 10:
        raise ValueError(f"Spool age {spool.age} > 10")
""",
    "typescript": """
//- src/wind/Wind.ts
import { Spool } from "../spool/Spool"
export class Wind {
    get spool() {
        return new Spool().measure()
    }
    turn() {
        return this.spool
    }
}
//- src/spool/Spool.ts
// Text that is not in what was compiled.
export class Spool {
    measure() {
        throw new Error(`Spool age ${this.age} is too much`)
    }
}
""",
    "java": """
//- main/java/reels/Wind.java
package reels;
class Wind {
    void turn(Spool spool) { spool.measure(); }
}
//- main/java/reels/Spool.java
package reels;
class Spool {
    void measure() {
        throw new IllegalStateException("Spool age " + age + " is too much");
    }
}
//- main/java/other/Spool.java
package other;
class Spool {
    void measure() { }
}
""",
    "php": """
//- src/Wind.php
<?php
class Wind {
    function turn($spool) {
        $this->measure($spool);
    }
    private function measure($spool) {
        throw new RuntimeException("Spool age {$spool->age} is too much");
    }
}
""",
    "go": """
//- wind.go
package reels

func Turn(spool *Spool) {
\tmeasure(spool)
}

func measure(spool *Spool) {
\tpanic(fmt.Sprintf("spool age %d is too much", spool.age))
}
""",
}
TRACES = [
    (
        "python",
        """Why does it fail?
Traceback (most recent call last):
  File "/srv/app/main.py", line 3, in <module>
    wind(spool)
  File "/usr/lib/python3/site-packages/reels/wind.py", line 4, in wind
    turn(spool)
  File "/usr/lib/python3/site-packages/reels/wind.py", line 7, in turn
    measure(spool)
  File "/usr/lib/python3/site-packages/reels/spool.py", line 3, in measure
    raise ValueError(f"Spool age {spool.age} > 10")
ValueError: Spool age 12 > 10""",
        ["measure", "turn", "wind"],
    ),
    (
        "typescript",
        """Error: Spool age 12 is too much
    at Spool.measure (/app/node_modules/reels/spool/Spool.js:9:15)
    at Wind.get spool [as spool] (/app/node_modules/reels/wind/Wind.js:41:28)
    at Wind.turn (/app/node_modules/reels/wind/Wind.js:99:3)
    at main (/app/server.js:4:1)""",
        ["Spool.measure", "Wind.spool", "Wind.turn"],
    ),
    (
        "java",
        """java.lang.RuntimeException: java.lang.IllegalStateException: Spool age 12 is too much
\tat reels.Wind.turn(Wind.java:3)
\tat app.Main.main(Main.java:9)
Caused by: java.lang.IllegalStateException: Spool age 12 is too much
\tat reels.Spool.measure(Spool.java:4)
\t... 2 more""",
        ["Spool.measure", "Wind.turn"],
    ),
    (
        "php",
        """PHP Fatal error:  Uncaught RuntimeException: Spool age 12 is too much
#0 /app/vendor/reels/reels/src/Wind.php(4): Wind->measure(Object(Spool))
#1 /app/index.php(7): Wind->turn(Object(Spool))
#2 {main}""",
        ["Wind.measure", "Wind.turn"],
    ),
    (
        "go",
        """panic: spool age 12 is too much

goroutine 1 [running]:
example.org/reels.measure(...)
\t/root/go/pkg/mod/example.org/reels@v1.2.0/wind.go:8 +0x1d
example.org/reels.Turn(0xc000)
\t/root/go/pkg/mod/example.org/reels@v1.2.0/wind.go:4 +0x2d""",
        ["measure", "Turn"],
    ),
]


@pytest.mark.parametrize("intent", ["debug", "explain"])
@pytest.mark.parametrize(("reels", "question", "names"), TRACES)
async def test_stack_trace_is_followed_backwards_from_the_symptom(
    tmp_path: Path, reels: str, question: str, names: list[str], intent: Intent
):
    """For the intent `explain`, forwards from the start."""
    subjects = await subjects_of(tmp_path, REELS[reels], question, intent)
    assert subjects == (names if intent == "debug" else names[::-1])


async def test_frame_matches_the_file_of_its_extension(tmp_path: Path):
    """If its folders do not decide between two files of the same stem."""
    fixture = """
//- src/spool.c
#include "spool.h"
extern int measure(struct spool *spool);
//- src/spool.h
inline int measure(struct spool *spool) {
    return *spool->age;
}
//- src/wind.c
#include "spool.h"
int turn(struct spool *spool) {
    return measure(spool);
}
"""
    question = """It crashes:
#0 0x55d0 in measure /build/reels/src/spool.h:2:12
#1 0x55f1 in turn /build/reels/src/wind.c:3:12"""
    request = ExploreRequest(query=question, intent="debug")
    report = await answer_request(request, tmp_path, fixture)
    places = [(link.path, link.range and link.range.start) for link in report.links]
    assert places[:2] == [("src/spool.h", 1), ("src/wind.c", 2)]


async def test_code_printing_the_message_precedes_its_callers(tmp_path: Path):
    question = "Why do I get: ValueError: Spool age 12 > 10"
    assert await subjects_of(tmp_path, REELS["python"], question) == ["measure", "turn", "wind"]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Why does it fail with 'Spool age 12 > 10'?", False),
        ("Why does spool age matter?", True),
    ],
)
async def test_code_with_only_words_of_the_message_is_not_shown(
    tmp_path: Path, question: str, shown: bool
):
    """If the flow leads to the code that prints the message."""
    fixture = REELS["python"] + "//- src/reels/age.py\ndef spool_age_fail(spool): ...\n"
    request = ExploreRequest(query=question, intent="debug")
    report = await answer_request(request, tmp_path, fixture)
    assert ("src/reels/age.py" in {link.path for link in report.links}) == shown, report.links


@pytest.mark.parametrize("path", ["/", "./", "///"])
async def test_frame_without_a_file_name_is_skipped(tmp_path: Path, path: str):
    question = f"""Error: Spool age 12 is too much
    at measure ({path}:12:5)
    at Wind.turn (/app/src/wind/Wind.js:99:3)"""
    assert await subjects_of(tmp_path, REELS["typescript"], question) == [
        "Spool.measure",
        "Wind.turn",
    ]


async def test_code_wrapping_the_message_is_not_its_cause(tmp_path: Path):
    fixture = """
//- wind.py
def wind(spool):
    try:
        measure(spool)
    except ValueError as error:
        raise RuntimeError(f"Invalid spool in wind: {error}") from error

def measure(spool):
    raise ValueError(f"{spool.name} has no thread")
"""
    question = "RuntimeError: Invalid spool in wind: red has no thread"
    assert await subjects_of(tmp_path, fixture, question) == ["measure", "wind"]


async def test_logging_call_is_not_stated_if_there_is_another(tmp_path: Path):
    fixture = """
//- wind.py
from log import note

def wind_spool(spool):
    note("wind spool %s", spool.name)
    turn(spool)

def turn(spool): ...
//- log.py
def note(text, *values): ...
"""
    request = ExploreRequest(query="Why does wind spool hang?", intent="debug")
    report = await answer_request(request, tmp_path, fixture)
    assert "`wind_spool` calls `turn`." in [link.fact for link in report.links]
    assert "`wind_spool` calls `note`." not in [link.fact for link in report.links]


TABLES = {
    "texts.xml": """<texts>
{rows}<text name="{key}">No reel left for the spool</text>
</texts>
""",
    "texts.json": """{
{rows}  "{key}": "No reel left for the spool"
}
""",
    "texts.ini": """{rows}{key} = No reel left for the spool
""",
}
ROWS = {
    "texts.xml": '<text name="text-of-{at}">Row{at}</text>\n',
    "texts.json": '  "text-of-{at}": "Row{at}",\n',
    "texts.ini": "text-of-{at} = Row{at}\n",
}


@pytest.mark.parametrize("path", TABLES)
@pytest.mark.parametrize(
    ("key", "use"),
    [
        ("reel-is-gone", 'say("reel-is-gone")'),
        ("reel_is_gone", "say(texts.reel_is_gone)"),
        ("reel_is_gone", 'say("wind.reel_is_gone")'),
    ],
)
async def test_text_of_a_resource_file_leads_to_users_of_its_key(
    tmp_path: Path, path: str, key: str, use: str
):
    rows = "".join(ROWS[path].replace("{at}", str(at)) for at in range(60))
    table = TABLES[path].replace("{rows}", rows).replace("{key}", key)
    fixture = f"""
//- de/{path}
{table.replace("No reel left for the spool", "Keine Rolle")}
//- {path}
{table}
//- wind.py
def wind(spool):
    turn(spool)

def turn(spool):
    if spool.empty:
        {use}

def no_reel_left_for_the_spool(spool):
    say("{key}-twice")
"""
    request = ExploreRequest(query='Why "No reel left for the spool"?', intent="debug")
    report = await answer_request(request, tmp_path, fixture)
    text, *links = [link for link in report.links if link.role != "also"]
    assert (text.path, "No reel left for the spool" in text.fact) == (path, True)
    assert links[0].fact.split("`")[1] == "turn"
    assert links[0].quote == f"if spool.empty:\n        {use}"
    assert links[1].fact.startswith("`wind` calls")
    assert report.confidence != "low"


async def test_argument_before_a_text_is_not_its_key(tmp_path: Path):
    fixture = """
//- faults.go
package wind

var errSpoolGone = &fault{42, codes.StatusGone, "no reel left for the spool"}
//- wind.go
package wind

func turn(spool *Spool) error {
	return errSpoolGone
}

func forward(answer *Answer) {
	if answer.Status == codes.StatusGone {
		note(answer)
	}
}
"""
    subjects = await subjects_of(tmp_path, fixture, 'Why "no reel left for the spool"?')
    assert subjects[:2] == ["errSpoolGone", "turn"]
    assert "forward" not in subjects


PROTECTED = """
//- guard/branches.py
class ProtectedBranches:
    def refuse_push(self, branch, collaborator):
        # A push to a protected branch is refused, be the user a collaborator or not.
        if self.is_protected(branch):
            return self.refused(branch, collaborator)

    def is_protected(self, branch):
        return branch in self.protected_branches
//- pages/merge.py
def show(request):
    request.draw()
    return request.answer(f"branch {request.name} is protected.")
""" + "".join(f"//- others/other_{at}.py\ndef other_{at}(): ...\n" for at in range(8))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        # Paraphrased, and as it was printed.
        (
            "A push is refused though the user is a collaborator, and the branch is protected. "
            "Where is that decided?",
            "ProtectedBranches.refuse_push",
        ),
        ('What prints "branch main is protected."?', "show"),
    ],
)
async def test_paraphrase_of_a_message_template_does_not_match_it(
    tmp_path: Path, question: str, first: str
):
    assert (await subjects_of(tmp_path, PROTECTED, question))[0] == first


async def subjects_of(
    tmp_path: Path, fixture: str, question: str, intent: Intent = "debug"
) -> list[str]:
    """The subjects of an answer's links in order, without those listed after the flow."""
    report = await answer_request(ExploreRequest(query=question, intent=intent), tmp_path, fixture)
    assert report.dropped == ()
    return [link.fact.split("`")[1] for link in report.links if link.role != "also"]
