"""What manifests declare, format by format."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.channels.manifests import declared_packages
from explorer_core.workspace import Workspace

CASES = {
    "pyproject.toml": (
        '[project]\ndependencies = ["a-b>=1,<2", "c[x]"]\n'
        "[project.optional-dependencies]\nmore = [\"d==3; python_version < '3.9'\"]\n"
        '[tool.poetry.dependencies]\npython = "^3.9"\ne = {version = "^2"}\n',
        {"a-b": "<2,>=1", "c": None, "d": "==3", "e": "^2"},
    ),
    "requirements-dev.txt": ("# a\nx==1  # why\n-r other.txt\ny\n\n", {"x": "==1", "y": None}),
    "setup.py": ("setup(install_requires=['q>=2'], tests_require=T)", {"q": ">=2"}),
    "setup.cfg": ("[options]\ninstall_requires =\n  w>1\n  v\n", {"w": ">1", "v": None}),
    "package.json": (
        '{"name": "n", "dependencies": {"@s/p": "^1"},\n"devDependencies": {"t": "2"}}',
        {"@s/p": "^1", "t": "2"},
    ),
    "go.mod": (
        "module m.org/x\ngo 1.20\nrequire a.org/b v1.2.3\n"
        "require (\n  c.org/d/v2 v2.0.0 // indirect\n)\n"
        "replace a.org/b => ../b\n",
        {"a.org/b": "v1.2.3", "c.org/d/v2": "v2.0.0"},
    ),
    "Cargo.toml": (
        '[dependencies]\nr = "1"\ns = { version = "2", features = [] }\n'
        '[target.\'cfg(unix)\'.dependencies]\nu = "3"\n[dev-dependencies]\nl = {path = "l"}\n',
        {"r": "1", "s": "2", "u": "3", "l": None},
    ),
    "pom.xml": (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><properties><v>9</v></properties>'
        "<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId>"
        "<version>${v}</version></dependency></dependencies></project>",
        {"g:a": "9"},
    ),
    "build.gradle.kts": (
        'implementation("g.h:i:1.0")\ntestImplementation(libs.j)\napi("k.l:m")',
        {"g.h:i": "1.0", "k.l:m": None},
    ),
    "gradle/libs.versions.toml": (
        '[versions]\nk = "4"\n[libraries]\na = { module = "g:a", version.ref = "k" }\n'
        'b = "g:b:5"\n',
        {"g:a": "4", "g:b": "5"},
    ),
    "x.gemspec": ("s.add_dependency 'rack', '>= 2'\n", {"rack": ">= 2"}),
    "Gemfile": ("gem 'rake'\n# gem 'no'\n", {"rake": None}),
    "composer.json": ('{"require": {"php": ">=8", "a/b": "^1"}}', {"a/b": "^1"}),
    "P.csproj": (
        '<Project><ItemGroup><PackageReference Include="N.J" Version="13" /></ItemGroup></Project>',
        {"N.J": "13"},
    ),
    "CMakeLists.txt": (
        "find_package(Zed 1.2 REQUIRED)\nFetchContent_Declare(fx GIT_TAG v3)\n",
        {"Zed": "1.2", "fx": "v3"},
    ),
    "Package.swift": (
        '.package(url: "https://x.invalid/o/nio.git", from: "2.1.0"),\n',
        {"nio": "2.1.0"},
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_manifest(tmp_path: Path, name: str):
    text, expected = CASES[name]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    found = await declared_packages(Workspace.open(tmp_path))
    assert {each.name: each.version for each in found.packages} == expected
    assert found.manifests == (name,)
    lines = text.splitlines()
    for each in found.packages:
        assert each.name.rpartition(":")[2] in lines[each.line - 1]


async def test_a_lock_file_says_the_exact_version(tmp_path: Path):
    (tmp_path / "Cargo.toml").write_text('[dependencies]\nserde_json = "1"\n')
    (tmp_path / "Cargo.lock").write_text('[[package]]\nname = "serde_json"\nversion = "1.0.5"\n')
    (package,) = (await declared_packages(Workspace.open(tmp_path))).packages
    assert (package.version, package.locked) == ("1", "1.0.5")


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"dependencies": 3}', '{"dependencies": {"a": {"b": 1}}}', "\x00", "", "[" * 9999],
)
@pytest.mark.parametrize("name", [name for name in CASES if name != "gradle/libs.versions.toml"])
async def test_a_broken_manifest_is_told_of_and_harms_no_other(
    tmp_path: Path, name: str, text: str
):
    (tmp_path / name).write_text(text)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/go.mod").write_text("require a.org/b v1.0.0\n")
    found = await declared_packages(Workspace.open(tmp_path))
    assert "a.org/b" in {each.name for each in found.packages}


async def test_entities_are_not_expanded(tmp_path: Path):
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa">]><project><dependency>&a;</dependency></project>'
    (tmp_path / "pom.xml").write_text(bomb)
    found = await declared_packages(Workspace.open(tmp_path))
    assert found.packages == ()
    assert "pom.xml" in found.diagnostics[0].message
