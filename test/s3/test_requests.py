"""What the program sends: forms that every store takes, every legal key, listings that stores get wrong."""

import re
import xml.sax.saxutils

import pytest

from conftest import BUCKET, KEYS
from fault_proxy import Rule
from faults import delay, message
from readers_on_s3 import read_deltalake
from tables import VALUES, delta_table, generated, json_table

BIG = "id BIGINT, s STRING"
LINE = '{"c1":"a","c2":42}'
KEY_PARTS = ["+plus", "at@", "eq=ual", "sp ace", "per%cent", "per%20cent", "h#ash", "quest?ion", "a&b", "c;d", "e:f",
             "g,h", "i!j", "k*l", "m(n)", "$dollar", "~tilde", "é", "日本", "sp ace+plus&%"]


def quoted(uri: str) -> str:
    return uri.replace("'", "''")


def test_requests_are_plain(place, endpoint, through, proxy):
    """s3-config-13, -15, -32: a length before each body, nothing chunked, nothing awaited, no checksums unasked."""
    through.with_settings({"fs.s3a.multipart.size": "5mb"}).with_arguments("--state-dir", place.uri("state")).succeed(
        delta_table(place.uri("t"), BIG) + json_table(place.uri("j"), BIG, "j") + generated(60_000)
        + "INSERT INTO t SELECT * FROM g; INSERT INTO j SELECT * FROM g;")
    assert proxy.seen["part"] >= 2 and proxy.seen["conditional-put"] and proxy.seen["list"]
    for head in proxy.requests:
        for name in ("Expect", "Transfer-Encoding", "Content-Encoding", "x-amz-trailer",
                     "x-amz-sdk-checksum-algorithm", "x-amz-decoded-content-length"):
            assert head.get(name) is None, head
        assert re.fullmatch("[0-9a-f]{64}", head.get("x-amz-content-sha256"))
        if head.first_line.split()[0] in ("PUT", "POST"):
            assert re.fullmatch("[0-9]+", head.get("Content-Length") or ""), head
    assert not any(b"chunk-signature" in place.store.get(key)[:200] for key in place.store.keys_below(place.prefix))
    assert len(read_deltalake(place.uri("t"), endpoint, KEYS)) == 60_000


def test_connections_are_used_again(place, through, proxy):
    through.with_settings({"parallelism.default": "1"}).succeed(
        json_table(place.uri("t")) + VALUES * 10)
    assert sum(proxy.seen.values()) >= 40
    assert proxy.connections <= 3


@pytest.mark.parametrize("part", KEY_PARTS)
def test_every_legal_key(place, endpoint, lakeward, part):
    """s3-config-19, -20: written, listed, read and conditionally written under the very name."""
    lakeward.succeed(json_table(quoted(place.uri(f"{part}/j"))) + VALUES)
    assert all(name.startswith("part-") for name in place.files(f"{part}/j/"))
    assert place.lines(f"{part}/j/") == [LINE]
    lakeward.succeed(json_table(quoted(place.uri(f"{part}/j")))
                     + json_table(quoted(place.uri(f"{part}/copy")), name="c")
                     + delta_table(quoted(place.uri(f"{part}/d")), name="d")
                     + "INSERT INTO c SELECT * FROM t; INSERT INTO d SELECT * FROM t;")
    assert place.lines(f"{part}/copy/") == [LINE]
    assert sorted(name.partition("/")[2] for name in place.files(f"{part}/d/") if name.startswith("_delta_log")) == [
        f"{version:020}.json" for version in (0, 1)]


def test_partitions_with_every_legal_value(place, endpoint, lakeward):
    values = [*KEY_PARTS, "sl/ash", "quo''te", 'dou"ble', "back\\slash"]
    rows = ", ".join(f"('{value}', {i})" for i, value in enumerate(values))
    table = delta_table(place.uri("t")).replace(") WITH", ") PARTITIONED BY (c1) WITH")
    lakeward.succeed(table + f"INSERT INTO t VALUES {rows};")
    found = read_deltalake(place.uri("t"), endpoint, KEYS)
    assert {row["c2"]: row["c1"] for row in found} == {i: value.replace("''", "'") for i, value in enumerate(values)}
    lakeward.succeed(table + json_table(place.uri("copy"), name="c") + "INSERT INTO c SELECT * FROM t;")
    assert len(place.lines("copy/")) == len(values)


def test_a_listing_of_many_pages(place, through, proxy):
    """s3-config-21: prefixes and tokens with spaces, 25 objects, ten a page."""
    for i in range(25):
        place.store.put(place.key(f"a b/t/{i} +"), f'{{"c1":"{i}","c2":{i}}}\n'.encode())
    through.with_settings({"fs.s3a.paging.maximum": "10"}).succeed(
        json_table(place.uri("a b/t")) + json_table(place.uri("copy"), name="c") + "INSERT INTO c SELECT * FROM t;")
    assert sorted(place.lines("copy/")) == sorted(f'{{"c1":"{i}","c2":{i}}}' for i in range(25))
    assert proxy.seen["list"] >= 3


def listing(place, names: list[str], is_truncated: bool, token: str = "") -> bytes:
    contents = "".join(f"<Contents><Key>{xml.sax.saxutils.escape(place.key(name))}</Key><Size>19</Size>"
                       "<LastModified>2024-01-01T00:00:00.000Z</LastModified></Contents>" for name in names)
    return (f"<ListBucketResult><Name>{BUCKET}</Name><IsTruncated>{str(is_truncated).lower()}</IsTruncated>{contents}"
            + (f"<NextContinuationToken>{token}</NextContinuationToken>" if token else "")
            + "</ListBucketResult>").encode()


def copied(place, through, proxy, pages):
    """Lists t/ as `pages` (by the continuation token) have it, and copies what is listed."""
    for name in ("t/1", "t/2"):
        place.store.put(place.key(name), (LINE + "\n").encode())

    def pages_fault(exchange) -> None:
        exchange.answer(message(200, pages(exchange.query.get("continuation-token", ""))))
    proxy.add(Rule(pages_fault, ("list",)))
    return through.run(json_table(place.uri("t")) + json_table(place.uri("copy"), name="c")
                       + "INSERT INTO c SELECT * FROM t;", timeout=60)


def test_an_empty_last_page_is_normal(place, through, proxy):
    """s3-config-30: the store says that there is more, and then there is nothing."""
    done = copied(place, through, proxy, lambda token: listing(place, [], False) if token
                  else listing(place, ["t/1", "t/2"], True, "more"))
    assert done.code == 0, done.errors
    assert place.lines("copy/") == [LINE] * 2
    assert proxy.count("list") == 2


def test_repeated_keys_are_read_once(place, through, proxy):
    """s3-config-31: pages overlap."""
    done = copied(place, through, proxy, lambda token: listing(place, ["t/1", "t/2"], False) if token
                  else listing(place, ["t/1"], True, "more"))
    assert done.code == 0, done.errors
    assert place.lines("copy/") == [LINE] * 2


@pytest.mark.parametrize("token", ["same", ""])
def test_a_listing_that_never_ends_is_an_error(place, through, proxy, token):
    """s3-config-31: truncated for ever, with the same token or with none."""
    done = copied(place, through, proxy, lambda _: listing(place, ["t/1", "t/2"], True, token))
    assert "the store says that there is more after " in done.error
    assert proxy.count("list") < 5
    assert done.seconds < 10


def test_requests_are_signed_when_their_turn_comes(place, through, proxy):
    """s3-config-26: parts that waited for the one connection carry the time when they went out."""
    proxy.add(Rule(delay(1.5), ("part",)))
    through.with_settings({"fs.s3a.connection.maximum": "1", "fs.s3a.multipart.size": "5mb",
                           "parallelism.default": "1"}).succeed(
        generated(200_000) + json_table(place.uri("t"), BIG) + "INSERT INTO t SELECT * FROM g;")
    parts = [head for head in proxy.requests if "partNumber" in head.first_line]
    assert len(parts) >= 4
    assert parts[-1].time - parts[0].time > 4
    assert all(abs(head.signed_ago()) < 2 for head in parts), [head.signed_ago() for head in parts]


def test_a_body_is_not_held_back_for_a_permission(place, through, proxy):
    """s3-config-32: a store that never says 100 Continue gets 10 MB at once."""
    done = through.with_settings({"fs.s3a.connection.expect.continue": "true", "fs.s3a.multipart.size": "16mb",
                                  "parallelism.default": "1"}).succeed(
        generated(90_000) + json_table(place.uri("t"), BIG) + "INSERT INTO t SELECT * FROM g;")
    assert proxy.seen["part"] == 1
    assert done.seconds < 10
    assert len(place.lines("t/")) == 90_000
