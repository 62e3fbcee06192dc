"""One client with one resolved set-up serves every component; nothing has to be installed beside the program."""

import pytest

from conftest import BUCKET, KEYS
from fault_proxy import FaultProxy, Rule
from faults import answering, signed_again
from readers_on_s3 import read_deltalake
from tables import VALUES, delta_table, json_table


def test_no_component_goes_anywhere_else(bare, place, endpoint):
    """s3-config-06, -07: log, data, files, checkpoints; what goes elsewhere passes the environment's proxy."""
    with FaultProxy("", Rule(answering(502))) as elsewhere:
        program = bare.with_keys(KEYS).with_settings({"s3.endpoint": endpoint}).with_variables(
            {name: elsewhere.endpoint for name in ("http_proxy", "https_proxy", "HTTPS_PROXY")}
            | {"no_proxy": "127.0.0.1"})
        program.with_arguments("--state-dir", place.uri("state")).succeed(
            delta_table(place.uri("d")) + json_table(place.uri("j"), name="j")
            + "INSERT INTO t VALUES ('a', 42); INSERT INTO j SELECT * FROM t;")
        assert elsewhere.connections == 0
        # Without the endpoint it would go there: the test sees what it looks for.
        amazon = bare.with_keys(KEYS).with_variables({"https_proxy": elsewhere.endpoint})
        assert amazon.run(json_table(place.uri("k")) + VALUES).code == 1
        assert elsewhere.connections > 0
    assert place.lines("j/") == ['{"c1":"a","c2":42}']


def test_a_proxy_of_the_settings_is_used(bare, place, proxy):
    """The store's name need not be known here, only to the proxy."""
    program = bare.with_keys(KEYS).with_settings({
        "s3.endpoint": "http://store.test.invalid", "fs.s3a.proxy.host": "127.0.0.1",
        "fs.s3a.proxy.port": str(proxy.port)})
    program.succeed(json_table(place.uri("t")) + VALUES)
    assert all(head.first_line.split()[1].startswith(f"http://store.test.invalid/{BUCKET}/") for head in proxy.requests)
    assert place.lines("t/") == ['{"c1":"a","c2":42}']


def test_bucket_hosts_are_used_when_path_style_is_off(bare, place, proxy):
    """Virtual-host style: the bucket stands in the name, and every request is signed for that name."""
    def as_path(exchange) -> None:
        assert exchange.request.get("Host") == f"{BUCKET}.localhost:{proxy.port}"
        path, question, query = exchange.target.partition("?")
        exchange.target = f"/{BUCKET}" + path.removesuffix("/") + question + query
        exchange.request.first_line = f"{exchange.method} {exchange.target} HTTP/1.1"
        signed_again(exchange, KEYS)
        exchange.pass_on()
    proxy.add(Rule(as_path))
    bare.with_keys(KEYS).with_settings({
        "s3.endpoint": f"http://localhost:{proxy.port}", "fs.s3a.path.style.access": "false"}).succeed(
        delta_table(place.uri("t")) + VALUES)
    assert read_deltalake(place.uri("t"), place.endpoint, KEYS) == [{"c1": "a", "c2": 42}]


@pytest.mark.parametrize("statement", ["ADD JAR '/opt/flink/flink-s3-fs-hadoop-1.20.1.jar';",
                                       "SET 'pipeline.jars' = 'file:///x.jar';"])
def test_jars_are_neither_needed_nor_refused(lakeward, place, statement):
    """deploy-03, deploy-04"""
    lakeward.succeed(statement + "\n" + json_table(place.uri("t")) + VALUES)
    assert place.lines("t/") == ['{"c1":"a","c2":42}']
