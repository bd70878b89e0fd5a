"""What `sightline mcp` prints for agents."""

from __future__ import annotations

import json
import tomllib

import pytest

from lsp_server.cli import run
from lsp_server.exits import UserError
from lsp_server.mcp import texts


@pytest.mark.parametrize("agent", texts.agents())
def test_a_configuration_starts_the_server(agent: str, capsys: pytest.CaptureFixture[str]):
    assert run(["mcp", "--config", agent, "--workspace", "/a b", "--set", "report_chars=900"]) == 0
    head, _, text = capsys.readouterr().out.partition("\n")
    assert head.startswith(("#", "//"))
    words = ["mcp", "--workspace", "/a b", "--set", "report_chars=900"]
    if text.startswith("{"):
        flat = json.dumps(json.loads(text))
        assert json.dumps(words)[1:-1] in flat
        assert '"sightline"' in flat
    elif text.startswith("["):
        (server,) = tomllib.loads(text)["mcp_servers"].values()
        assert (server["command"], server["args"]) == ("sightline", words)
    else:
        assert text.strip().endswith('sightline mcp --workspace "/a b" --set "report_chars=900"')


def test_unknown_agents_are_named():
    with pytest.raises(UserError, match="claude-code"):
        run(["mcp", "--config", "nobody"])


def test_the_instructions_are_printed(capsys: pytest.CaptureFixture[str]):
    assert run(["mcp", "--instructions"]) == 0
    assert capsys.readouterr().out == texts.instructions()
