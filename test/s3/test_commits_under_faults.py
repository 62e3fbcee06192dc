"""Conditional writes: nobody's commit is overwritten, nobody's row comes twice, whatever becomes of the answers."""

import json

import pytest

from conftest import KEYS
from fault_proxy import Rule
from faults import answering, drop, ignored_condition, lost_answer, lost_in_500
from readers_on_s3 import read_deltalake
from tables import VALUES, delta_table, json_table

LOG_ENTRY = r"t/_delta_log/\d+\.json$"
SINGLE_WRITER = ("Use a store or version that honours conditional writes, or, if only one job ever writes, set "
                 "'fs.s3a.single.writer' to true.")


def rows(place) -> list[tuple]:
    found = read_deltalake(place.uri("t"), place.endpoint, KEYS)
    return sorted((row["c1"], row["c2"]) for row in found)


def versions(place) -> list[int]:
    return sorted(int(name[:20]) for name in place.files("t/_delta_log/"))


@pytest.fixture
def table(place, lakeward) -> str:
    """A table with one commit: version 0."""
    lakeward.succeed(delta_table(place.uri("t")))
    return delta_table(place.uri("t"))


def overtaken(place, other, then=None):
    """Somebody else commits the same version first; then this request goes on."""
    def fault(exchange) -> None:
        other.succeed(delta_table(place.uri("t")) + "INSERT INTO t VALUES ('other', 1);")
        (then or type(exchange).pass_on)(exchange)
    fault.__name__ = "overtaken"
    return fault


def test_a_version_that_somebody_took_is_not_overwritten(table, place, lakeward, through, proxy):
    """delta-write-02, delta-write-03: the store alone decides, however late the answer to an old question is."""
    proxy.add(Rule(overtaken(place, lakeward), ("conditional-put",), LOG_ENTRY, nth=(1,)))
    through.succeed(table + VALUES)
    assert proxy.count() == 1
    assert versions(place) == [0, 1, 2]
    assert rows(place) == [("a", 42), ("other", 1)]


@pytest.mark.parametrize("loss", [drop, lost_answer, lost_in_500])
def test_a_version_that_somebody_took_after_a_lost_try_is_not_ours(table, place, lakeward, through, proxy, loss):
    """412 after a try without answer: the object is looked at, and it is not ours."""
    proxy.add(Rule(overtaken(place, lakeward, loss), ("conditional-put",), LOG_ENTRY, nth=(1,)))
    through.succeed(table + VALUES)
    assert proxy.count() == 1
    assert versions(place) == [0, 1, 2]
    assert rows(place) == [("a", 42), ("other", 1)]


@pytest.mark.parametrize("loss", [lost_answer, lost_in_500])
def test_a_version_that_we_took_without_hearing_of_it_is_ours(table, place, through, proxy, loss):
    proxy.add(Rule(loss, ("conditional-put",), LOG_ENTRY, nth=(1,)))
    through.succeed(table + VALUES)
    assert proxy.count() == 1
    assert versions(place) == [0, 1]
    assert rows(place) == [("a", 42)]


@pytest.mark.parametrize("times", [1, 3])
def test_a_conflict_is_tried_again_with_the_same_key(table, place, through, proxy, times):
    proxy.add(Rule(answering(409, "ConditionalRequestConflict"), ("conditional-put",), LOG_ENTRY,
                   nth=tuple(range(1, times + 1))))
    through.succeed(table + VALUES)
    assert proxy.count() == times
    assert versions(place) == [0, 1]
    assert rows(place) == [("a", 42)]
    assert {head.first_line.split()[1] for head in proxy.requests if "_delta_log/0" in head.first_line
            and head.first_line.startswith("PUT")} == {f"/warehouse/{place.key('t/_delta_log/')}{1:020}.json"}


@pytest.mark.parametrize("kind", ["new table", "table that is there"])
def test_a_store_that_ignores_the_condition_is_refused(place, lakeward, through, proxy, kind):
    if kind != "new table":
        lakeward.succeed(delta_table(place.uri("t")))
    before = place.files()
    proxy.add(Rule(ignored_condition(KEYS), ("conditional-put",)))
    done = through.run(delta_table(place.uri("t")) + VALUES)
    cause, _, remedy = done.error.partition("\n")
    assert cause.endswith(": the store ignores 'If-None-Match: *', without which two writers overwrite each other's "
                          "commits")
    assert remedy == SINGLE_WRITER
    assert proxy.count() == 2
    assert place.files() == before
    assert done.seconds < 10


def test_a_store_without_the_condition_serves_a_single_writer_who_says_so(place, through, proxy):
    proxy.add(Rule(ignored_condition(KEYS), ("conditional-put",)))
    program = through.with_settings({"fs.s3a.single.writer": "true"})
    done = program.succeed(delta_table(place.uri("t")) + VALUES)
    assert done.errors.count("ignores If-None-Match; fs.s3a.single.writer allows that") == 1
    assert rows(place) == [("a", 42)]


def test_a_store_that_does_not_know_the_condition_is_refused(place, through, proxy):
    proxy.add(Rule(answering(501, "NotImplemented"), ("conditional-put",)))
    done = through.run(delta_table(place.uri("t")) + VALUES)
    assert "the store does not know 'If-None-Match'" in done.error
    assert "'fs.s3a.single.writer'" in done.error
    assert place.files() == {}


def test_files_need_no_condition(place, through, proxy):
    """What no two writers share is written without it."""
    proxy.add(Rule(answering(501, "NotImplemented"), ("conditional-put",)))
    through.succeed(json_table(place.uri("t")) + VALUES)
    assert [json.loads(line) for line in place.lines("t/")] == [{"c1": "a", "c2": 42}]
