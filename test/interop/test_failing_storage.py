"""Storage that refuses: folders without permission and full disks, told whole and survived.

Each message is compared whole: what failed where, and what to do. Random parts of file names become <ID>.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

NOBODY = 65534
# Another user's process that may still read everything (the program's own libraries may lie in somebody's home),
# so that writing alone is refused.
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
             "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
PERMISSION_REMEDY = ("Give the user that runs Lakeward access to this path and to every folder above it, or choose "
                     "another path.")
FULL_REMEDY = "The disk is full: free space on it or choose a path on another disk."


class Program:
    def __init__(self, path: str, folder: pathlib.Path):
        self._path = path
        self._script = folder / "script.sql"

    def run(self, sql: str, *arguments: str, before=(), faults: str = "") -> subprocess.CompletedProcess:
        self._script.write_text(sql, encoding="utf-8")
        environment = {**os.environ, "TZ": "UTC"}
        if faults:
            environment["LAKEWARD_FAULTS"] = faults
        return subprocess.run([*before, self._path, "run", str(self._script), "--log-level", "off", *arguments],
                              capture_output=True, text=True, timeout=120, env=environment, check=False)

    def error(self, *arguments, **options) -> str:
        """The error's lines below the first, of a run that must fail with exit code 1."""
        done = self.run(*arguments, **options)
        assert done.returncode == 1, done.stdout + done.stderr
        first, _, rest = done.stderr.partition("\n")
        assert first == "[ERROR] Could not execute SQL statement. Reason:"
        return re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<ID>", rest).rstrip("\n")


@pytest.fixture
def sql(program, tmp_path) -> Program:
    return Program(program, tmp_path)


@pytest.fixture
def as_nobody(program):
    if os.getuid() != 0:
        pytest.skip("only root can start a process of another user")
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv (package util-linux) is not installed")
    tried = subprocess.run([*AS_NOBODY, program, "--version"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        pytest.skip(f"user {NOBODY} cannot start the program: {tried.stderr.strip()}")
    return AS_NOBODY


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 1 MiB."""
    if os.getuid() != 0:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=10k", "tmpfs", str(folder)],
                             capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def delta(path: pathlib.Path, columns: str = "id INT, s STRING") -> str:
    return f"CREATE TABLE t ({columns}) WITH ('connector' = 'delta', 'table-path' = '{path}');\n"


def plain_files(path: pathlib.Path, columns: str = "id INT, s STRING") -> str:
    return (f"CREATE TABLE t ({columns}) WITH ('connector' = 'filesystem', 'path' = '{path}', "
            "'format' = 'json');\n")


def files(folder: pathlib.Path) -> set:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


INSERT = "INSERT INTO t VALUES (2, 'b');"


@pytest.mark.parametrize("ddl, target", [(delta, "<ID>-1-0-1.snappy.parquet"), (plain_files, "part-<ID>-1-0-1")])
def test_folder_of_another_user(sql, as_nobody, tmp_path, ddl, target):
    table = tmp_path / "t"
    assert sql.run(ddl(table) + "INSERT INTO t VALUES (1, 'a');").returncode == 0
    before = files(table)
    assert sql.error(ddl(table) + INSERT, before=as_nobody) == (
        f"sink default_catalog.default_database.t: Cannot create {table}/{target}: Permission denied\n"
        f"{PERMISSION_REMEDY}")
    assert files(table) == before
    # Once the folder is opened to that user, the same command goes through.
    for path in [table, *(path for path in table.rglob("*") if path.is_dir())]:
        path.chmod(0o777)
    done = sql.run(ddl(table) + INSERT, before=as_nobody)
    assert done.returncode == 0, done.stderr
    assert len(files(table)) > len(before)


def test_new_table_in_a_folder_of_another_user(sql, as_nobody, tmp_path):
    table = tmp_path / "t"
    assert sql.error(delta(table), before=as_nobody) == (
        f"Table 'default_catalog.default_database.t': Cannot create folder {table}: Permission denied\n"
        f"{PERMISSION_REMEDY}")
    assert not table.exists()


def test_state_directory_of_another_user(sql, as_nobody, tmp_path):
    state = tmp_path / "state"
    assert sql.error(plain_files(tmp_path / "t") + INSERT, "--state-dir", str(state), before=as_nobody) == (
        f"Cannot create folder {state}: Permission denied\n{PERMISSION_REMEDY}")
    assert not (tmp_path / "t").exists()


ROWS = 40_000
# Random hexadecimal text of 100 letters: four times the disk at least, compressed or not.
GENERATED = f"""CREATE TABLE g (id BIGINT, s STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '{ROWS}',
  'rows-per-second' = '100000000', 'fields.id.kind' = 'sequence', 'fields.id.start' = '0',
  'fields.id.end' = '{ROWS - 1}');
"""


def grow(disk: pathlib.Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)


def test_delta_table_on_a_full_disk(sql, small_disk, tmp_path):
    deltalake = pytest.importorskip("deltalake")
    table = small_disk / "t"
    script = delta(table, "id BIGINT, s STRING") + GENERATED + "INSERT INTO t SELECT * FROM g;"
    state = ("--state-dir", str(tmp_path / "state"), "-D", "parallelism.default=1")
    error = sql.error(script, *state)
    assert re.sub(r"writing a Parquet file: ", "", error) == (
        f"sink default_catalog.default_database.t: Cannot write {table}/<ID>-1-0-1.snappy.parquet: "
        f"No space left on device\n{FULL_REMEDY}")
    # The table is as it was created, and nothing half-made lies in its folder.
    assert files(table) == {"_delta_log/00000000000000000000.json"}
    grow(small_disk)
    done = sql.run(script, *state)
    assert done.returncode == 0, done.stderr
    ids = deltalake.DeltaTable(str(table)).to_pyarrow_table(columns=["id"]).column("id").to_pylist()
    assert sorted(ids) == list(range(ROWS))


def test_plain_files_on_a_full_disk(sql, small_disk, tmp_path):
    table = small_disk / "t"
    script = plain_files(table, "id BIGINT, s STRING") + GENERATED + "INSERT INTO t SELECT * FROM g;"
    state = ("--state-dir", str(tmp_path / "state"), "-D", "parallelism.default=1")
    assert sql.error(script, *state) == (
        f"sink default_catalog.default_database.t: Cannot write {table}/part-<ID>-1-0-1: "
        f"No space left on device\n{FULL_REMEDY}")
    assert files(table) == set()
    grow(small_disk)
    done = sql.run(script, *state)
    assert done.returncode == 0, done.stderr
    lines = sum(path.read_text().count("\n") for path in table.rglob("part-*"))
    assert lines == ROWS


# The same without another user or disk, by faults that the program injects into its own file system.
@pytest.mark.parametrize("faults, error", [
    ("open-output:.parquet:*:permission",
     "sink default_catalog.default_database.t: Cannot create {table}/<ID>-1-0-1.snappy.parquet: Permission denied\n"
     + PERMISSION_REMEDY),
    ("write:.parquet:*:disk-full",
     "sink default_catalog.default_database.t: writing a Parquet file: Cannot write "
     "{table}/<ID>-1-0-1.snappy.parquet: No space left on device\n" + FULL_REMEDY),
    ("close:.parquet:*:disk-full",
     "sink default_catalog.default_database.t: Cannot write {table}/<ID>-1-0-1.snappy.parquet: "
     "No space left on device\n" + FULL_REMEDY),
    ("put:_delta_log:*:disk-full",
     "Committing to table 'default_catalog.default_database.t': Cannot write "
     "{table}/_delta_log/00000000000000000002.json: No space left on device\n" + FULL_REMEDY),
    ("put:_delta_log:*:permission",
     "Committing to table 'default_catalog.default_database.t': Cannot write "
     "{table}/_delta_log/00000000000000000002.json: Permission denied\n" + PERMISSION_REMEDY),
])
def test_injected_faults(sql, tmp_path, faults, error):
    table = tmp_path / "t"
    assert sql.run(delta(table) + "INSERT INTO t VALUES (1, 'a');").returncode == 0
    log = files(table / "_delta_log")
    assert sql.error(delta(table) + INSERT, faults=faults) == error.format(table=table)
    assert files(table / "_delta_log") == log
    assert sql.run(delta(table) + INSERT).returncode == 0
