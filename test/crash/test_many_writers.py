"""Several processes write one table at the same time."""
import collections
import subprocess

from conftest import program

PROCESSES = 4
INSERTS = 50


def writer_script(writer, table):
    statements = [
        "CREATE CATALOG lake WITH ('type' = 'delta-catalog', 'catalog-type' = 'in-memory')",
        "CREATE DATABASE lake.db",
        "CREATE TABLE IF NOT EXISTS lake.db.t (writer INT, n INT) "
        f"WITH ('connector' = 'delta', 'table-path' = '{table}')",
    ]
    statements += [f"INSERT INTO lake.db.t VALUES ({writer}, {n})" for n in range(INSERTS)]
    return ";\n".join(statements) + ";\n"


def check_rows(table):
    import deltalake
    found = deltalake.DeltaTable(str(table)).to_pyarrow_table()
    rows = collections.Counter(zip(found["writer"].to_pylist(), found["n"].to_pylist()))
    assert rows == {(writer, n): 1 for writer in range(PROCESSES) for n in range(INSERTS)}


def test_four_processes_append_without_losing_a_row(tmp_path):
    table = tmp_path / "table"
    running = []
    for writer in range(PROCESSES):
        script = tmp_path / f"writer-{writer}.sql"
        script.write_text(writer_script(writer, table))
        running.append(subprocess.Popen([program(), "run", str(script)], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True))
    for process in running:
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output

    versions = sorted(path.stem for path in (table / "_delta_log").glob("*.json"))
    assert versions == [f"{version:020d}" for version in range(PROCESSES * INSERTS + 1)]
    check_rows(table)
