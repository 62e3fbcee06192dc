"""Where credentials come from, in which order, and that they are renewed while a job runs."""

import json
import time

import pytest

from conftest import KEYS
from fault_proxy import Rule
from faults import answering, requires_token, signed_again
from readers_on_s3 import read_deltalake
from stubs import TOKEN, Issuer
from tables import VALUES, delta_table, json_table

ROLE = "arn:aws:iam::123456789012:role/writer"
SLOW_ROWS = 60


@pytest.fixture
def issuer():
    with Issuer(KEYS) as issuer:
        yield issuer


@pytest.fixture
def program(bare, proxy, issuer):
    """Knows only the store's address; the store takes nothing but the issuer's tokens."""
    proxy.add(Rule(issuer.required()))
    return bare.with_settings({"s3.endpoint": proxy.endpoint})


def web_identity(issuer, folder) -> dict[str, str]:
    (folder / "identity-token").write_text("never-shown-identity\n")
    return {"AWS_WEB_IDENTITY_TOKEN_FILE": str(folder / "identity-token"), "AWS_ROLE_ARN": ROLE,
            "AWS_ENDPOINT_URL_STS": issuer.endpoint}


def instance(issuer) -> dict[str, str]:
    return {"AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": issuer.endpoint}


def container(issuer) -> dict[str, str]:
    return {"AWS_CONTAINER_CREDENTIALS_FULL_URI": issuer.endpoint + "/container"}


def works(program, place, name="t") -> None:
    program.succeed(json_table(place.uri(name)) + VALUES)
    assert place.lines(f"{name}/") == ['{"c1":"a","c2":42}']


@pytest.mark.parametrize("source", ["web identity", "container", "instance metadata", "profile", "process", "role",
                                    "role of the configuration"])
def test_every_source_gives_keys(program, place, issuer, tmp_path, source):
    variables, settings, asked = {}, {}, []
    aws = tmp_path / ".aws"
    aws.mkdir()
    if source == "web identity":
        variables, asked = web_identity(issuer, tmp_path), ["AssumeRoleWithWebIdentity"]
    elif source == "container":
        variables, asked = container(issuer), ["/container"]
    elif source == "instance metadata":
        folder = "/latest/meta-data/iam/security-credentials/"
        variables, asked = instance(issuer), ["/latest/api/token", folder, folder + "role-of-this-machine"]
    else:
        variables = {"AWS_ENDPOINT_URL_STS": issuer.endpoint, "AWS_PROFILE": "p", "AWS_REGION": "us-east-1"}
        issued = issuer._issue()
        keys = f"aws_access_key_id = {KEYS.key_id}\naws_secret_access_key = {KEYS.secret}\n"
        if source == "profile":
            (aws / "credentials").write_text(f"[p]\n{keys}aws_session_token = {issued['token']}\n")
        elif source == "process":
            answer = {"Version": 1, "AccessKeyId": KEYS.key_id, "SecretAccessKey": KEYS.secret,
                      "SessionToken": issued["token"], "Expiration": issued["expiration"]}
            (aws / "answer").write_text(json.dumps(answer))
            (aws / "config").write_text(f"[profile p]\ncredential_process = cat {aws}/answer\n")
        elif source == "role":
            (aws / "config").write_text(f"[profile p]\nrole_arn = {ROLE}\nsource_profile = base\n")
            (aws / "credentials").write_text(f"[base]\n{keys}")
            asked = ["AssumeRole"]
        else:  # credentials-09
            settings = {"fs.s3a.access.key": KEYS.key_id, "fs.s3a.secret.key": KEYS.secret,
                        "s3.assume-role.arn": ROLE, "fs.s3a.assumed.role.sts.endpoint": issuer.endpoint}
            asked = ["AssumeRole"]
    works(program.with_variables(variables).with_settings(settings), place)
    assert issuer.asked == asked


def test_a_role_signs_every_request_of_a_job_with_checkpoints(program, place, endpoint, issuer, proxy):
    """credentials-09: data, log and checkpoints alike; the key itself may do nothing but assume the role."""
    settings = {"fs.s3a.access.key": KEYS.key_id, "fs.s3a.secret.key": KEYS.secret, "fs.s3a.assumed.role.arn": ROLE,
                "fs.s3a.assumed.role.sts.endpoint": issuer.endpoint, "fs.s3a.assumed.role.session.duration": "900"}
    program.with_settings(settings).with_arguments("--state-dir", place.uri("state")).succeed(
        delta_table(place.uri("t")) + VALUES)
    assert issuer.asked == ["AssumeRole"]
    assert {head.get("x-amz-security-token") for head in proxy.requests} == {TOKEN.format(1)}
    assert read_deltalake(place.uri("t"), endpoint, KEYS) == [{"c1": "a", "c2": 42}]


def test_the_order_of_the_sources(program, place, issuer, tmp_path):
    """credentials-06: what is nearer to the person wins."""
    with Issuer(KEYS) as far:
        worse = {**container(far), **instance(far)}
        works(program.with_variables({**worse, **web_identity(issuer, tmp_path)}), place, "web")
        assert issuer.asked == ["AssumeRoleWithWebIdentity"]
        near = {"AWS_ACCESS_KEY_ID": KEYS.key_id, "AWS_SECRET_ACCESS_KEY": KEYS.secret,
                "AWS_SESSION_TOKEN": issuer._issue()["token"]}
        works(program.with_variables({**worse, **web_identity(far, tmp_path), **near}), place, "variables")
        assert far.asked == []


def test_a_failing_web_identity_is_the_end(program, place, issuer, tmp_path):
    """credentials-06: the machine's own role is not taken instead."""
    with Issuer(KEYS) as refusing:
        refusing.refuses = True
        done = program.with_variables({**instance(issuer), **web_identity(refusing, tmp_path)}).run(
            json_table(place.uri("t")) + VALUES)
    assert "AWS credentials could not be got from web identity: AssumeRoleWithWebIdentity at " in done.error
    assert issuer.asked == []
    assert place.files() == {}
    assert done.seconds < 10


def slow_script(place) -> str:
    """A few seconds with a commit each half second."""
    return ("SET 'execution.checkpointing.interval' = '500 ms';\n"
            + "CREATE TABLE g (c2 INT) WITH ('connector' = 'datagen', 'number-of-rows' = "
            f"'{SLOW_ROWS}', 'rows-per-second' = '10', 'fields.c2.kind' = 'sequence', 'fields.c2.start' = '0', "
            f"'fields.c2.end' = '{SLOW_ROWS - 1}');\n"
            + delta_table(place.uri("t"), "c2 INT") + "INSERT INTO t SELECT c2 FROM g;")


def check_slow(place) -> None:
    found = read_deltalake(place.uri("t"), place.endpoint, KEYS)
    assert sorted(row["c2"] for row in found) == list(range(SLOW_ROWS))


@pytest.mark.parametrize("source", [container, instance])
def test_short_lived_keys_are_renewed_before_they_expire(program, place, issuer, proxy, source):
    issuer.lifetime = 3
    done = program.with_variables(source(issuer)).succeed(slow_script(place))
    check_slow(place)
    assert 2 <= len(issuer.expirations) <= 6, issuer.asked
    assert all(head.time < issuer.expirations[head.get("x-amz-security-token")] for head in proxy.requests)
    assert "ExpiredToken" not in done.errors


def test_keys_are_kept_while_no_others_are_given(program, place, issuer, proxy):
    """credentials-04: the renewal fails, the old keys are still good, and nothing else is taken instead."""
    issuer.lifetime = 7.6  # to be renewed after 5.7 s of more than 6
    with Issuer(KEYS) as other:
        def refusing_after_the_first(exchange) -> None:
            issuer.refuses = True
            issuer.required()(exchange)
        proxy.heal()
        proxy.add(Rule(refusing_after_the_first))
        program.with_variables({**container(issuer), **instance(other)}).succeed(slow_script(place))
        assert other.asked == []
    check_slow(place)
    assert issuer.asked == ["/container"] * 2
    assert {head.get("x-amz-security-token") for head in proxy.requests} == {TOKEN.format(1)}


def test_keys_that_the_store_calls_expired_are_renewed_once(bare, place, issuer, proxy):
    """credentials-03: the store decides, whatever the keys say of themselves."""
    proxy.add(Rule(answering(400, "ExpiredToken"), nth=(12,)), Rule(issuer.required()))
    program = bare.with_settings({"s3.endpoint": proxy.endpoint}).with_variables(container(issuer))
    program.succeed(slow_script(place))
    check_slow(place)
    assert sum(count for (name, _), count in proxy.done.items() if name == "answering 400 ExpiredToken") == 1
    assert len(issuer.expirations) == 2


def test_a_profile_that_changes_is_read_again(bare, place, proxy, tmp_path):
    """credentials-05: the job goes on with what the file says now."""
    aws, path = tmp_path / ".aws", tmp_path / ".aws" / "credentials"
    aws.mkdir()

    def write(token: str) -> None:
        path.write_text(f"[default]\naws_access_key_id = {KEYS.key_id}\naws_secret_access_key = {KEYS.secret}\n"
                        f"aws_session_token = {token}\n")

    write(TOKEN.format("old"))
    changed = []

    def rotating(exchange) -> None:
        if not changed and exchange.key.endswith("3.json") and exchange.operation == "conditional-put":
            write(TOKEN.format("new"))
            changed.append(time.time())
        if changed:
            requires_token(KEYS, TOKEN.format("new"))(exchange)
        else:
            signed_again(exchange, KEYS)
            exchange.pass_on()
    proxy.add(Rule(rotating))
    bare.with_settings({"s3.endpoint": proxy.endpoint}).succeed(slow_script(place))
    assert changed
    check_slow(place)
    after = [head for head in proxy.requests if head.time > changed[0] + 0.5]
    assert after and {head.get("x-amz-security-token") for head in after} == {TOKEN.format("new")}


def test_a_public_bucket_needs_no_keys_when_that_is_said(bare, place, proxy):
    place.store.put(place.key("t/rows"), b'{"c1":"a","c2":42}\n')

    def anonymous(exchange) -> None:
        assert exchange.request.get("Authorization") is None
        signed_again(exchange, KEYS)
        exchange.pass_on()
    proxy.add(Rule(anonymous))
    done = bare.with_settings({"s3.endpoint": proxy.endpoint, "fs.s3a.aws.credentials.provider":
                               "org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider"}).succeed(
        "SET 'sql-client.execution.result-mode' = 'tableau';\n" + json_table(place.uri("t")) + "SELECT * FROM t;")
    assert "1 row" in done.output
