"""What the S3 tests share: the store, the program in clean surroundings, a proxy that does harm."""

import os
import re
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest

from fault_proxy import FaultProxy
from plain_s3 import Keys, PlainS3
from s3_program import Program, Surroundings

ROOT = Path(__file__).resolve().parents[2]
BUCKET = "warehouse"
KEYS = Keys("admin", "password")
READER = Keys("reader", "password")


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory) -> str:
    """The store: LAKEWARD_TEST_S3, or a SeaweedFS of its own started with the program that LAKEWARD_WEED names."""
    given, weed = os.environ.get("LAKEWARD_TEST_S3"), os.environ.get("LAKEWARD_WEED")
    if given:
        yield given.rstrip("/")
        return
    if not weed or not Path(weed).exists():
        pytest.skip('neither LAKEWARD_TEST_S3 (eval "$(./dev up s3)") nor LAKEWARD_WEED is set')
    server = [sys.executable, str(ROOT / "tools" / "s3_server.py")]
    folder = tmp_path_factory.mktemp("store") / "server"
    try:
        lines = subprocess.run([*server, "up", str(folder), weed], stdout=subprocess.PIPE, text=True, timeout=120,
                               check=True).stdout
        yield re.search(r"LAKEWARD_TEST_S3=(\S+)", lines)[1]
    finally:
        subprocess.run([*server, "down", str(folder)], timeout=60, check=True)


@dataclass
class Place:
    """A prefix of its own in the bucket, and the store seen from outside of the program."""
    store: PlainS3
    endpoint: str
    prefix: str

    def uri(self, name: str, scheme: str = "s3") -> str:
        return f"{scheme}://{BUCKET}/{self.prefix}{name}"

    def key(self, name: str) -> str:
        return self.prefix + name

    def files(self, name: str = "") -> dict[str, int]:
        """Sizes of what lies below, by the path within."""
        start = self.prefix + name
        return {key.removeprefix(start): size for key, size in self.store.sizes(start).items()}

    def lines(self, name: str) -> list[str]:
        """The lines of all data files below."""
        keys = [key for key in self.store.keys_below(self.prefix + name) if "/_" not in key]
        return [line for key in keys for line in self.store.get(key).decode().splitlines()]

    def uploads(self) -> list[str]:
        """Keys of the uploads that were left behind."""
        return [key for key, _ in self.store.uploads(self.prefix)]


@pytest.fixture
def place(endpoint, request) -> Place:
    store = PlainS3(endpoint, KEYS, BUCKET)
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")[:60]
    place = Place(store, endpoint, f"test/{name}-{uuid.uuid4().hex[:8]}/")
    yield place
    store.remove_all(place.prefix)


@pytest.fixture
def proxy(endpoint) -> FaultProxy:
    with FaultProxy(endpoint) as proxy:
        yield proxy


@pytest.fixture(scope="session")
def outputs(tmp_path_factory) -> Path:
    """A file with everything that the program has printed in this run."""
    return tmp_path_factory.mktemp("outputs") / "all"


@pytest.fixture
def surroundings(tmp_path, outputs) -> Surroundings:
    program = os.environ.get("LAKEWARD_PROGRAM")
    if not program or not Path(program).exists():
        pytest.skip("LAKEWARD_PROGRAM does not name the program")
    return Surroundings(str(Path(program).resolve()), tmp_path, outputs)


@pytest.fixture
def bare(surroundings) -> Program:
    """The program, told nothing about any store."""
    return Program(surroundings)


@pytest.fixture
def lakeward(surroundings, endpoint) -> Program:
    """The program, set up for the store itself."""
    return Program(surroundings).with_keys(KEYS).with_settings({"s3.endpoint": endpoint})


@pytest.fixture
def through(surroundings, proxy) -> Program:
    """The program, set up for the proxy before the store."""
    return Program(surroundings).with_keys(KEYS).with_settings({"s3.endpoint": proxy.endpoint})


def pytest_collection_modifyitems(items) -> None:
    """What looks at all outputs comes last."""
    items.sort(key=lambda item: item.path.name == "test_secrets.py")
