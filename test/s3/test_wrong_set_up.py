"""Every wrong set-up is told within seconds by one message: the cause, where the setting comes from, the remedy.

The messages are compared whole. A script that would make files, one that would make a Delta table and one that would
read are tried each; none leaves anything behind.
"""

import re

import pytest

from certificates import make_certificate
from conftest import BUCKET, KEYS, READER
from fault_proxy import FaultProxy, Rule
from faults import answering, other_region, plain_text, requires_token, stall
from plain_s3 import Keys
from tables import VALUES, delta_table, json_table

SECONDS_MAX = 10
KEY, ENDPOINT, STYLE, REGION = "-D s3.access-key", "-D s3.endpoint", "-D s3.path-style-access", "-D s3.region"
SECRET_OF_NOBODY = "never-shown-4b1f0c9e"
OLD_TOKEN = "never-shown-c0de77aa"
STYLE_REMEDY = (f"Path style is off ({STYLE}), so requests went to the host http://warehouse.localhost:<PORT>. Most "
                "stores want 'fs.s3a.path.style.access' set to true.")
KINDS = ["filesystem", "delta", "select"]


@pytest.fixture
def script(kind, place):
    def make(uri: str = "") -> str:
        uri = uri or place.uri("t")
        return {"filesystem": json_table(uri) + VALUES, "delta": delta_table(uri) + VALUES,
                "select": json_table(uri) + "SELECT * FROM t;"}[kind]
    return make


@pytest.fixture
def told(script, place):
    """Runs a script that cannot work and gives what is said after "Cannot <do something>: "."""
    def tell(program, uri: str = "") -> str:
        done = program.run(script(uri), timeout=60)
        assert done.seconds < SECONDS_MAX, done.errors
        assert place.files() == {}
        assert place.uploads() == []
        assert OLD_TOKEN not in done.errors and SECRET_OF_NOBODY not in done.errors
        action, colon, cause = done.error.partition(": ")
        while not action.startswith("Cannot "):
            assert colon, done.error
            action, colon, cause = cause.partition(": ")
        assert BUCKET in action or "no-such-bucket" in action
        return cause
    return tell


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.mark.parametrize("kind", KINDS)
def test_no_credentials(bare, endpoint, told, tmp_path):
    program = bare.with_settings({"s3.endpoint": endpoint})
    metadata = {"AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:1"}
    chain = ("No AWS credentials were found. configuration (temporary keys): fs.s3a.access.key and fs.s3a.secret.key "
             "are not set; configuration: fs.s3a.access.key and fs.s3a.secret.key are not set; environment: "
             "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set; web identity: AWS_WEB_IDENTITY_TOKEN_FILE is "
             f"not set; profile: no profile 'default' in '{tmp_path}/.aws/credentials' or '{tmp_path}/.aws/config'; "
             "container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and _FULL_URI are not set; instance metadata: ")
    remedy = ("\nSet 'fs.s3a.access.key' and 'fs.s3a.secret.key', or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for "
              "public buckets set 'fs.s3a.aws.credentials.provider' to AnonymousAWSCredentialsProvider.")
    assert told(program) == chain + "switched off by AWS_EC2_METADATA_DISABLED" + remedy
    said = told(program.with_variables(metadata))
    assert said.startswith(chain) and "127.0.0.1:<PORT>" in said.removeprefix(chain) and said.endswith(remedy)


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_key_id(lakeward, told):
    assert told(lakeward.with_keys(Keys("nobody", SECRET_OF_NOBODY))) == (
        f"the store at http://127.0.0.1:<PORT> does not know the access key (credentials from {KEY}): "
        "InvalidAccessKeyId: The access key ID you provided does not exist in our records. (HTTP status 403), "
        "request id <ID> (tried 2 times)\nCorrect 'fs.s3a.access.key', or check 'fs.s3a.endpoint'.")


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_secret(lakeward, told):
    assert told(lakeward.with_keys(Keys(KEYS.key_id, SECRET_OF_NOBODY))) == (
        f"the secret key does not fit the access key (credentials from {KEY}): SignatureDoesNotMatch: The request "
        "signature we calculated does not match the signature you provided. Check your key and signing method. "
        "(HTTP status 403), request id <ID> (tried 2 times)\nCorrect 'fs.s3a.secret.key'.")


@pytest.mark.parametrize("kind", KINDS)
def test_missing_bucket(lakeward, told):
    assert told(lakeward, "s3a://no-such-bucket/t") == (
        f"the store at http://127.0.0.1:<PORT> has no bucket 'no-such-bucket' ('fs.s3a.endpoint' comes from "
        f"{ENDPOINT}): NoSuchBucket: The specified bucket does not exist (HTTP status 404), request id <ID> (tried 2 times)\n"
        "Create the bucket, or correct its name or the endpoint.")


@pytest.mark.parametrize("kind", KINDS)
def test_endpoint_that_refuses_connections(lakeward, told):
    assert told(lakeward.with_settings({"s3.endpoint": "http://127.0.0.1:1"})) == (
        f"nobody listens at http://127.0.0.1:<PORT> ('fs.s3a.endpoint' comes from {ENDPOINT}) (tried 2 times)\n"
        "Start the store there, or set 'fs.s3a.endpoint' to its address.")


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_host(lakeward, told):
    assert told(lakeward.with_settings({"s3.endpoint": "http://s3.test.invalid"})) == (
        f"the host of http://s3.test.invalid is unknown ('fs.s3a.endpoint' comes from {ENDPOINT}) (tried 2 times)\n"
        "Set 'fs.s3a.endpoint' to the store's address.")


@pytest.mark.parametrize("kind", KINDS)
def test_path_style_off_where_there_are_no_bucket_hosts(lakeward, told, endpoint, kind):
    port = endpoint.rpartition(":")[2]
    cause, _, remedy = told(lakeward.with_settings(
        {"s3.endpoint": f"http://localhost:{port}", "s3.path-style-access": "false"})).partition("\n")
    if kind != "select":
        assert cause == ("the store at http://warehouse.localhost:<PORT> has no bucket 'warehouse' ('fs.s3a.endpoint' "
                         f"comes from {ENDPOINT}): NoSuchBucket: The specified bucket does not exist (HTTP status "
                         "404), request id <ID> (tried 2 times)")
        assert remedy == STYLE_REMEDY
    else:
        assert cause == "the answer is no listing of a bucket but <ListAllMyBucketsResult>"
        assert remedy == STYLE_REMEDY.replace("requests went to the host", "the request went to")


@pytest.mark.parametrize("kind", KINDS)
def test_empty_503_behind_a_bucket_host_names_path_style(lakeward, told):
    with FaultProxy("", Rule(answering(503))) as store:
        assert told(lakeward.with_settings(
            {"s3.endpoint": f"http://localhost:{store.port}", "s3.path-style-access": "false"})) == (
            f"http://warehouse.localhost:<PORT> answered HTTP status 503 (tried 2 times)\n{STYLE_REMEDY}")


@pytest.mark.parametrize("kind", KINDS)
def test_tls_against_plain_http(lakeward, told, endpoint):
    program = lakeward.with_settings({"s3.endpoint": endpoint.replace("http:", "https:")})
    cause, _, remedy = told(program).partition("\n")
    assert cause.startswith("https://127.0.0.1:<PORT> does not speak TLS: ")
    assert cause.endswith(f"('fs.s3a.endpoint' comes from {ENDPOINT}) (tried 2 times)")
    assert remedy == "If the store speaks plain HTTP write 'http://' before the endpoint."


@pytest.mark.parametrize("kind", KINDS)
def test_plain_http_against_tls(lakeward, told, certificate):
    with FaultProxy("", tls=certificate) as store:
        cause, _, remedy = told(lakeward.with_settings(
            {"s3.endpoint": store.endpoint.replace("https:", "http:")})).partition("\n")
    assert "http://127.0.0.1:<PORT>" in cause
    assert remedy == "If the store speaks TLS write 'https://' before the endpoint."


@pytest.mark.parametrize("kind", KINDS)
def test_plain_http_against_tls_that_says_so(lakeward, told):
    with FaultProxy("", Rule(plain_text(400, "Client sent an HTTP request to an HTTPS server.\n"))) as store:
        assert told(lakeward.with_settings({"s3.endpoint": store.endpoint})) == (
            f"http://127.0.0.1:<PORT> speaks TLS and was asked without ('fs.s3a.endpoint' comes from {ENDPOINT})\n"
            "Write 'https://' before the endpoint.")


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_certificate_authority(lakeward, told, endpoint, certificate):
    with FaultProxy(endpoint, tls=certificate) as store:
        cause, _, remedy = told(lakeward.with_settings({"s3.endpoint": store.endpoint})).partition("\n")
        assert cause.startswith("the certificate of https://127.0.0.1:<PORT> is not trusted: ")
        assert cause.endswith(f"('fs.s3a.endpoint' comes from {ENDPOINT})")
        assert remedy == "Set 'fs.s3a.ssl.ca.file' to a PEM file with the store's certificate authority."


def test_own_certificate_authority_is_trusted_when_named(lakeward, place, endpoint, certificate):
    with FaultProxy(endpoint, tls=certificate) as store:
        program = lakeward.with_settings({"s3.endpoint": store.endpoint})
        program.with_settings({"fs.s3a.ssl.ca.file": certificate[0]}).succeed(json_table(place.uri("a")) + VALUES)
        program.with_variables({"AWS_CA_BUNDLE": certificate[0]}).succeed(json_table(place.uri("b")) + VALUES)
        assert store.seen["complete"] == 2
        # The connection is safe, so the bodies need no hash.
        assert {head.get("x-amz-content-sha256") for head in store.requests} == {"UNSIGNED-PAYLOAD"}
    assert place.lines("a/") == place.lines("b/") == ['{"c1":"a","c2":42}']


@pytest.mark.parametrize("kind", KINDS)
def test_certificate_authority_that_is_no_file(lakeward, told, endpoint, certificate):
    with FaultProxy(endpoint, tls=certificate) as store:
        remedy = told(lakeward.with_settings(
            {"s3.endpoint": store.endpoint, "fs.s3a.ssl.ca.file": "/nowhere/ca.pem"})).partition("\n")[2]
        assert remedy == "'fs.s3a.ssl.ca.file' is '/nowhere/ca.pem'; it must be a PEM file that can be read."


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_region_of_a_store_that_does_not_say_which(lakeward, told, endpoint):
    with FaultProxy(endpoint, Rule(other_region(KEYS, "eu-west-9", says_region=False))) as store:
        program = lakeward.with_settings({"s3.endpoint": store.endpoint, "s3.region": "us-west-7"})
        assert told(program) == (
            f"bucket '{BUCKET}' is not in the region 'us-west-7' that was asked: PermanentRedirect: the region is "
            f"wrong (HTTP status 301), request id <ID>\nSet 'fs.s3a.endpoint.region' (now from {REGION}) and the endpoint to "
            "the bucket's region.")


@pytest.mark.parametrize("kind", ["filesystem", "delta"])
def test_no_permission_to_write(lakeward, told, kind):
    cause, _, requests = told(lakeward.with_keys(READER)).partition("\nThe last requests:\n")
    assert cause == (
        f"the store refused (credentials from {KEY}): AccessDenied: Access Denied. (HTTP status 403), "
        "request id <ID> (tried 2 times)\nHave this right granted to these credentials, or use others.")
    # Only the Delta table has been read before: the store had answered.
    lines = requests.splitlines()
    assert bool(lines) == (kind == "delta")
    form = re.compile(r"  \d\d:\d\d:\d\d\.\d{3}Z #\d+ (HEAD|GET|PUT) s3://\S+ try [12]: (404|200|403) in \d+ ms, \d+ bytes up, ")
    assert not [line for line in lines if not form.match(line)]
    assert sum("try 2: 403" in line for line in lines) == len(lines[:1])


@pytest.mark.parametrize("kind", KINDS)
def test_expired_token(lakeward, told, endpoint):
    with FaultProxy(endpoint, Rule(requires_token(KEYS, "another"))) as store:
        program = lakeward.with_settings({"s3.endpoint": store.endpoint, "s3.session-token": OLD_TOKEN})
        assert told(program) == (
            f"the session token has expired or is unknown (credentials from {KEY}): ExpiredToken: The provided token "
            "has expired. (HTTP status 400), request id <ID> (tried 2 times)\nGet new temporary credentials and set them, "
            "or let them come from a source that renews them: a role, a profile, web identity.")
        assert store.count() >= 2


@pytest.mark.parametrize("kind", KINDS)
def test_store_that_never_answers(lakeward, told):
    with FaultProxy("", Rule(stall)) as store:
        cause = told(lakeward.with_settings({"s3.endpoint": store.endpoint}))
        assert cause.startswith("no whole answer from http://127.0.0.1:<PORT>: ")


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_scheme(lakeward, script, kind):
    done = lakeward.run(script("s4://warehouse/t"))
    assert done.seconds < SECONDS_MAX
    lines = done.error.splitlines()
    assert lines[0] == "No file system for 's4://' (in 's4://warehouse/t')"
    assert ("Use one of file://, memory://, s3://, s3a://, s3n://, s3p://, or a plain path for local files.") in lines


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_else_is_printed(lakeward, script, kind):
    """One message: not a warning of the same before it."""
    done = lakeward.with_settings({"s3.endpoint": "http://127.0.0.1:1"}).run(script())
    assert done.errors.startswith("[ERROR]"), done.errors
