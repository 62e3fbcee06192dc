"""The other engines over S3, each as a function from a table's address to its rows as dictionaries."""

import importlib
import pathlib
import urllib.parse

import pytest

from plain_s3 import Keys


def _module(name: str):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def storage_options(endpoint: str, keys: Keys) -> dict[str, str]:
    return {"AWS_ENDPOINT_URL": endpoint, "AWS_ALLOW_HTTP": "true", "AWS_ACCESS_KEY_ID": keys.key_id,
            "AWS_SECRET_ACCESS_KEY": keys.secret, "AWS_REGION": keys.region}


def read_deltalake(uri: str, endpoint: str, keys: Keys) -> list[dict]:
    table = _module("deltalake").DeltaTable(uri, storage_options=storage_options(endpoint, keys))
    return table.to_pyarrow_table().to_pylist()


def read_duckdb(uri: str, endpoint: str, keys: Keys) -> list[dict]:
    connection = _module("duckdb").connect(config={"allow_unsigned_extensions": "true"})
    for name in ("httpfs", "delta"):
        connection.execute(f"LOAD '{_extension(name)}'")
    host = urllib.parse.urlsplit(endpoint).netloc
    connection.execute(f"CREATE SECRET (TYPE s3, KEY_ID '{keys.key_id}', SECRET '{keys.secret}', ENDPOINT '{host}', "
                       f"URL_STYLE 'path', USE_SSL false, REGION '{keys.region}')")
    return connection.execute(f"SELECT * FROM delta_scan('{uri}')").to_arrow_table().to_pylist()


def _extension(name: str) -> pathlib.Path:
    package = pytest.importorskip(f"duckdb_extension_{name}", reason=f"DuckDB's extension {name} is not installed")
    folder = pathlib.Path(importlib.import_module(package.__name__).__file__).parent
    return sorted(folder.rglob(f"{name}.duckdb_extension"))[0]


READERS = {"deltalake": read_deltalake, "duckdb": read_duckdb}
