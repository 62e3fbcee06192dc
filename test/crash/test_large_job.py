"""A large file of JSON lines goes into a partitioned Delta table and back: killed ten times on its
way, and undisturbed within bounded memory; DuckDB compares what comes out with what went in.

LAKEWARD_LARGE_BYTES says how large: 30 MB unless told otherwise, 1 GB in ./dev ci --full."""
import os
import random
import subprocess
from pathlib import Path

import pytest

from conftest import Run, program

COLUMNS = ("id BIGINT, user_id BIGINT, ts TIMESTAMP(3), country STRING, event STRING, path STRING, "
           "amount DOUBLE, ratio DOUBLE")
KILLS = 10
MEGABYTES_MAX = 500


@pytest.fixture(scope="session")
def large_input(tmp_path_factory):
    generator = Path(program()).parent / "bench" / "generate_json"
    if not generator.exists():
        pytest.skip(f"{generator} is not built")
    path = tmp_path_factory.mktemp("large") / "rows.json"
    size = os.environ.get("LAKEWARD_LARGE_BYTES", "30MB")
    subprocess.run([generator, "--bytes", size, "--output", path], check=True)
    return path


def tables(source, table, back=""):
    return f"""
SET 'parallelism.default' = '2';
CREATE TABLE rows_in ({COLUMNS})
  WITH ('connector' = 'filesystem', 'path' = '{source}', 'format' = 'json');
CREATE TABLE lake ({COLUMNS}) PARTITIONED BY (country)
  WITH ('connector' = 'delta', 'table-path' = '{table}');
CREATE TABLE rows_out ({COLUMNS})
  WITH ('connector' = 'filesystem', 'path' = '{back}', 'format' = 'json');
"""


def per_country(relation):
    """Counts, sums and a sum of row hashes: equal only for the same rows in any order."""
    import duckdb
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    connection.execute("SET TimeZone = 'UTC'")
    return connection.execute(
        "SELECT country, count(*), sum(id), sum(user_id), sum(amount::DECIMAL(18, 4)), "
        "sum(hash(id, user_id, ts::TIMESTAMP, event, path, amount, ratio)::HUGEINT) "
        f"FROM {relation} GROUP BY country ORDER BY country").fetchall()


def json_relation(path):
    columns = ("{id: 'BIGINT', user_id: 'BIGINT', ts: 'TIMESTAMP', country: 'VARCHAR', "
               "event: 'VARCHAR', path: 'VARCHAR', amount: 'DOUBLE', ratio: 'DOUBLE'}")
    return f"read_json('{path}', columns = {columns}, format = 'newline_delimited')"


def delta_relation(table):
    """The files that the log names, by an engine that is not ours."""
    import deltalake
    files = deltalake.DeltaTable(str(table)).file_uris()
    return f"read_parquet({files!r}, hive_partitioning = true)"


def peak_megabytes(process):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / 1024


def test_killed_ten_times(large_input, tmp_path):
    seed = int(os.environ.get("LAKEWARD_CRASH_SEED", random.randrange(1 << 30)))
    chance = random.Random(seed)
    expected = per_country(json_relation(large_input))
    # Moments spread over the job, whatever its length: each run comes a little further.
    undisturbed = large_input.stat().st_size / 250e6 + 0.3
    kills, number = 0, 0
    while kills < KILLS:
        number += 1
        folder = tmp_path / f"job-{number}"
        folder.mkdir()
        script, table, state = folder / "job.sql", folder / "table", folder / "state"
        script.write_text("SET 'execution.checkpointing.interval' = '200 ms';\n"
                          + tables(large_input, table, folder / "back")
                          + "INSERT INTO lake SELECT * FROM rows_in;\n")
        killed = True
        while killed and kills < KILLS:
            run = Run(script, state)
            killed = run.kill_after(chance.uniform(0.05, 0.5) * undisturbed)
            kills += killed
            assert killed or run.process.returncode == 0, f"seed {seed}: {run.output}"
        run = Run(script, state)
        assert run.wait() == 0, f"seed {seed}: {run.output}"
        assert per_country(delta_relation(table)) == expected, seed
    print(f"\n{kills} kills over {number} jobs, seed {seed} (LAKEWARD_CRASH_SEED)")


def test_there_and_back_within_bounded_memory(large_input, tmp_path):
    table, back = tmp_path / "table", tmp_path / "back"
    for name, insert in [("there", "INSERT INTO lake SELECT * FROM rows_in;"),
                         ("back", "INSERT INTO rows_out SELECT * FROM lake;")]:
        script = tmp_path / f"{name}.sql"
        script.write_text(tables(large_input, table, back) + insert)
        with open(tmp_path / f"{name}.log", "w", encoding="utf-8") as log:
            process = subprocess.Popen([program(), "run", script], stdout=log, stderr=log)
            megabytes = peak_megabytes(process)
        assert process.returncode == 0, (tmp_path / f"{name}.log").read_text()
        print(f"\n{name}: {megabytes:.0f} MB at most")
        assert megabytes < MEGABYTES_MAX
    assert per_country(json_relation(back / "*")) == per_country(json_relation(large_input))
