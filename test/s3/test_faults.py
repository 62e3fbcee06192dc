"""Fault by operation, as the table of src/lakeward/fs/s3/README.md has it.

Each job first makes contact by a small table, so that the faults meet a store that is known to be right; what comes
before the first contact is in test_first_contact.py.
"""

import json
from dataclasses import dataclass
from typing import Callable

import pytest

from conftest import KEYS
from fault_proxy import Rule
from faults import (answering, cut_body, delay, drip, drop, error_in_200, lost_answer, lost_in_500, reset, stall)
from readers_on_s3 import read_deltalake
from tables import VALUES, delta_table, generated, json_table

SECONDS_MAX = 20
ROWS = 60_000  # two parts of 5 MB at most
BIG = "id BIGINT, s STRING"
SETTINGS = {"fs.s3a.connection.timeout": "2 s", "fs.s3a.retry.interval": "20 ms", "fs.s3a.multipart.size": "5mb",
            "parallelism.default": "1"}


def check_lines(place) -> None:
    assert place.lines("t/") == ['{"c1":"a","c2":42}']


def check_delta(place) -> None:
    assert read_deltalake(place.uri("t"), place.endpoint, KEYS) == [{"c1": "a", "c2": 42}]
    assert list(place.files("t/_delta_log/")) == [f"{version:020}.json" for version in (0, 1)]


def check_big(place) -> None:
    assert sorted(json.loads(line)["id"] for line in place.lines("t/")) == list(range(ROWS))


def check_copy(place) -> None:
    assert sorted(place.lines("copy/")) == [f'{{"c1":"{i}","c2":{i}}}' for i in range(3)]


@dataclass(frozen=True)
class Work:
    """What brings an operation about, and what must be there afterwards."""
    operation: str
    key: str
    script: Callable
    check: Callable
    has_state: bool = False
    nth: int = 1


def insert_lines(place) -> str:
    return json_table(place.uri("t")) + VALUES


def insert_delta(place) -> str:
    return delta_table(place.uri("t")) + VALUES


def insert_big(place) -> str:
    return generated(ROWS) + json_table(place.uri("t"), BIG) + "INSERT INTO t SELECT * FROM g;"


def copy_lines(place) -> str:
    for i in range(3):
        place.store.put(place.key(f"t/{i}"), f'{{"c1":"{i}","c2":{i}}}\n'.encode())
    return (json_table(place.uri("t")) + json_table(place.uri("copy"), name="copy_of_it")
            + "INSERT INTO copy_of_it SELECT * FROM t;")


def check_checkpoints(place) -> None:
    check_lines(place)
    assert any(name.endswith("_metadata") for name in place.files("state/"))


WORKS = {
    "put of an intent": Work("put", "/intent/", insert_lines, check_checkpoints, has_state=True),
    "conditional put of a checkpoint": Work(
        "conditional-put", "_metadata$", insert_lines, check_checkpoints, has_state=True),
    "conditional put of a data file": Work("conditional-put", "parquet$", insert_delta, check_delta),
    "conditional put of a log entry": Work("conditional-put", "t/_delta_log/0*1.json", insert_delta, check_delta),
    "conditional put of the first log entry": Work(
        "conditional-put", "t/_delta_log/0*.json", insert_delta, check_delta),
    "begin of an upload": Work("create", "/t/", insert_lines, check_lines),
    "a part": Work("part", "/t/", insert_big, check_big),
    "the last part": Work("part", "/t/", insert_big, check_big, nth=2),
    "end of an upload": Work("complete", "/t/", insert_big, check_big),
    "end of an upload with state": Work("complete", "/t/", insert_lines, check_checkpoints, has_state=True),
    "look at what was made": Work("head", "/t/", insert_lines, check_checkpoints, has_state=True),
    "get of a range": Work("get", "/t/1", copy_lines, check_copy),
    "list of files": Work("list", "", copy_lines, check_copy, nth=1),
    "list of a log": Work("list", "", insert_delta, check_delta, nth=3),
    "get of a log entry": Work("get", "t/_delta_log/0*0.json", insert_delta, check_delta),
}
PASSING = {"drop": drop, "reset": reset, "lost answer": lost_answer, "500 after success": lost_in_500,
           "cut body": cut_body, "stall": stall, "delay": delay(1.0), "slow drip": drip(40, 0.02),
           "429": answering(429, "SlowDown"), "500": answering(500, "InternalError"), "502": answering(502),
           "503 SlowDown": answering(503, "SlowDown"), "empty 503": answering(503), "504": answering(504)}


def shown(work: Work, place) -> list:
    """The rows that others see."""
    if work.script is insert_delta:
        return read_deltalake(place.uri("t"), place.endpoint, KEYS) if place.files("t/_delta_log/") else []
    return place.lines("copy/" if work.script is copy_lines else "t/")


def run(work: Work, place, through, script: str):
    program = through.with_settings(SETTINGS)
    if work.has_state:
        program = program.with_arguments("--state-dir", place.uri("state"))
    warm_up = json_table(place.uri("first"), name="first_contact") + "INSERT INTO first_contact VALUES ('a', 1);\n"
    done = program.run(warm_up + script, timeout=60)
    assert done.seconds < SECONDS_MAX, done.errors
    return done


@pytest.mark.parametrize("fault", PASSING)
@pytest.mark.parametrize("work", WORKS)
def test_a_passing_fault_is_survived(work, fault, place, through, proxy):
    work, fault = WORKS[work], PASSING[fault]
    script = work.script(place)
    proxy.add(Rule(fault, (work.operation,), work.key, nth=(work.nth,)))
    done = run(work, place, through, script)
    assert done.code == 0, done.errors
    assert proxy.count(work.operation) == 1, "the fault did not happen"
    work.check(place)
    assert place.uploads() == []


@pytest.mark.parametrize("work", ["begin of an upload", "end of an upload"])
@pytest.mark.parametrize("is_done", [False, True], ids=["not done", "done"])
def test_an_error_inside_of_success_is_tried_again(work, is_done, place, through, proxy):
    work = WORKS[work]
    proxy.add(Rule(error_in_200("InternalError", is_done), (work.operation,), work.key, nth=(1, 2)))
    done = run(work, place, through, work.script(place))
    assert done.code == 0, done.errors
    assert proxy.count(work.operation) == 2
    work.check(place)
    assert place.uploads() == []


LASTING = {"reset": reset, "503": answering(503, "SlowDown"), "500": answering(500, "InternalError")}
ONCE_EACH = [name for name in WORKS if name not in ("the last part", "list of a log")]


@pytest.mark.parametrize("fault", LASTING)
@pytest.mark.parametrize("work", ONCE_EACH)
def test_a_lasting_fault_ends_the_job_within_the_budget(work, fault, place, through, proxy):
    """The job fails after the three tries that are allowed, shows nothing, and the same command works later."""
    work = WORKS[work]
    script = work.script(place)
    proxy.add(Rule(LASTING[fault], (work.operation,), work.key))
    program = through.with_settings({"fs.s3a.attempts.maximum": "3", "fs.s3a.retry.limit": "2"})
    done = run(work, place, program, script)
    assert "Cannot " in done.error and "s3://warehouse" in done.error
    assert "(tried 3 times)" in done.error
    assert shown(work, place) == [] or work.operation == "head"
    # A job with a state directory still owns its uploads: the checkpoint may be there although no answer came.
    assert work.has_state or place.uploads() == []
    proxy.heal()
    done = run(work, place, program, script)
    assert done.code == 0, done.errors
    work.check(place)
    assert place.uploads() == []


@pytest.mark.parametrize("work", ["begin of an upload", "conditional put of a log entry", "get of a range"])
def test_a_refusal_is_tried_twice(work, place, through, proxy):
    work = WORKS[work]
    script = work.script(place)
    proxy.add(Rule(answering(403, "AccessDenied"), (work.operation,), work.key))
    done = run(work, place, through, script)
    assert "AccessDenied" in done.error and "(tried 2 times)" in done.error
    assert done.seconds < 5
    assert place.uploads() == []


@pytest.mark.parametrize("work", ["begin of an upload", "conditional put of a log entry", "get of a range"])
def test_a_refusal_that_passes_is_survived(work, place, through, proxy):
    work = WORKS[work]
    script = work.script(place)
    proxy.add(Rule(answering(403, "AccessDenied"), (work.operation,), work.key, nth=(1,)))
    done = run(work, place, through, script)
    assert done.code == 0, done.errors
    work.check(place)
