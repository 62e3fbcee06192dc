"""Delta tables that Lakeward makes and fills, read by the other engines."""

import datetime
import decimal
import json

import pytest

from lakeward import delta_table
from readers import READERS

UTC = datetime.timezone.utc


def sorted_rows(rows, *keys):
    return sorted(rows, key=lambda row: tuple(str(row[key]) for key in keys))


@pytest.fixture(params=sorted(READERS))
def read(request):
    return READERS[request.param]


def log_entry(path, version):
    text = (path / "_delta_log" / f"{version:020}.json").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def log_versions(path):
    return sorted(int(entry.stem) for entry in (path / "_delta_log").glob("*.json"))


def test_first_line(lakeward, table_path, read):
    """delta-write-18: a table made by DDL on an empty path shows its rows everywhere."""
    lakeward.run(delta_table(table_path, "c1 VARCHAR, c2 INT") + "INSERT INTO t VALUES ('a', 42);")
    assert read(table_path) == [{"c1": "a", "c2": 42}]
    entry = log_entry(table_path, 0)
    assert [next(iter(line)) for line in entry] == ["commitInfo", "protocol", "metaData"]
    assert entry[1] == {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}
    assert entry[2]["metaData"]["schemaString"] == (
        '{"type":"struct","fields":[{"name":"c1","type":"string","nullable":true,"metadata":{}},'
        '{"name":"c2","type":"integer","nullable":true,"metadata":{}}]}')
    assert sum("add" in line for line in log_entry(table_path, 1)) == 1


EVERY_TYPE = """
    a BOOLEAN, b TINYINT, c SMALLINT, d INT, e BIGINT, f FLOAT, g DOUBLE, h DECIMAL(20, 4),
    i STRING, k DATE, m TIMESTAMP_LTZ(6)"""
EVERY_TYPE_VALUES = """
    (TRUE, CAST(-128 AS TINYINT), CAST(-32768 AS SMALLINT), CAST(-2147483648 AS INT),
     CAST(-9223372036854775808 AS BIGINT), CAST(1.5 AS FLOAT), CAST(-2.5 AS DOUBLE),
     CAST('1234567890123456.7891' AS DECIMAL(20, 4)), 'grün 🌲', DATE '0001-01-01',
     CAST(TIMESTAMP '1969-12-31 23:59:59.999999' AS TIMESTAMP_LTZ(6))),
    (CAST(NULL AS BOOLEAN), CAST(NULL AS TINYINT), CAST(NULL AS SMALLINT), CAST(NULL AS INT),
     CAST(NULL AS BIGINT), CAST(NULL AS FLOAT), CAST(NULL AS DOUBLE),
     CAST(NULL AS DECIMAL(20, 4)), CAST(NULL AS STRING), CAST(NULL AS DATE),
     CAST(NULL AS TIMESTAMP_LTZ(6)))"""


def test_every_type(lakeward, table_path, read):
    lakeward.run("SET 'table.local-time-zone' = 'UTC';" + delta_table(table_path, EVERY_TYPE) +
                 f"INSERT INTO t VALUES {EVERY_TYPE_VALUES};")
    rows = sorted_rows(read(table_path), "a")
    assert rows[0] == dict.fromkeys("abcdefghikm")
    row = rows[1]
    instant = row.pop("m")
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=UTC)
    assert instant == datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC)
    assert row == {
        "a": True, "b": -128, "c": -32768, "d": -2147483648, "e": -9223372036854775808,
        "f": 1.5, "g": -2.5, "h": decimal.Decimal("1234567890123456.7891"), "i": "grün 🌲",
        "k": datetime.date(1, 1, 1)}


def test_partitions_with_odd_values(lakeward, table_path, read):
    lakeward.run(
        delta_table(table_path, "id INT, p STRING, q INT", "p, q") + """
        INSERT INTO t VALUES (1, 'plain', 1), (2, 'with space', 2), (3, 'a/b=c:d%e', 3),
          (4, 'ü#?&+', 4), (5, CAST(NULL AS STRING), CAST(NULL AS INT)), (6, '..', 6);
        """)
    rows = {row["id"]: (row["p"], row["q"]) for row in read(table_path)}
    assert rows == {1: ("plain", 1), 2: ("with space", 2), 3: ("a/b=c:d%e", 3), 4: ("ü#?&+", 4),
                    5: (None, None), 6: ("..", 6)}


def test_timestamps_without_zone(lakeward, table_path, read):
    lakeward.run(
        delta_table(table_path, "id INT, wall TIMESTAMP(6)",
                    options=", 'delta.feature.timestampNtz' = 'supported'") +
        "INSERT INTO t VALUES (1, TIMESTAMP '2024-02-29 12:34:56.123456');")
    assert read(table_path) == [
        {"id": 1, "wall": datetime.datetime(2024, 2, 29, 12, 34, 56, 123456)}]


def test_checkpoint(lakeward, table_path, read):
    """delta-write-13: a checkpoint of ours is complete enough for every reader."""
    inserts = "".join(f"INSERT INTO t VALUES ({i}, 'p{i % 3}');" for i in range(1, 13))
    lakeward.run("SET 'table.dml-sync' = 'true';" +
                 delta_table(table_path, "id INT, p STRING", "p") + inserts)
    log = table_path / "_delta_log"
    assert (log / f"{10:020}.checkpoint.parquet").exists()
    for version in range(0, 10):
        (log / f"{version:020}.json").unlink()
    assert sorted((row["id"], row["p"]) for row in read(table_path)) == sorted(
        (i, f"p{i % 3}") for i in range(1, 13))


def test_checkpoint_schema_is_current(lakeward, table_path):
    """delta-write-13 and -17: every optional member is there, feature lists are null."""
    parquet = pytest.importorskip("pyarrow.parquet")
    inserts = "".join(f"INSERT INTO t VALUES ({i});" for i in range(1, 11))
    lakeward.run("SET 'table.dml-sync' = 'true';" + delta_table(table_path, "id INT") + inserts)
    table = parquet.read_table(table_path / "_delta_log" / f"{10:020}.checkpoint.parquet")
    members = {field.name: {child.name for child in field.type} for field in table.schema}
    assert {"deletionVector", "baseRowId", "defaultRowCommitVersion", "clusteringProvider",
            "stats", "tags", "partitionValues"} <= members["add"]
    assert {"metaData", "protocol", "txn", "add", "remove", "domainMetadata"} <= set(members)
    protocol = [row for row in table.column("protocol").to_pylist() if row is not None]
    assert protocol == [{"minReaderVersion": 1, "minWriterVersion": 2, "readerFeatures": None,
                         "writerFeatures": None}]


@pytest.mark.parametrize("option", ["'delta.dataSkippingStatsColumns' = 'a'",
                                    "'delta.dataSkippingNumIndexedCols' = '1'"])
def test_columns_without_statistics(lakeward, table_path, option):
    """delta-write-09: bounds of the wanted columns only; nobody loses rows by the others, after a checkpoint either."""
    deltalake = pytest.importorskip("deltalake")
    columns = "a INT, b INT"
    inserts = "".join(f"INSERT INTO t VALUES ({i}, {i * 10});" for i in range(1, 12))
    lakeward.run("SET 'table.dml-sync' = 'true';" + delta_table(table_path, columns, options=f", {option}") + inserts)
    add = next(line["add"] for line in log_entry(table_path, 1) if "add" in line)
    assert json.loads(add["stats"]) == {"numRecords": 1, "minValues": {"a": 1}, "maxValues": {"a": 1},
                                        "nullCount": {"a": 0}}
    for version in range(0, 10):
        (table_path / "_delta_log" / f"{version:020}.json").unlink()
    found = deltalake.DeltaTable(str(table_path)).to_pyarrow_table(filters=[("b", ">=", 100)])
    assert sorted(found.column("b").to_pylist()) == [100, 110]
    rows = lakeward.rows(delta_table(table_path, columns), "b", "b INT", "WHERE b >= 100")
    assert sorted(row["b"] for row in rows) == [100, 110]


def test_statistics_skip_files_elsewhere(lakeward, table_path):
    """Our bounds never hide rows from another engine."""
    lakeward.run("SET 'table.local-time-zone' = 'UTC';" +
                 delta_table(table_path, "id INT, s STRING, m TIMESTAMP_LTZ(6)") + """
        INSERT INTO t VALUES
          (1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaz',
           CAST(TIMESTAMP '2024-01-01 00:00:00.123456' AS TIMESTAMP_LTZ(6)));""")
    deltalake = pytest.importorskip("deltalake")
    table = deltalake.DeltaTable(str(table_path))
    instant = datetime.datetime(2024, 1, 1, 0, 0, 0, 123456, UTC)
    found = table.to_pyarrow_table(filters=[("m", "=", instant)])
    assert found.num_rows == 1
    found = table.to_pyarrow_table(filters=[("s", "=", "a" * 40 + "z")])
    assert found.num_rows == 1


def test_four_processes_insert(lakeward, table_path):
    """delta-write-06: concurrent writers on a local disk lose nothing and skip no version."""
    script = delta_table(table_path, "writer INT, id INT").replace(
        "CREATE TABLE t", "CREATE TABLE IF NOT EXISTS t")
    writers, commits = 4, 10
    processes = [
        lakeward.start("SET 'table.dml-sync' = 'true';" + script + "".join(
            f"INSERT INTO t VALUES ({writer}, {i});" for i in range(commits)))
        for writer in range(writers)]
    for process in processes:
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output
    log = sorted(file.name for file in (table_path / "_delta_log").glob("*.json"))
    assert log == [f"{version:020}.json" for version in range(writers * commits + 1)]
    rows = READERS["deltalake"](table_path)
    assert sorted((row["writer"], row["id"]) for row in rows) == sorted(
        (writer, i) for writer in range(writers) for i in range(commits))


def test_null_struct_with_not_null_child(lakeward, table_path, read):
    """delta-write-10: NOT NULL of a child counts only where its parent is not null."""
    lakeward.run(delta_table(table_path, "id INT, r ROW<k STRING NOT NULL, v INT>") + """
        INSERT INTO t SELECT 1, CAST(NULL AS ROW<k STRING NOT NULL, v INT>)
          UNION ALL SELECT 2, CAST(ROW('a', CAST(NULL AS INT)) AS ROW<k STRING NOT NULL, v INT>);
        """)
    rows = {row["id"]: row["r"] for row in read(table_path)}
    assert rows == {1: None, 2: {"k": "a", "v": None}}


def test_null_child_of_a_present_struct(lakeward, table_path):
    """delta-write-10: and where the parent is there, it does count."""
    table = delta_table(table_path, "id INT, r ROW<k STRING NOT NULL, v INT>")
    source = table_path.parent / "rows.json"
    source.parent.mkdir(parents=True, exist_ok=True)
    copy = table + f"""
        CREATE TABLE default_catalog.default_database.s (id INT, r ROW<k STRING, v INT>) WITH (
          'connector' = 'filesystem', 'path' = '{source}', 'format' = 'json');
        INSERT INTO t SELECT id, CAST(r AS ROW<k STRING NOT NULL, v INT>)
          FROM default_catalog.default_database.s;"""
    source.write_text('{"id":1,"r":{"v":1}}\n')
    failed = lakeward.run(copy, check=False)
    assert failed.returncode == 1
    assert "column 'r.k' is NOT NULL, but a row has no value for it" in failed.stderr
    assert log_versions(table_path) == [0]
    source.write_text('{"id":1,"r":null}\n{"id":2,"r":{"k":"a","v":1}}\n')
    lakeward.run(copy)
    assert log_versions(table_path) == [0, 1]
