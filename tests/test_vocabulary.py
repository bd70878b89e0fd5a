"""The guard of the "no vocabulary" rule: ranking knows structure, never words.

Over both packages, two things are refused:

- **word lists**: four or more words spelled out in one literal (a collection, a dict's keys, a
  string to be split, the alternatives of a regular expression, of a ``match`` or of a chain of
  comparisons). Structure that merely looks like words is accepted by its kind, not by its contents:
  type arguments of ``Literal``, ``__all__`` and ``__slots__``, argparse ``choices``, and any list
  whose members all belong to one enumeration or to the fields of one model of the contracts.
- **nouns**: names of frameworks, products and benchmark repositories, anywhere in the source.

Other exceptions must be listed in `ALLOWED`, with a reason.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from explorer_core import contracts
from explorer_core.index.extraction import facts, reference_table
from explorer_core.index.languages import (
    collection_rules,
    import_rules,
    lambda_rules,
    specification,
)
from explorer_core.index.terms import units

REPOSITORY = Path(__file__).parents[1]
PACKAGES = ("explorer_core", "lsp_server")
EXEMPT = (
    "explorer_core/judges/model_judges/prompts",
    "explorer_core/index/languages/",
)
DATA = (
    *EXEMPT,
    "explorer_core/angles/",
    "explorer_core/registry/conventions.toml",
    "explorer_core/registry/ranking.toml",
    "explorer_core/credentials/credentials.toml",
    "explorer_core/judges/models/prices.toml",
    "lsp_server/mcp/agents.toml",
    "lsp_server/mcp/instructions.md",
    "lsp_server/mcp/tools.toml",
)
"""Files that are not code; `docs/architecture.md` says why each holds words."""
CONTRACTS = (
    contracts,
    facts,
    reference_table,
    collection_rules,
    import_rules,
    lambda_rules,
    specification,
)
LIMIT = 4
"""The fewest words that make a list. Three alternatives are a decision; four begin a dictionary."""
ENUMERATION_LIMIT = 20
"""The most members of a `Literal` outside the contracts, so that no dictionary hides in a type."""

ALLOWED = {
    "explorer_core/index/extraction/extract.py:_MACRO_GROUPS": "names of captures",
    "lsp_server/cli.py:COMMANDS": "names of our commands",
    "explorer_core/channels/jedi.py:request": "keys of a message to our worker",
    "explorer_core/channels/text_search/pygrep.py:data": "keys of ripgrep's JSON output",
    "explorer_core/channels/features/relevance.py:parts": "our names for the parts of a question",
    "explorer_core/contracts/schema.py:PUBLIC": "file names of the schemas",
    "explorer_core/index/extraction/captures.py:_HANDLERS": "capture names of our own query files",
    "explorer_core/index/extraction/types.py:_SUBSCRIPTS": "capture names of our own query files",
    "explorer_core/index/storage/engine.py:_PACKAGES": "names of packages that Sightline needs",
    "explorer_core/workspace/git.py:_ENVIRONMENT": "variables that git reads",
    "explorer_core/report/markdown.py:sections": "headings of the report",
    "lsp_server/compilers/downstream.py:_CAPABILITIES": "keys of LSP",
    "lsp_server/compilers/downstream.py:_HIERARCHIES": "methods of LSP",
    "lsp_server/compilers/downstream.py:_METHODS": "methods of LSP",
    "lsp_server/compilers/downstream.py:result": "keys of LSP",
    "lsp_server/compilers/downstream.py:item": "keys of LSP",
    "lsp_server/compilers/editor.py:METHODS": "names of our reverse requests",
    "lsp_server/connection/greeting.py:capabilities": "keys of LSP",
    "lsp_server/features/report_commands.py:_render": "names of the report's forms",
    "lsp_server/refusals.py:_COMPLAINTS": "kinds of mistakes of pydantic",
    "explorer_core/validation/references.py:_URL": "URI schemes",
    "explorer_core/validation/references.py:_LINE_WORD": "ordinals, to catch a line spelled out",
}
"""``file:name`` of the assignment or function -> why its words are not vocabulary."""

FRAMEWORKS = """
    django flask fastapi starlette tornado aiohttp celery sqlalchemy pyramid bottle pytest
    werkzeug jinja pandas tensorflow pytorch react reactjs redux angular angularjs vue
    vuejs svelte sveltekit nextjs nuxt nuxtjs jquery expressjs nestjs koa fastify webpack
    vite graphql apollo prisma mongoose mongodb postgresql mysql rabbitmq kafka
    elasticsearch kubernetes docker terraform springboot hibernate dropwizard junit mockito
    quarkus micronaut ktor laravel symfony wordpress drupal rubyonrails rspec sinatra
    sidekiq rubocop aspnet blazor xunit nunit entityframework actix axum tokio serde diesel
    gorm gopls supabase firebase stripe twilio kotlinx okio retrofit flutter electron tauri
    capacitor
"""
BENCHMARK_REPOSITORIES = """
    polly fluentvalidation texify texifyidea axios darkreader fmtlib frictionless gson
    guzzle guzzlehttp hono honojs jq jqlang okhttp hiredis scopt sharkdp sphinx sqlglot
    gozero zeromicro gingonic vapor
"""
ALSO_PLAIN_WORDS = """
    spring rails express requests metrics slim fmt gin click echo phoenix rocket redis
"""
NOUNS = frozenset((FRAMEWORKS + BENCHMARK_REPOSITORIES).split())
PLAIN_NOUNS = frozenset(ALSO_PLAIN_WORDS.split())
"""Names that are also words or abbreviations: refused only where one is a whole string."""


@dataclass(frozen=True, slots=True)
class Violation:
    """``name`` is the enclosing assignment or function; ``what`` is shown on failure."""

    path: str
    line: int
    name: str
    what: str

    @property
    def key(self) -> str:
        return f"{self.path}:{self.name}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line} ({self.name}): {self.what}"


def violations_in(source: str, path: str = "explorer_core/sample.py") -> list[Violation]:
    """Everything in one module that violates the rule."""
    tree = ast.parse(source)
    return [*_word_lists(tree, path), *_nouns(tree, source, path)]


# --- word lists


def _word_lists(tree: ast.Module, path: str) -> Iterator[Violation]:
    skipped = _structure(tree)
    for node, name in _nodes_by_name(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Subscript) and _callee_name(node.value) == "Literal":
            words = _strings(ast.walk(node.slice))
            if "/contracts/" not in path and len(words) > ENUMERATION_LIMIT:
                yield Violation(path, node.lineno, name, f"a type of {len(words)} words")
            continue
        words = [text for text in _listed_strings(node) if _is_word(text)]
        if len(set(words)) >= LIMIT and not _mirrors_a_contract(words):
            yield Violation(path, node.lineno, name, f"a list of words: {sorted(set(words))}")


def _listed_strings(node: ast.AST) -> list[str]:
    """The strings that ``node`` lists directly, not in nested nodes."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return _strings(items)
        case ast.Dict(keys=keys):
            return _strings(key for key in keys if key is not None)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split")):
            return re.split(r"[\s,;|]+", text.strip())
        case ast.Constant(value=str(text)):
            return _alternatives(text)
        case ast.MatchOr(patterns=patterns):
            values = (pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue))
            return _strings(values)
        case ast.Match(cases=cases):
            patterns = (case.pattern for case in cases)
            return _strings(p.value for p in patterns if isinstance(p, ast.MatchValue))
        case ast.BoolOp(values=values):
            sides = (side for value in values for side in _operands(value))
            return _strings(sides)
        case ast.If():
            return _strings(side for test in _tests_of_chain(node) for side in _operands(test))
        case _:
            return []


def _alternatives(text: str) -> list[str]:
    """The longest run of words separated by bars, as in a regular expression."""
    runs = re.findall(r"\\?[^\W\d]+(?:\|[^\W\d]+)+", text)
    return max((run.split("|") for run in runs), key=len, default=[])


def _tests_of_chain(node: ast.If) -> Iterator[ast.expr]:
    yield node.test
    if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        yield from _tests_of_chain(node.orelse[0])


def _operands(node: ast.expr) -> list[ast.expr]:
    return [node.left, *node.comparators] if isinstance(node, ast.Compare) else []


def _strings(nodes: Iterable[ast.AST]) -> list[str]:
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def _is_word(text: str) -> bool:
    """Whether a text is letters of any script, possibly joined by space, hyphen or underscore."""
    letters = re.sub(r"(?<=\w)[ _-](?=\w)", "", text)
    return len(letters) > 1 and letters.isalpha()


def _mirrors_a_contract(words: Iterable[str]) -> bool:
    wanted = frozenset(words)
    return any(wanted <= known for known in _contract_words())


@cache
def _contract_words() -> tuple[frozenset[str], ...]:
    """The members of each enumeration, and the field names of each model, of the contracts.

    The facts of a file, the fields of a language's spec and those of the text index are contracts
    between floors too.
    """
    found = [frozenset(units.FIELDS)]
    for value in (value for module in CONTRACTS for value in vars(module).values()):
        if get_origin(value) is Literal:
            found.append(frozenset(get_args(value)))
        if isinstance(value, type) and issubclass(value, BaseModel):
            aliases = {field.alias or "" for field in value.model_fields.values()}
            found.append(frozenset(value.model_fields) | aliases)
    return tuple(found)


def _structure(tree: ast.Module) -> set[ast.AST]:
    """The nodes that are not word lists whatever they contain."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        roots: list[ast.AST] = []
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name) and t.id in ("__all__", "__slots__") for t in targets):
                roots = [node.value] if node.value else []
        elif isinstance(node, ast.keyword) and node.arg == "choices":
            roots = [node.value]
        elif isinstance(node, ast.Subscript) and _callee_name(node.value) == "Literal":
            roots = [node.slice]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            roots = [node.value]  # docstrings
        elif isinstance(node, ast.If):
            skipped.update(node.orelse if len(node.orelse) == 1 else [])  # part of the chain above
        for root in roots:
            skipped.update(ast.walk(root))
    return skipped


def _callee_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _nodes_by_name(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every node with the name of the assignment or function around it."""

    def visit(node: ast.AST, name: str) -> Iterator[tuple[ast.AST, str]]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                name = node.name
            case ast.Assign(targets=[ast.Name(id=target)]):
                name = target
            case ast.AnnAssign(target=ast.Name(id=target)):
                name = target
            case _:
                pass
        yield node, name
        for child in ast.iter_child_nodes(node):
            yield from visit(child, name)

    yield from visit(tree, "module")


# --- nouns


def _nouns(tree: ast.Module, source: str, path: str) -> Iterator[Violation]:
    for node, name in _nodes_by_name(tree):
        if isinstance(node, ast.Constant) and str(node.value).lower() in PLAIN_NOUNS:
            yield Violation(path, node.lineno, name, f"the name {node.value}")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        for word in _words(token.string) & NOUNS:
            yield Violation(path, token.start[0], word, f"the name {word}")


def _words(text: str) -> set[str]:
    """The lower-case words of identifiers and prose. camelCase counts whole and by its parts."""
    whole = re.findall(r"[^\W\d_]+", text)
    parts = [p for word in whole for p in re.findall(r"[A-Z]*[a-z]+|[A-Z]+", word)]
    joined = re.findall(r"[^\W\d_]+(?:[-_.][^\W\d_]+)+", text)
    return {w.lower() for w in [*whole, *parts, *(re.sub(r"[-_.]", "", j) for j in joined)]}


# --- the rule


def modules() -> list[str]:
    files = (file for package in PACKAGES for file in (REPOSITORY / package).rglob("*.py"))
    paths = sorted(file.relative_to(REPOSITORY).as_posix() for file in files)
    return [path for path in paths if not path.startswith(EXEMPT)]


@cache
def violations_of_module(path: str) -> tuple[Violation, ...]:
    return tuple(violations_in((REPOSITORY / path).read_text(encoding="utf-8"), path))


@pytest.mark.parametrize("path", modules())
def test_no_vocabulary(path: str):
    refused = [str(found) for found in violations_of_module(path) if found.key not in ALLOWED]
    assert refused == []


def test_every_exception_is_still_needed():
    found = {violation.key for path in modules() for violation in violations_of_module(path)}
    assert sorted(set(ALLOWED) - found) == []


def test_packages_contain_no_other_data_files():
    files = (file for package in PACKAGES for file in (REPOSITORY / package).rglob("*.*"))
    paths = sorted(file.relative_to(REPOSITORY).as_posix() for file in files)
    code = (".py", ".pyc")
    assert [path for path in paths if not path.endswith(code) and not path.startswith(DATA)] == []


# --- the guard itself


@pytest.mark.parametrize(
    "source",
    [
        "ROLES = ['controller', 'service', 'handler', 'repository']",
        "STOP = frozenset({'the', 'and', 'how', 'does'})",
        "STOP = set('the and how does'.split())",
        "WEIGHTS = {'create': 1.0, 'update': 0.9, 'delete': 0.8, 'fetch': 0.7}",
        "ROLE = re.compile(r'(?i)(controller|service|handler|store)$')",
        "ROLE = f'{start}(controller|service|handler|store){end}'",
        "SUFFIXES = ('Controller', 'Service', 'Handler', 'Store')",
        "x = name == 'save' or name == 'load' or name == 'read' or name == 'list'",
        "match x:\n    case 'save' | 'load' | 'read' | 'write': pass",
        "match x:\n case 'save': 1\n case 'load': 2\n case 'read': 3\n case 'list': 4",
        "if x == 'save': 1\nelif x == 'load': 2\nelif x == 'read': 3\nelif x == 'list': 4",
        "WORDS = ['как', 'где', 'что', 'почему']",
        "def f():\n    return any(w in text for w in ('entry point', 'call site', 'end', 'exit'))",
        "class A:\n    KINDS: ClassVar = ['route_handler', 'view_model', 'data_store', 'use-case']",
        "T = Literal[" + ", ".join(f"'{c}{d}'" for c in "abcd" for d in "efghij") + "]",
        "def is_django_view(x): ...",
        "class FlaskRoute: ...",
        "x = 'a sqlglot expression'",
        "# as in fastapi",
        "boost = name in ('express',)",
        "GoZeroApi = 'go-zero'",
    ],
)
def test_word_lists_and_names_are_caught(source: str):
    assert violations_in(source)


@pytest.mark.parametrize(
    "source",
    [
        "__all__ = ['alpha', 'beta', 'gamma', 'delta']",
        "Kind = Literal['alpha', 'beta', 'gamma', 'delta']",
        "parser.add_argument('--format', choices=('text', 'markdown', 'json', 'yaml'))",
        "ORDER = ('editor', 'server', 'jedi', 'graph:scope', 'graph:import')",
        "x = {'query': q, 'intent': i, 'scope': s, 'anchor': a, 'judge': j}",
        "METHODS = ['textDocument/hover', 'textDocument/rename', 'a/b', 'c/d']",
        "SUFFIXES = ('.py', '.pyi', '.ts', '.tsx')",
        "def f():\n    'One of alpha|beta|gamma|delta.'",
        "THREE = ('start', 'middle', 'end')",
        "x = re.compile(r'\\r\\n|\\r|\\n|\\f')",
        "sent_requests = 'two requests'",
    ],
)
def test_structural_strings_are_allowed(source: str):
    assert violations_in(source) == []
