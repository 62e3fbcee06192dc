import os
import pathlib

import pytest

from lakeward import Lakeward


@pytest.fixture(scope="session")
def program() -> str:
    path = os.environ.get("LAKEWARD_PROGRAM")
    if not path or not pathlib.Path(path).exists():
        pytest.skip("LAKEWARD_PROGRAM does not name the program")
    return str(pathlib.Path(path).resolve())


@pytest.fixture
def lakeward(program, tmp_path) -> Lakeward:
    folder = tmp_path / "scripts"
    folder.mkdir()
    return Lakeward(program, folder)


@pytest.fixture
def table_path(tmp_path) -> pathlib.Path:
    return tmp_path / "tables" / "t"
