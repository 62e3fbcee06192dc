"""The other engines, each as a function from a table's path to its rows as dictionaries."""

import importlib
import os
import pathlib
import sys

import pytest


def _module(name: str):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def read_deltalake(path) -> list:
    deltalake = _module("deltalake")
    return deltalake.DeltaTable(str(path)).to_pyarrow_table().to_pylist()


def read_duckdb(path) -> list:
    duckdb = _module("duckdb")
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"LOAD '{_duckdb_extension('delta')}'")
    table = connection.execute(f"SELECT * FROM delta_scan('{path}')").to_arrow_table()
    return table.to_pylist()


def _duckdb_extension(name: str) -> pathlib.Path:
    package = importlib.import_module(f"duckdb_extension_{name}")
    folder = pathlib.Path(package.__file__).parent
    found = sorted(folder.rglob(f"{name}.duckdb_extension"))
    if not found:
        pytest.skip(f"DuckDB's extension {name} is not installed")
    return found[0]


def read_polars(path) -> list:
    polars = _module("polars")
    return polars.read_delta(str(path)).to_dicts()


READERS = {"deltalake": read_deltalake, "duckdb": read_duckdb, "polars": read_polars}


def read_spark(path) -> list:
    """With `./dev interop --full`, which sets LAKEWARD_SPARK_JARS to the folder of Delta's libraries."""
    folder = os.environ.get("LAKEWARD_SPARK_JARS")
    if not folder:
        pytest.skip("LAKEWARD_SPARK_JARS is not set: ./dev interop --full sets it")
    sql = _module("pyspark.sql")
    jars = ",".join(str(jar) for jar in sorted(pathlib.Path(folder).glob("*.jar")))
    spark = (sql.SparkSession.builder.master("local[1]")
             .config("spark.jars", jars)
             .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
             .config("spark.sql.catalog.spark_catalog",
                     "org.apache.spark.sql.delta.catalog.DeltaCatalog")
             .config("spark.sql.session.timeZone", "UTC")
             .config("spark.ui.enabled", "false")
             .getOrCreate())
    rows = spark.read.format("delta").load(str(path)).collect()
    return [row.asDict(recursive=True) for row in rows]


READERS["spark"] = read_spark

if __name__ == "__main__":
    print(READERS[sys.argv[1]](sys.argv[2]))
