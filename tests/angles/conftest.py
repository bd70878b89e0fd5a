from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from explorer_core.contracts import Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.angles.environments import install_package
from tests.fixture import parse
from tests.workers import explorer_of

BUILDING = '''
    //- pyproject.toml
    [project]
    name = "building"
    dependencies = ["pillars>=2", "never-used", "PyMasonry"]
    //- building/__init__.py
    //- building/base.py
    class Room:
        """Something one can be in."""

        def enter(self):
            raise NotImplementedError
    //- building/kitchen.py
    from building.base import Room
    from masonry import brick
    from pillars.stone import carry


    class Kitchen(Room):
        def enter(self):
            return carry("stove")
    //- building/cellar.py
    from building.base import Room


    class Cellar(Room):
        def enter(self):
            if not self.validate_token("abc"):
                raise PermissionError("no")
            return "dark"

        def validate_token(self, token):
            return token == "abc"
    //- building/attic.py
    from building.base import Room


    class Attic(Room):
        def enter(self):
            return open("building/notes/attic.txt").read()
    //- building/doors.py
    from building.attic import Attic
    from building.cellar import Cellar
    from building.kitchen import Kitchen

    ROOMS = {"attic": Attic, "cellar": Cellar, "kitchen": Kitchen}
    DEFAULT = "building.kitchen.Kitchen"


    def open_door(name):
        return ROOMS[name]().enter()
    //- building/left.py
    from building import right


    def go_left():
        return right.go_right()
    //- building/right.py
    from building import left


    def go_right():
        return left.go_left()
    //- building/notes/attic.txt
    dust
    //- tests/test_doors.py
    from building.doors import open_door


    def test_kitchen():
        assert open_door("kitchen") == "stove"
'''


@pytest.fixture
def building(tmp_path: Path) -> Path:
    folder = parse(BUILDING).write(tmp_path / "building")
    environment = folder / ".venv"
    site = environment / "lib" / "python3.12" / "site-packages"
    install_package(site, "pymasonry", declares="masonry\n")
    (environment / "pyvenv.cfg").write_text("")
    return folder


@pytest.fixture
async def explorer(building: Path, tmp_path: Path) -> AsyncIterator[Explorer]:
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(building, settings=settings))
    yield explorer
    await explorer.close()
