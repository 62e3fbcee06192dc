"""What the crash tests share: the program, a job to kill, and independent ways to count its rows."""
import collections
import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

RUN_SECONDS_MAX = 300
REGIONS = 12


def program():
    path = os.environ.get("LAKEWARD_PROGRAM")
    if not path:
        pytest.fail("LAKEWARD_PROGRAM must name the built program; ./dev crash sets it")
    return path


def kills_wanted():
    return int(os.environ.get("LAKEWARD_KILLS", "100"))


def make_rows(count, seed):
    """Eight columns, about 155 bytes a line, the same for the same seed."""
    generator = random.Random(seed)
    for i in range(count):
        yield {
            "id": i,
            "ts": f"2024-01-{1 + i % 28:02d} {i // 3600 % 24:02d}:{i // 60 % 60:02d}:{i % 60:02d}",
            "region": f"region-{generator.randrange(REGIONS)}",
            "device": f"device-{generator.randrange(5000):05d}",
            "temperature": round(generator.uniform(-20, 45), 2),
            "humidity": round(generator.uniform(0, 100), 1),
            "amount": generator.randrange(1_000_000),
            "note": f"note {generator.randrange(1000)}",
        }


class Input:
    """A file of JSON lines and what a job over it must give."""

    def __init__(self, folder, count, seed=7):
        self.path = folder / "input" / "rows.json"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.count = count
        self.id_sum = count * (count - 1) // 2
        self.per_region = collections.Counter()
        self.amount_per_region = collections.Counter()
        with self.path.open("w") as file:
            for row in make_rows(count, seed):
                self.per_region[row["region"]] += 1
                self.amount_per_region[row["region"]] += row["amount"]
                file.write(json.dumps(row, separators=(",", ":")) + "\n")


COLUMNS = ("id BIGINT, ts TIMESTAMP(3), region STRING, device STRING, temperature DOUBLE, "
           "humidity DOUBLE, amount BIGINT, note STRING")


def source_ddl(rows):
    return (f"CREATE TABLE src ({COLUMNS}) WITH ('connector' = 'filesystem', "
            f"'path' = '{rows.path.parent}', 'format' = 'json');\n")


def delta_script(rows, table, interval="200 ms", parallelism=2):
    settings = f"SET 'parallelism.default' = '{parallelism}';\n"
    if interval:
        settings += f"SET 'execution.checkpointing.interval' = '{interval}';\n"
    return settings + source_ddl(rows) + f"""
CREATE CATALOG lake WITH ('type' = 'delta-catalog', 'catalog-type' = 'in-memory');
CREATE DATABASE lake.db;
CREATE TABLE lake.db.t ({COLUMNS}) PARTITIONED BY (region)
  WITH ('connector' = 'delta', 'table-path' = '{table}');
INSERT INTO lake.db.t SELECT * FROM src;
"""


def aggregate_script(rows, result, interval="200 ms", parallelism=2):
    return f"""
SET 'parallelism.default' = '{parallelism}';
SET 'execution.checkpointing.interval' = '{interval}';
{source_ddl(rows)}
CREATE TABLE totals (region STRING, n BIGINT, amount BIGINT)
  WITH ('connector' = 'result-file', 'path' = '{result}');
INSERT INTO totals SELECT region, COUNT(*), SUM(amount) FROM src GROUP BY region;
"""


class Run:
    """One start of the program over a script; a group of its own, so that only it is killed."""

    def __init__(self, script, state, environment=None):
        self.process = subprocess.Popen(
            [program(), "run", str(script), "--state-dir", str(state), "--log-level", "warn"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=dict(os.environ, TZ="UTC", **(environment or {})))
        self.start = time.monotonic()

    def kill_after(self, seconds):
        """True when the process was killed, false when it had ended before."""
        try:
            self.output, _ = self.process.communicate(timeout=seconds)
            return False
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.output, _ = self.process.communicate()
            return self.process.returncode == -signal.SIGKILL

    def wait(self):
        self.output, _ = self.process.communicate(timeout=RUN_SECONDS_MAX)
        self.seconds = time.monotonic() - self.start
        return self.process.returncode


def data_files(table):
    return {path.relative_to(table).as_posix() for path in Path(table).rglob("*")
            if path.is_file() and "_delta_log" not in path.parts}


def check_delta(rows, table, complete=True):
    """Every row once, by an engine that is not ours; and no file that the table does not know."""
    import deltalake
    found = deltalake.DeltaTable(str(table)).to_pyarrow_table(columns=["id", "region", "amount"])
    ids = found.column("id").to_pylist()
    assert len(ids) == len(set(ids)), f"{len(ids) - len(set(ids))} rows are doubled"
    if complete:
        assert len(ids) == rows.count, f"{rows.count - len(ids)} rows are lost"
        assert sum(ids) == rows.id_sum
        per_region = collections.Counter(found.column("region").to_pylist())
        assert per_region == rows.per_region
        referenced = {Path(path).relative_to(table).as_posix() if path.startswith("/") else path
                      for path in deltalake.DeltaTable(str(table)).file_uris()}
        orphans = data_files(table) - referenced
        assert not orphans, f"files that the table does not know: {sorted(orphans)[:5]}"


def check_result(rows, result):
    document = json.loads(Path(result).read_text())
    found = {row["region"]: (row["n"], row["amount"]) for row in document["rows"]}
    assert len(found) == len(document["rows"])
    assert found == {region: (rows.per_region[region], rows.amount_per_region[region])
                     for region in rows.per_region}


@pytest.fixture(scope="session")
def rows(tmp_path_factory):
    return Input(tmp_path_factory.mktemp("rows"), 300_000)
