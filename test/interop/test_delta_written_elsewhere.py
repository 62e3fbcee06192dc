"""Delta tables that deltalake wrote, read by Lakeward."""

import datetime
import decimal
import shutil

import pytest

from lakeward import SqlFailed, delta_table

deltalake = pytest.importorskip("deltalake")
pyarrow = pytest.importorskip("pyarrow")

UTC = datetime.timezone.utc


def write(path, columns: dict, schema=None, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    deltalake.write_deltalake(str(path), pyarrow.table(columns, schema=schema), **options)


def test_every_type(lakeward, table_path):
    schema = pyarrow.schema([
        ("a", pyarrow.bool_()), ("b", pyarrow.int8()), ("c", pyarrow.int16()),
        ("d", pyarrow.int32()), ("e", pyarrow.int64()), ("f", pyarrow.float32()),
        ("g", pyarrow.float64()), ("h", pyarrow.decimal128(20, 4)), ("i", pyarrow.string()),
        ("k", pyarrow.date32()), ("m", pyarrow.timestamp("us", "UTC")),
        ("n", pyarrow.list_(pyarrow.int32())),
        ("p", pyarrow.struct([("x", pyarrow.int32()), ("y", pyarrow.string())]))])
    write(table_path, {
        "a": [True, None], "b": [-128, None], "c": [32767, None], "d": [-1, None],
        "e": [9223372036854775807, None], "f": [1.5, None], "g": [-2.25, None],
        "h": [decimal.Decimal("1234567890123456.7891"), None], "i": ["grün 🌲", None],
        "k": [datetime.date(2024, 2, 29), None],
        "m": [datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC), None],
        "n": [[1, None, 3], None], "p": [{"x": 1, "y": None}, None]}, schema)
    columns = """a BOOLEAN, b TINYINT, c SMALLINT, d INT, e BIGINT, f FLOAT, g DOUBLE,
        h DECIMAL(20, 4), i STRING, k DATE, m TIMESTAMP_LTZ(6), n ARRAY<INT>,
        p ROW<x INT, y STRING>"""
    rows = lakeward.rows("SET 'table.local-time-zone' = 'UTC';" + delta_table(table_path, columns),
                         "a, b, c, d, e, f, g, CAST(h AS STRING), i, CAST(k AS STRING), "
                         "CAST(m AS STRING), n, p",
                         columns.replace("DECIMAL(20, 4)", "STRING").replace("DATE", "STRING")
                         .replace("TIMESTAMP_LTZ(6)", "STRING"))
    rows.sort(key=lambda row: row.get("d") is None)
    assert rows[0] == {
        "a": True, "b": -128, "c": 32767, "d": -1, "e": 9223372036854775807, "f": 1.5,
        "g": -2.25, "h": "1234567890123456.7891", "i": "grün 🌲", "k": "2024-02-29",
        "m": "1969-12-31 23:59:59.999999", "n": [1, None, 3], "p": {"x": 1, "y": None}}
    assert all(value is None for value in rows[1].values())


PARTITION_VALUES = [
    (pyarrow.string(), "STRING", ["plain", "a b", "a/b=c:d%e", "ü#?&+", "..", None]),
    (pyarrow.int64(), "BIGINT", [1, -5, None]),
    (pyarrow.bool_(), "BOOLEAN", [True, False, None]),
    (pyarrow.date32(), "DATE", [datetime.date(2024, 2, 29), None]),
    (pyarrow.float64(), "DOUBLE", [1.5, -2e20, None]),
    (pyarrow.decimal128(10, 2), "DECIMAL(10, 2)", [decimal.Decimal("1.50"), None]),
    (pyarrow.timestamp("us", "UTC"), "TIMESTAMP_LTZ(6)",
     [datetime.datetime(2024, 1, 2, 3, 4, 5, 678901, UTC), None]),
]


@pytest.mark.parametrize("arrow_type, sql_type, values", PARTITION_VALUES,
                         ids=[case[1] for case in PARTITION_VALUES])
def test_partition_values(lakeward, table_path, arrow_type, sql_type, values):
    schema = pyarrow.schema([("id", pyarrow.int32()), ("p", arrow_type)])
    write(table_path, {"id": list(range(len(values))), "p": values}, schema,
          partition_by=["p"])
    rows = lakeward.rows(
        "SET 'table.local-time-zone' = 'UTC';" +
        delta_table(table_path, f"id INT, p {sql_type}", "p"), "id, CAST(p AS STRING)",
        "id INT, p STRING")
    texts = {row["id"]: row["p"] for row in rows}
    for number, value in enumerate(values):
        if value is None:
            assert texts[number] is None
        elif isinstance(value, bool):
            assert texts[number].lower() == str(value).lower()
        elif isinstance(value, float):
            assert float(texts[number]) == value
        elif isinstance(value, datetime.datetime):
            assert texts[number] == value.strftime("%Y-%m-%d %H:%M:%S.%f")
        else:
            assert texts[number] == str(value)


def test_checkpoint_and_deletes(lakeward, table_path):
    write(table_path, {"id": [1, 2], "s": ["a", "b"]})
    for number in range(3, 8):
        write(table_path, {"id": [number], "s": [f"s{number}"]}, mode="append")
    table = deltalake.DeltaTable(str(table_path))
    table.delete("id = 3")
    table.create_checkpoint()
    write(table_path, {"id": [9], "s": ["after"]}, mode="append")
    for file in (table_path / "_delta_log").glob("0000000000000000000[0-5].json"):
        file.unlink()
    rows = lakeward.rows(delta_table(table_path, "id BIGINT, s STRING"), "id", "id BIGINT")
    assert sorted(row["id"] for row in rows) == [1, 2, 4, 5, 6, 7, 9]


def test_columns_added_later_are_null_in_old_files(lakeward, table_path):
    write(table_path, {"id": [1]})
    write(table_path, {"id": [2], "late": ["x"]}, mode="append", schema_mode="merge")
    rows = lakeward.rows(delta_table(table_path, "id BIGINT, late STRING"), "id, late",
                         "id BIGINT, late STRING")
    assert {row["id"]: row.get("late") for row in rows} == {1: None, 2: "x"}


def test_filters_find_what_deltalake_bounds(lakeward, table_path):
    """delta-read-01: equality with an exact microsecond."""
    instants = [datetime.datetime(2024, 1, 1, 0, 0, 0, micros, UTC) for micros in (1, 123456)]
    for number, instant in enumerate(instants):
        write(table_path, {"id": [number], "m": [instant]}, mode="append")
    definition = "SET 'table.local-time-zone' = 'UTC';" + delta_table(
        table_path, "id BIGINT, m TIMESTAMP_LTZ(6)")
    rows = lakeward.rows(
        definition, "id", "id BIGINT",
        "WHERE m = CAST(TIMESTAMP '2024-01-01 00:00:00.123456' AS TIMESTAMP_LTZ(6))")
    assert [row["id"] for row in rows] == [1]


@pytest.mark.parametrize("damage", ["empty hint", "stale hint", "noise in checkpoint",
                                    "no checkpoint"])
def test_damaged_checkpoints(lakeward, table_path, damage):
    """delta-read-03, -04, -05."""
    for number in range(3):
        write(table_path, {"id": [number]}, mode="append")
    deltalake.DeltaTable(str(table_path)).create_checkpoint()
    write(table_path, {"id": [3]}, mode="append")
    log = table_path / "_delta_log"
    checkpoint = next(log.glob("*.checkpoint.parquet"))
    if damage == "empty hint":
        (log / "_last_checkpoint").write_bytes(b"")
    elif damage == "stale hint":
        (log / "_last_checkpoint").write_text('{"version":77,"size":1}')
    elif damage == "noise in checkpoint":
        checkpoint.write_bytes(b"noise" * 100)
    else:
        checkpoint.unlink()
    rows = lakeward.rows(delta_table(table_path, "id BIGINT"), "id", "id BIGINT")
    assert sorted(row["id"] for row in rows) == [0, 1, 2, 3]


OPTIONAL_MEMBERS = {"deletionVector", "baseRowId", "defaultRowCommitVersion", "clusteringProvider", "tags", "stats"}


def test_checkpoints_of_older_writers(lakeward, table_path):
    """delta-write-13: members that came later may be missing from a checkpoint, whole actions too."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for number in range(3):
        write(table_path, {"id": [number], "p": [f"p{number}"]}, mode="append", partition_by=["p"])
    deltalake.DeltaTable(str(table_path)).create_checkpoint()
    log = table_path / "_delta_log"
    checkpoint = next(log.glob("*.checkpoint.parquet"))
    whole = parquet.read_table(checkpoint)
    older = {}
    for field in whole.schema:
        if field.name not in ("metaData", "protocol", "add"):
            continue
        kept = [child for child in field.type if child.name not in OPTIONAL_MEMBERS
                and child.name not in ("readerFeatures", "writerFeatures")]
        rows = [row if row is None else {child.name: row[child.name] for child in kept}
                for row in whole.column(field.name).to_pylist()]
        older[field.name] = pyarrow.array(rows, pyarrow.struct(kept))
    parquet.write_table(pyarrow.table(older), checkpoint)
    for entry in log.glob("*.json"):
        entry.unlink()
    rows = lakeward.rows(delta_table(table_path, "id BIGINT, p STRING", "p"), "id, p", "id BIGINT, p STRING")
    assert sorted((row["id"], row["p"]) for row in rows) == [(0, "p0"), (1, "p1"), (2, "p2")]


@pytest.mark.parametrize("indexed", [{"delta.dataSkippingStatsColumns": "a"}, {"delta.dataSkippingNumIndexedCols": "1"}])
def test_filters_on_columns_without_statistics(lakeward, table_path, indexed):
    """delta-write-09: a missing bound is unknown, before a checkpoint and after it."""
    for number in range(3):
        write(table_path, {"a": [number], "b": [number * 10]}, mode="append",
              **({} if number else {"configuration": indexed}))
    log = table_path / "_delta_log"
    assert '\\"b\\"' not in (log / f"{1:020}.json").read_text(), "deltalake must not have written bounds of b"
    definition = delta_table(table_path, "a BIGINT, b BIGINT")

    def matching():
        rows = lakeward.rows(definition, "a, b", "a BIGINT, b BIGINT", "WHERE b >= 10 AND b IS NOT NULL")
        return sorted(row["b"] for row in rows)

    assert matching() == [10, 20]
    deltalake.DeltaTable(str(table_path)).create_checkpoint()
    for entry in log.glob("*.json"):
        entry.unlink()
    assert matching() == [10, 20]


def test_missing_version_is_named(lakeward, table_path):
    """delta-read-05."""
    for number in range(4):
        write(table_path, {"id": [number]}, mode="append")
    (table_path / "_delta_log" / f"{2:020}.json").unlink()
    with pytest.raises(SqlFailed) as failure:
        lakeward.run(delta_table(table_path, "id BIGINT") + "SELECT * FROM t;")
    assert f"{2:020}.json is missing" in str(failure.value)


@pytest.mark.parametrize("spelling", ["{path}/", "file://{path}", "{parent}//t", "{parent}/./t/"])
def test_spellings_of_the_path(lakeward, table_path, spelling):
    """delta-read-09."""
    write(table_path, {"id": [1]})
    path = spelling.format(path=table_path, parent=table_path.parent)
    rows = lakeward.rows(delta_table(path, "id BIGINT"), "id", "id BIGINT")
    assert rows == [{"id": 1}]


def test_features_are_refused_for_rows_only(lakeward, table_path):
    """delta-read-13."""
    write(table_path, {"id": [1, 2]},
          configuration={"delta.enableDeletionVectors": "true"})
    entry = table_path / "_delta_log" / f"{0:020}.json"
    text = entry.read_text()
    entry.write_text(text.replace('"deletionVectors"', '"deletionVectors","futureFeature"'))
    described = lakeward.run(delta_table(table_path, "id BIGINT") + "DESCRIBE t;")
    assert "BIGINT" in described.stdout
    for statement in ("SELECT * FROM t;", "INSERT INTO t VALUES (CAST(3 AS BIGINT));"):
        with pytest.raises(SqlFailed) as failure:
            lakeward.run(delta_table(table_path, "id BIGINT") + statement)
        assert "futureFeature" in str(failure.value)


def test_appends_to_tables_of_deltalake(lakeward, table_path):
    write(table_path, {"id": [1], "p": ["x"]}, partition_by=["p"])
    lakeward.run(delta_table(table_path, "id BIGINT, p STRING", "p") +
                 "INSERT INTO t VALUES (CAST(2 AS BIGINT), 'y z');")
    rows = deltalake.DeltaTable(str(table_path)).to_pyarrow_table().to_pylist()
    assert sorted((row["id"], row["p"]) for row in rows) == [(1, "x"), (2, "y z")]


def test_a_moved_table_is_the_same(lakeward, table_path, tmp_path):
    write(table_path, {"id": [1], "p": ["a b"]}, partition_by=["p"])
    moved = tmp_path / "elsewhere" / "ü x"
    moved.parent.mkdir()
    shutil.move(table_path, moved)
    rows = lakeward.rows(delta_table(moved, "id BIGINT, p STRING", "p"), "id, p",
                         "id BIGINT, p STRING")
    assert rows == [{"id": 1, "p": "a b"}]
