"""The packages that manifests declare, format by format."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.channels.packages import manifests
from explorer_core.channels.packages.manifests import Declared, declared_packages
from explorer_core.workspace import Workspace
from tests.angles.environments import install_package
from tests.odd_files import OddFile, needs_pipes, odd_files

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
async def test_declared_packages_of_each_manifest_format(tmp_path: Path, name: str):
    text, expected = CASES[name]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    found = await declared_packages(Workspace.open(tmp_path))
    assert {each.name: each.version for each in found.packages} == expected
    assert found.manifests == (name,)
    lines = text.splitlines()
    for each in found.packages:
        assert each.name.rpartition(":")[2] in lines[each.line - 1]


VERSIONS = [
    ('"^1"', "^1"),
    ('{"version": "1.0"}', "1.0"),
    ('[{"version": ">=1", "python": "<3"}, {"version": ">=2"}, ">=2"]', ">=1 || >=2"),
    ('{"version": {"version": "1"}}', None),
    ("[[3]]", None),
    ("7", None),
    ("true", None),
    ('" "', None),
    ("null", None),
]


@pytest.mark.parametrize(("value", "version"), VERSIONS)
@pytest.mark.parametrize(
    ("file", "manifest"),
    [
        ("package.json", '{{"dependencies": {{"p": {0}}}}}'),
        ("composer.json", '{{"require": {{"v/p": {0}}}}}'),
    ],
)
async def test_odd_versions_are_read_as_text_or_none(
    tmp_path: Path, value: str, version: str | None, file: str, manifest: str
):
    (tmp_path / file).write_text(manifest.format(value))
    (package,) = (await declared_packages(Workspace.open(tmp_path))).packages
    assert package.version == version


async def test_alternative_versions_are_joined(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text(
        "[tool.poetry.dependencies]\n"
        'a = [{version = ">=1.2", python = "<3.12"}, {version = ">=2", python = ">=3.12"}]\n'
        'b = [{version = "^1"}, {version = "^1", markers = "m"}]\nc = {git = "g"}\n'
    )
    found = await declared_packages(Workspace.open(tmp_path))
    versions = {each.name: each.version for each in found.packages}
    assert versions == {"a": ">=1.2 || >=2", "b": "^1", "c": None}


async def test_locked_version_of_another_type_is_ignored(tmp_path: Path):
    (tmp_path / "package.json").write_text('{"dependencies": {"p": "1", "q": "1"}}')
    packages = '{"node_modules/p": {"version": {"a": 1}}, "node_modules/q": {"version": "1.1"}}'
    (tmp_path / "package-lock.json").write_text(f'{{"packages": {packages}}}')
    found = await declared_packages(Workspace.open(tmp_path))
    assert {each.name: each.locked for each in found.packages} == {"p": None, "q": "1.1"}


LOCKS = {
    "Cargo.toml": (
        '[dependencies]\nserde_json = "1"\n',
        "Cargo.lock",
        '[[package]]\nname = "serde_json"\nversion = "1.0.5"\n',
        "1.0.5",
    ),
    "pyproject.toml": (
        '[project]\ndependencies = ["A_b"]\n',
        "uv.lock",
        '[[package]]\nname = "a-b"\nversion = "2"\n',
        "2",
    ),
    "requirements.txt": ("x\n", "Pipfile.lock", '{"default": {"x": {"version": "==3.1"}}}', "3.1"),
    "package.json": (
        '{"dependencies": {"@s/p": "^1"}}',
        "yarn.lock",
        '# yarn\n\n"@s/p@^1", "@s/p@^1.1":\n  version "1.4.0"\n  resolved "r"\n',
        "1.4.0",
    ),
    "Gemfile": ("gem 'rack'\n", "Gemfile.lock", "GEM\n  specs:\n    rack (2.2.8)\n", "2.2.8"),
    "composer.json": (
        '{"require": {"a/b": "^1"}}',
        "composer.lock",
        '{"packages": [{"name": "a/b", "version": "v1.2",'
        ' "autoload": {"psr-4": {"Ab\\\\": "src/"}}}]}',
        "1.2",
    ),
    "P.csproj": (
        '<Project><PackageReference Include="N.J" Version="13" /></Project>',
        "packages.lock.json",
        '{"dependencies": {"net8.0": {"N.J": {"resolved": "13.0.3"}}}}',
        "13.0.3",
    ),
}


@pytest.mark.parametrize("name", LOCKS)
async def test_lock_file_gives_the_exact_version(tmp_path: Path, name: str):
    """A lock file applies to the manifests in its own folder and below."""
    manifest, lock, text, version = LOCKS[name]
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / name).write_text(manifest)
    (tmp_path / lock).write_text(text)
    found = await declared_packages(Workspace.open(tmp_path))
    assert [(each.manifest, each.locked) for each in found.packages] == [(f"sub/{name}", version)]
    assert all(each.modules == ("Ab",) for each in found.packages if lock == "composer.lock")


async def test_lock_file_of_another_folder_is_ignored(tmp_path: Path):
    for folder, version in {"one": "1.1", "other": "1.2"}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Cargo.toml").write_text('[dependencies]\nr = "1"\n')
        lock = f'[[package]]\nname = "r"\nversion = "{version}"\n'
        (tmp_path / folder / "Cargo.lock").write_text(lock)
    found = await declared_packages(Workspace.open(tmp_path))
    assert [each.locked for each in found.packages] == ["1.1", "1.2"]


async def test_modules_are_read_from_installed_metadata(tmp_path: Path):
    """Modules come from the metadata's declaration, or else from the list of installed files."""
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "requirements.txt").write_text("Py_Ports\nlooms\nabsent\n")
    (tmp_path / "api" / "package.json").write_text('{"dependencies": {"py-ports": "1"}}')
    environment = tmp_path / "api" / ".venv"
    site = environment / "lib" / "python3.12" / "site-packages"
    install_package(site, "py-ports", declares="_ports\nports\n")
    install_package(
        site, "looms", files=("weave/__init__.py", "warp.py", "looms-1.0.dist-info/RECORD")
    )
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\n")
    found = await declared_packages(Workspace.open(tmp_path))
    assert {each.name: each.modules for each in found.packages} == {
        "Py_Ports": ("_ports", "ports"),
        "looms": ("weave", "warp"),
        "absent": (),
        "py-ports": (),  # the package of another registry
    }


@pytest.mark.parametrize(
    ("file", "content"), [("METADATA", b"Name: \xff\n"), ("RECORD", b"a" * 200_000 + b",,\n")]
)
async def test_unreadable_metadata_does_not_affect_other_packages(
    tmp_path: Path, file: str, content: bytes
):
    (tmp_path / "requirements.txt").write_text("broken\nlooms\n")
    site = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"
    install_package(site, "broken")
    install_package(site, "looms", declares="weave\n")
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("")
    (site / "broken-1.0.dist-info" / file).write_bytes(content)
    found = await declared_packages(Workspace.open(tmp_path))
    modules = {each.name: each.modules for each in found.packages}
    assert modules == {"broken": (), "looms": ("weave",)}


async def test_environment_outside_the_workspace_is_not_read(tmp_path: Path):
    outside = tmp_path / "outside" / "lib" / "python3.12" / "site-packages"
    install_package(outside, "py-ports", declares="ports\n")
    (tmp_path / "outside" / "pyvenv.cfg").write_text("")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "requirements.txt").write_text("py-ports\n")
    (tmp_path / "work" / ".venv").symlink_to(tmp_path / "outside", target_is_directory=True)
    (package,) = (await declared_packages(Workspace.open(tmp_path / "work"))).packages
    assert package.modules == ()


@pytest.mark.parametrize("linked", ["top_level.txt", "METADATA"])
async def test_metadata_outside_the_workspace_is_not_read(tmp_path: Path, linked: str):
    site = tmp_path / "work" / ".venv" / "lib" / "python3.12" / "site-packages"
    install_package(site, "py-ports", declares="ports\n")
    (tmp_path / "work" / ".venv" / "pyvenv.cfg").write_text("")
    (tmp_path / "work" / "requirements.txt").write_text("py-ports\n")
    (metadata,) = site.glob(f"*/{linked}")
    (tmp_path / "outside").write_bytes(metadata.read_bytes())
    metadata.unlink()
    metadata.symlink_to(tmp_path / "outside")
    (package,) = (await declared_packages(Workspace.open(tmp_path / "work"))).packages
    assert package.modules == ()


@needs_pipes
@odd_files
@pytest.mark.parametrize(("name", "modules"), [("top_level.txt", ("weave",)), ("METADATA", ())])
async def test_metadata_of_odd_kind_is_skipped(
    tmp_path: Path, odd: OddFile, name: str, modules: tuple[str, ...]
):
    """The installed files still tell the modules, as long as the package's name is known and none
    of its metadata lies outside the environment."""
    site = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"
    install_package(site, "py-ports", files=("weave/__init__.py",))
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("")
    (tmp_path / "requirements.txt").write_text("py-ports\n")
    (metadata,) = site.glob("*.dist-info")
    (metadata / name).unlink(missing_ok=True)
    odd(metadata / name, "Name: py-ports\n")
    (package,) = (await declared_packages(Workspace.open(tmp_path))).packages
    assert package.modules in ((), modules)


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"dependencies": 3}', '{"dependencies": {"a": {"b": 1}}}', "\x00", "", "[" * 9999],
)
@pytest.mark.parametrize("name", [name for name in CASES if name != "gradle/libs.versions.toml"])
async def test_broken_manifest_does_not_affect_others(tmp_path: Path, name: str, text: str):
    (tmp_path / name).write_text(text)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/go.mod").write_text("require a.org/b v1.0.0\n")
    found = await declared_packages(Workspace.open(tmp_path))
    assert "a.org/b" in {each.name for each in found.packages}


DEEP_EXPRESSION = "not " * 30_000 + "1"

UNREADABLE = {
    "setup.py": (
        f"setup(install_requires=[{DEEP_EXPRESSION}])",
        "setup.py is left out: it is too deeply nested or too large to be parsed.",
    ),
    "package.json": ('{"dependencies": [', "package.json is left out: it is not well-formed."),
    "composer.lock": (
        '{"packages": [{"name": "b/c", "version": "1"}, 3]}',
        "composer.lock is left out: it is not well-formed.",
    ),
    "libs.versions.toml": (
        '[libraries]\na = {module = ["a"]}',
        "libs.versions.toml is left out: it is not well-formed.",
    ),
    "Gemfile": (
        "gem 'a'\n" + "#" * 2_000_000,
        "'Gemfile' is not read: it is larger than file_size_limit_bytes (2,000,000 bytes).",
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
async def test_unreadable_manifest_is_reported_and_left_out(tmp_path: Path, name: str):
    text, reason = UNREADABLE[name]
    (tmp_path / name).write_text(text)
    (tmp_path / "composer.json").write_text('{"require": {"b/c": "2"}}')
    found = await declared_packages(Workspace.open(tmp_path))
    assert [(each.name, each.locked) for each in found.packages] == [("b/c", None)]
    assert [each.message for each in found.diagnostics] == [reason]


async def test_error_in_a_reader_is_reported_by_type_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def broken(text: str) -> Declared:
        raise ZeroDivisionError(text)

    monkeypatch.setitem(manifests._MANIFESTS, "go.mod", broken)
    (tmp_path / "go.mod").write_text("secret")
    found = await declared_packages(Workspace.open(tmp_path))
    (message,) = (each.message for each in found.diagnostics)
    assert message == "go.mod is left out: reading it failed (ZeroDivisionError)."


async def test_entities_are_not_expanded(tmp_path: Path):
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa">]><project><dependency>&a;</dependency></project>'
    (tmp_path / "pom.xml").write_text(bomb)
    found = await declared_packages(Workspace.open(tmp_path))
    assert found.packages == ()
    assert "pom.xml" in found.diagnostics[0].message
