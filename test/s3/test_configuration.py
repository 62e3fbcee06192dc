"""Names, levels and origins of settings, and what the program says of them."""

import re

import pytest

from conftest import KEYS
from faults import answering, reset
from fault_proxy import Rule
from tables import VALUES, delta_table, json_table

LINE = '{"c1":"a","c2":42}'
OTHER_SECRET = "never-shown-of-another-place"


@pytest.fixture
def configured(bare, tmp_path):
    """The program with a configuration file of these lines, named relatively so that messages are short."""
    def configure(*lines: str, name: str = "config.yaml"):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines))
        return bare.with_arguments("-c", name)
    return configure


@pytest.fixture
def basics(endpoint) -> list[str]:
    return [f"s3.access-key: {KEYS.key_id}", f"s3.secret-key: {KEYS.secret}", f"s3.endpoint: {endpoint}"]


def test_messages_name_file_and_line(configured, place, basics):
    program = configured(basics[0], f"s3.secret-key: {OTHER_SECRET}", basics[2])
    assert "(credentials from config.yaml line 1)" in program.run(json_table(place.uri("t")) + VALUES).error
    program = configured("# a comment", "s3:", "  endpoint: http://127.0.0.1:1", *basics[:2])
    assert "('fs.s3a.endpoint' comes from config.yaml line 3)" in program.run(json_table(place.uri("t")) + VALUES).error


def test_messages_name_variable_statement_and_table(bare, place, endpoint):
    program = bare.with_settings({"s3.endpoint": endpoint})
    script = json_table(place.uri("t")) + VALUES
    pairs = {"fs.s3a.access.key": KEYS.key_id, "fs.s3a.secret.key": OTHER_SECRET}

    def origin(program, script: str) -> str:
        return re.search(r"\(credentials from ([^)]*)\)", program.run(script).error)[1]

    variables = {"AWS_ACCESS_KEY_ID": KEYS.key_id, "AWS_SECRET_ACCESS_KEY": OTHER_SECRET}
    assert origin(program.with_variables(variables), script) == "the environment variable AWS_ACCESS_KEY_ID"
    sets = "".join(f"SET '{name}' = '{value}';\n" for name, value in pairs.items())
    assert re.fullmatch(r"SET in \S+/script-\d+\.sql", origin(program, sets + script))
    options = "".join(f", '{name}' = '{value}'" for name, value in pairs.items())
    assert origin(program, script.replace("'json'", "'json'" + options)) == (
        "WITH of table default_catalog.default_database.t")


def test_the_nearer_level_wins(configured, place, endpoint):
    program = configured("s3.access-key: nobody", f"s3.secret-key: {OTHER_SECRET}", "s3.endpoint: http://127.0.0.1:1")
    program = program.with_variables({"AWS_ENDPOINT_URL": "http://127.0.0.1:2", "AWS_ACCESS_KEY_ID": "nobody",
                                      "AWS_SECRET_ACCESS_KEY": OTHER_SECRET})
    program = program.with_keys(KEYS).with_settings({"s3.endpoint": endpoint})
    program.succeed(json_table(place.uri("t")) + VALUES)
    assert place.lines("t/") == [LINE]
    shown = program.ask("config", "fs.s3a.endpoint").output
    assert f"\nfs.s3a.endpoint: {endpoint}\n" in shown
    assert "-D s3.endpoint" in shown and "config.yaml line 3" in shown and "http://127.0.0.1:1" in shown


def test_keys_of_two_levels_are_never_mixed(configured, place, endpoint):
    program = configured(f"s3.secret-key: {KEYS.secret}", f"s3.endpoint: {endpoint}").with_settings(
        {"s3.access-key": KEYS.key_id})
    assert program.run(json_table(place.uri("t")) + VALUES).error.splitlines()[0] == (
        "'fs.s3a.access.key' is set (-D s3.access-key), but 'fs.s3a.secret.key' is not set in the same place")


def test_two_names_that_disagree_are_refused_with_both_places(configured, place, basics):
    program = configured(*basics, f"fs.s3a.secret.key: {OTHER_SECRET}", name="flink-conf.yaml")
    message = program.run(json_table(place.uri("t")) + VALUES).error.splitlines()[0]
    assert message.startswith("Two names for option 'fs.s3a.secret.key' have different values: ")
    assert "flink-conf.yaml line 2" in message and "flink-conf.yaml line 4" in message
    assert OTHER_SECRET not in message


def test_names_without_effect_are_explained_where_settings_are_shown(configured, basics):
    shown = configured(*basics, "fs.s3a.path.style: true", "fs.s3a.committer.name: magic").ask("config", "fs.s3a").output
    assert "# It is no known setting of S3. Did you mean 'fs.s3a.path.style.access'?\n" in shown
    assert "# It has no effect in Lakeward.\n" in shown


def test_two_names_that_agree_are_fine(configured, place, basics, endpoint):
    configured(*basics, f"fs.s3a.secret.key: {KEYS.secret}", f"flink.hadoop.fs.s3a.endpoint: {endpoint}",
               name="flink-conf.yaml").succeed(json_table(place.uri("t")) + VALUES)
    assert place.lines("t/") == [LINE]


def test_misspelt_names_are_told_with_the_right_ones(configured, place, basics):
    """s3-config-02"""
    done = configured(*basics, "fs.s3a.path.style: true", "fs.s3a.aws.region: x", "fs.s3a.conection.timeout: 3 s",
                      "fs.s3a.committer.name: magic").succeed(json_table(place.uri("t")) + VALUES)
    for wrong, right in {"fs.s3a.path.style": "fs.s3a.path.style.access", "fs.s3a.aws.region": "fs.s3a.region",
                         "fs.s3a.conection.timeout": "fs.s3a.connection.timeout"}.items():
        told, = [line for line in done.errors.splitlines() if f"'{wrong}'" in line and " [s3] " in line]
        assert told.endswith(f"Did you mean '{right}'?")
    told, = [line for line in done.errors.splitlines() if "fs.s3a.committer.name" in line]
    assert told.endswith("'fs.s3a.committer.name' (config.yaml line 7) has no effect in Lakeward")


@pytest.mark.parametrize("name", ["fs.s3a.conection.timeout", "fs.s3a.aws.region", "fs.s3a.committer.name"])
def test_misspelt_names_are_told_once(configured, place, basics, name):
    """By the storage; those of SET at once."""
    script = json_table(place.uri("t")) + VALUES
    for done in (configured(*basics, f"{name}: 3 s").succeed(script),
                 configured(*basics).with_settings({name: "3 s"}).succeed(script),
                 configured(*basics).succeed(f"SET '{name}' = '3 s';\n" + script)):
        assert done.errors.count(f"'{name}'") == 1, done.errors


def test_misspelt_names_are_told_where_the_rest_cannot_be_used(configured, place, basics):
    done = configured(basics[0], f"s3.sekret-key: {KEYS.secret}", basics[2]).run(json_table(place.uri("t")) + VALUES)
    assert done.code == 1 and "but 'fs.s3a.secret.key' is not set in the same place" in done.errors
    assert done.errors.count("Did you mean 's3.secret-key'?") == 1


@pytest.mark.parametrize("settings", [
    {"s3.endpoint": "{host}", "fs.s3a.connection.ssl.enabled": "false"},
    {"s3.endpoint": "{host}", "s3.region": "anctartica", "fs.s3a.connection.ssl.enabled": "false"},
    {"fs.s3a.endpoint": "http://{host}/", "fs.s3a.connection.ssl.enabled": "true"}])
def test_forms_of_an_endpoint(bare, place, endpoint, settings):
    """s3-config-16, -18: without a scheme, with any region, http:// as consent enough."""
    host = endpoint.removeprefix("http://")
    program = bare.with_keys(KEYS).with_settings({name: value.format(host=host) for name, value in settings.items()})
    program.succeed(json_table(place.uri("t")) + VALUES)
    assert place.lines("t/") == [LINE]


@pytest.mark.parametrize("text, reason", [
    ("http//x", "has a path; an endpoint is only scheme, host and port"),
    ("http://store.test:9/minio", "has a path; an endpoint is only scheme, host and port"),
    ("ftp://x", "is no address of a host"), ("http://", "is no address of a host"),
    ("http://x:port", "is no address of a host")])
def test_endpoints_that_are_none(bare, place, text, reason):
    """s3-config-18"""
    done = bare.with_keys(KEYS).with_settings({"s3.endpoint": text}).run(delta_table(place.uri("t")))
    assert done.error == (f"The S3 endpoint '{text}' (from -D s3.endpoint) {reason}\n"
                          "Set 'fs.s3a.endpoint' to 'https://host', 'http://host:port' or 'host:port'.")


def test_the_configuration_is_shown_without_secrets(configured, basics, endpoint):
    program = configured(*basics).with_variables({"AWS_REGION": "eu-west-9"})
    shown = program.ask("config", "s3").output
    for name, value, origin in [("endpoint", endpoint, "config.yaml line 3"),
                                ("secret.key", "'******'", "config.yaml line 2"),
                                ("endpoint.region", "eu-west-9", "AWS_REGION"),
                                ("connection.maximum", "96", "default")]:
        assert re.search(rf"# [^\n]+\n# From [^\n]*{re.escape(origin)}[^\n]*\nfs\.s3a\.{re.escape(name)}: "
                         rf"{re.escape(value)}\n", shown), name
    assert KEYS.secret not in shown
    asked = program.succeed("SHOW CONFIGURATION;")
    assert "fs.s3a.secret.key" in asked.output and endpoint in asked.output
    assert not re.search(rf"(?<![\w.-]){KEYS.secret}(?![\w-])", asked.output)


def test_the_trace_has_a_line_for_each_request(through, place, proxy):
    proxy.add(Rule(reset, ("part",), nth=(1,)))
    done = through.with_settings({"log.s3": "trace"}).succeed(json_table(place.uri("t")) + VALUES)
    lines = [line for line in done.errors.splitlines() if "TRACE [s3] #" in line]
    assert len(lines) == len(proxy.requests)
    assert sum(" try 2: 200 in " in line for line in lines) == 1
    assert all(re.search(r"#\d+ (PUT|POST|GET|HEAD|DELETE) s3://\S+ try \d: .* in \d+ ms, \d+ bytes up", line)
               for line in lines)
    assert KEYS.secret not in done.errors


def test_the_trace_names_the_job(through, place):
    done = through.with_settings({"log.s3": "trace"}).succeed(json_table(place.uri("t")) + VALUES)
    lines = [line for line in done.errors.splitlines() if "?partNumber" in line]
    form = re.compile(r" \[job insert-into_default_catalog\.default_database\.t, task [^\]]*t[^\]]* \(\d/\d\), "
                      r"thread s3-\d+\]$")
    assert lines and not [line for line in lines if not form.search(line)]


def test_the_trace_counts_what_was_moved(through, place):
    """A HEAD names a length and moves nothing; a listing may come without one."""
    place.store.put(place.key("t/1"), (LINE + "\n").encode())
    done = through.with_settings({"log.s3": "trace"}).succeed(json_table(place.uri("t")) + "SELECT * FROM t;")
    moved = re.findall(r"TRACE \[s3\] #\d+ (\w+) \S+ try 1: 20\d in \d+ ms, (\d+) bytes up, (\d+) down", done.errors)
    assert len(moved) == done.errors.count("TRACE [s3] #")
    assert ("GET", "0", str(len(LINE) + 1)) in moved
    assert all(down == "0" for method, _, down in moved if method == "HEAD")
    assert all(down != "0" for method, _, down in moved if method == "GET")


def test_a_failed_job_tells_its_last_requests(through, place, proxy):
    proxy.add(Rule(reset, ("part",)))
    done = through.with_settings({"fs.s3a.retry.limit": "1"}).run(json_table(place.uri("t")) + VALUES)
    assert done.code == 1
    assert len(re.findall(r"PUT s3://\S+partNumber=1\S* try [12]:", done.errors)) == 2
    assert_last_requests(done)


def test_the_last_requests_are_told_once(through, place, proxy):
    """What cannot be given up is told besides, without them."""
    proxy.add(Rule(reset, ("part",)), Rule(answering(403, "AccessDenied"), ("abort",)))
    done = through.with_settings({"fs.s3a.retry.limit": "1"}).run(json_table(place.uri("t")) + VALUES)
    assert done.code == 1 and "AccessDenied" in done.errors
    assert_last_requests(done)


def assert_last_requests(done) -> None:
    """One block behind the error and its remedy: time, request, outcome, for whom; in the order of time."""
    assert done.errors.count("The last requests:") == 1, done.errors
    lines = done.error.partition("The last requests:\n")[2].splitlines()
    form = re.compile(r"  \d\d:\d\d:\d\d\.\d{3}Z #\d+ [A-Z]+ s3://\S+ try \d+: .+ in \d+ ms, \d+ bytes up, \d+ down.* "
                      r"\[job insert-into_\S+, task .+, thread \S+\]")
    assert 2 <= len(lines) <= 10 and not [line for line in lines if not form.fullmatch(line)]
    assert [line[:15] for line in lines] == sorted(line[:15] for line in lines)
