"""``python -m tests.bench.roslyn SDK [SYMBOL...]``: serves how the C# compiler resolves names.

SDK is the folder of a .NET SDK (3.1 or later); sources are compiled against its libraries only.
SYMBOLs are defined for ``#if``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.compiler_server import serve

_PROGRAM = Path(__file__).with_name("Uses.cs")


def _compile(root: Path) -> str:
    sdk = Path(sys.argv[1])
    dotnet = str(sdk / "dotnet")
    compiler = max(sdk.glob("sdk/*/Roslyn/bincore"))
    libraries = [*max(sdk.glob("packs/Microsoft.NETCore.App.Ref/*/ref/*")).glob("*.dll")]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "Uses.dll")
        for library in compiler.glob("*.dll"):
            shutil.copy(library, folder)
        libraries += [compiler / f"Microsoft.CodeAnalysis{part}.dll" for part in ("", ".CSharp")]
        references = [f"-r:{library}" for library in libraries]
        build = [dotnet, str(compiler / "csc.dll"), "-nologo", "-nowarn:CS1702", f"-out:{program}"]
        subprocess.run([*build, *references, str(_PROGRAM)], check=True, stdout=sys.stderr)
        settings = str(compiler / "csc.runtimeconfig.json")
        run = [dotnet, "exec", "--runtimeconfig", settings, str(program), str(root), *sys.argv[2:]]
        return subprocess.run(run, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


serve("roslyn", _compile)
