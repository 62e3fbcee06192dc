"""The files and variables that people already have are enough: one script, five set-ups, three schemes."""

import pytest

from conftest import KEYS
from readers_on_s3 import READERS
from tables import VALUES, delta_table, json_table


def flink_conf(prefixes: list[str], endpoint: str) -> str:
    settings = {"access.key": KEYS.key_id, "secret.key": KEYS.secret, "endpoint": endpoint,
                "path.style.access": "true", "endpoint.region": KEYS.region}
    return "jobmanager.rpc.address: localhost\n" + "".join(
        f"{prefix}{name}: {value}\n" for prefix in prefixes for name, value in settings.items())


def config_yaml(endpoint: str) -> str:
    return (f"s3:\n  access-key: {KEYS.key_id}\n  secret-key: {KEYS.secret}\n  endpoint: {endpoint}\n"
            f"  path.style.access: true\n  region: {KEYS.region}\nparallelism:\n  default: 1\n")


FILES = {
    "fs.s3a in flink-conf.yaml": ("flink-conf.yaml", lambda endpoint: flink_conf(["fs.s3a."], endpoint)),
    "flink.hadoop.fs.s3a in flink-conf.yaml": (
        "flink-conf.yaml", lambda endpoint: flink_conf(["flink.hadoop.fs.s3a."], endpoint)),
    "both in flink-conf.yaml": (
        "flink-conf.yaml", lambda endpoint: flink_conf(["fs.s3a.", "flink.hadoop.fs.s3a."], endpoint)),
    "s3 in config.yaml": ("config.yaml", config_yaml),
}


def variables(endpoint: str) -> dict[str, str]:
    return {"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": KEYS.key_id, "AWS_SECRET_ACCESS_KEY": KEYS.secret,
            "AWS_REGION": KEYS.region}


def write_configuration(folder, set_up: str, endpoint: str):
    """The folder with the file of this set-up."""
    name, text = FILES[set_up]
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text(endpoint))
    return folder


@pytest.fixture(params=[*FILES, "AWS variables"])
def set_up(request, bare, endpoint, tmp_path):
    if request.param == "AWS variables":
        return bare.with_variables(variables(endpoint))
    return bare.with_arguments("-c", str(write_configuration(tmp_path / "conf-of-test", request.param, endpoint)))


SCRIPT = """
CREATE CATALOG c_delta WITH ('type' = 'delta-catalog', 'catalog-type' = 'in-memory');
USE CATALOG c_delta;
CREATE DATABASE db_new;
USE db_new;
{table}INSERT INTO t VALUES ('a', 42);
SELECT * FROM t;
"""


def test_the_first_script_leaves_a_table_that_everybody_reads(set_up, place, endpoint):
    uri = place.uri("t_foo/", "s3a")
    done = set_up.succeed("SET 'sql-client.execution.result-mode' = 'tableau';\nSET 'table.dml-sync' = 'true';"
                          + SCRIPT.format(table=delta_table(uri)))
    assert done.errors == ""
    assert "| +I |" in done.output and "a |          42 |" in done.output and "1 row" in done.output
    for name, read in READERS.items():
        assert read(place.uri("t_foo"), endpoint, KEYS) == [{"c1": "a", "c2": 42}], name
    assert place.uploads() == []


def test_a_json_table_is_one_object_of_19_bytes(set_up, place):
    set_up.succeed("CREATE TABLE t_foo_fs (c1 varchar, c2 int) WITH ('connector'='filesystem',"
                   f"'path'='{place.uri('t_foo_fs/', 's3a')}','format'='json');\n"
                   "INSERT INTO t_foo_fs VALUES ('a',42);")
    assert list(place.files("t_foo_fs/").values()) == [19]
    key, = place.store.keys_below(place.key("t_foo_fs/"))
    assert place.store.get(key) == b'{"c1":"a","c2":42}\n'


@pytest.mark.parametrize("scheme", ["s3", "s3a", "s3n", "s3p"])
def test_every_scheme_is_the_same_store(lakeward, place, endpoint, scheme):
    lakeward.succeed(delta_table(place.uri("d", scheme)) + VALUES)
    lakeward.succeed(json_table(place.uri("j", scheme)) + VALUES)
    assert place.lines("j/") == ['{"c1":"a","c2":42}']
    for name, read in READERS.items():
        assert read(place.uri("d"), endpoint, KEYS) == [{"c1": "a", "c2": 42}], name


def test_one_table_has_the_same_rows_under_every_scheme(lakeward, place):
    lakeward.succeed(delta_table(place.uri("t", "s3n")) + VALUES)
    for scheme in ("s3", "s3a", "s3n", "s3p"):
        copy = place.uri(f"copy-{scheme}")
        lakeward.succeed(delta_table(place.uri("t", scheme)) + json_table(copy, name="copy_of_it")
                         + "INSERT INTO copy_of_it SELECT * FROM t;")
        assert place.lines(f"copy-{scheme}/") == ['{"c1":"a","c2":42}'], scheme


@pytest.mark.parametrize("how", ["-c file", "LAKEWARD_CONF_DIR", "./conf", "FLINK_CONF_DIR"])
def test_the_configuration_is_found_where_it_is(bare, place, endpoint, tmp_path, how):
    set_up = "s3 in config.yaml"
    folder = write_configuration(tmp_path / ("conf" if how == "./conf" else "elsewhere"), set_up, endpoint)
    program = bare
    if how == "-c file":
        program = bare.with_arguments("-c", str(folder / "config.yaml"))
    elif how != "./conf":
        program = bare.with_variables({how: str(folder)})
    program.succeed(json_table(place.uri("t")) + VALUES)
    assert place.lines("t/") == ['{"c1":"a","c2":42}']


def test_settings_may_stand_in_the_session_or_the_table(bare, place, endpoint):
    settings = {"fs.s3a.access.key": KEYS.key_id, "fs.s3a.secret.key": KEYS.secret, "fs.s3a.endpoint": endpoint}
    bare.succeed("".join(f"SET '{name}' = '{value}';\n" for name, value in settings.items())
                 + json_table(place.uri("set")) + VALUES)
    options = "".join(f", '{name}' = '{value}'" for name, value in settings.items())
    bare.succeed(json_table(place.uri("with")).replace("'format' = 'json'", "'format' = 'json'" + options) + VALUES)
    bare.succeed(delta_table(place.uri("delta") + "'" + options.removesuffix("'")) + VALUES)
    assert place.lines("set/") == place.lines("with/") == ['{"c1":"a","c2":42}']
    assert len(place.files("delta/_delta_log/")) == 2


def test_a_bucket_may_have_settings_of_its_own(lakeward, place, endpoint):
    wrong = lakeward.with_settings({"s3.endpoint": "http://127.0.0.1:1", "s3.access-key": "nobody"})
    right = wrong.with_settings({"fs.s3a.bucket.warehouse.endpoint": endpoint,
                                 "fs.s3a.bucket.warehouse.access.key": KEYS.key_id,
                                 "fs.s3a.bucket.warehouse.secret.key": KEYS.secret})
    right.succeed(json_table(place.uri("t")) + VALUES)
    assert place.lines("t/") == ['{"c1":"a","c2":42}']
