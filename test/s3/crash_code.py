"""The code of test/crash, where it counts rows and kills programs, pointed at a store.

Its tables are paths there and addresses here: `on_store` gives the other engine the store and lists files in it.
"""

import contextlib
import importlib.util
import sys
from pathlib import Path

import pytest

from plain_s3 import PlainS3
from readers_on_s3 import storage_options

FOLDER = Path(__file__).resolve().parents[1] / "crash"


def _load(name: str, alias: str):
    spec = importlib.util.spec_from_file_location(alias, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[alias] = module
    spec.loader.exec_module(module)
    return module


def _load_all():
    """The modules there import `conftest`, which is another one here."""
    own = sys.modules.pop("conftest", None)
    try:
        conftest = sys.modules["conftest"] = _load("conftest", "crash_conftest")
        return conftest, _load("test_kill", "crash_test_kill"), _load("test_many_writers", "crash_test_many_writers")
    finally:
        sys.modules.pop("conftest", None)
        if own is not None:
            sys.modules["conftest"] = own


crash, kill, many_writers = _load_all()


@contextlib.contextmanager
def on_store(store: PlainS3, endpoint: str):
    """Within this, checks of test/crash read tables named by address."""
    def data_files(table) -> set[str]:
        prefix = str(table).partition(f"//{store.bucket}/")[2] + "/"
        return {f"s3://{store.bucket}/{key}" for key in store.keys_below(prefix) if "/_delta_log/" not in key}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crash, "data_files", data_files)
        for name, value in storage_options(endpoint, store.keys).items():
            patch.setenv(name, value)
        yield
