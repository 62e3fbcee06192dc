"""Faults of what clears away: old checkpoints, and uploads that a killed program left."""

import json

import pytest

from fault_proxy import Rule
from faults import answering, error_in_200, lost_in_500, reset
from tables import VALUES, json_table
from test_faults import PASSING, SETTINGS

ROWS = 12
SECONDS_MAX = 20
ONE_BY_ONE = {"fs.s3a.multiobjectdelete.enable": "false"}


def checkpointed_script(place) -> str:
    """About a second with a checkpoint each tenth; each but the last is cleared away."""
    return ("SET 'execution.checkpointing.interval' = '100 ms';\nCREATE TABLE g (c2 INT) WITH ('connector' = 'datagen', "
            f"'number-of-rows' = '{ROWS}', 'rows-per-second' = '10', 'fields.c2.kind' = 'sequence', "
            f"'fields.c2.start' = '0', 'fields.c2.end' = '{ROWS - 1}');\n"
            + json_table(place.uri("t"), "c2 INT") + "INSERT INTO t SELECT c2 FROM g;")


def check(place) -> None:
    assert sorted(json.loads(line)["c2"] for line in place.lines("t/")) == list(range(ROWS))
    assert place.uploads() == []


def checkpoints(place) -> int:
    return sum(name.endswith("_metadata") for name in place.files("state/"))


@pytest.mark.parametrize("fault", PASSING)
@pytest.mark.parametrize("operation", ["delete-many", "delete"])
def test_a_passing_fault_of_removing_is_survived(place, through, proxy, operation, fault):
    proxy.add(Rule(PASSING[fault], (operation,), nth=(2,)))
    program = through.with_settings({**SETTINGS, **(ONE_BY_ONE if operation == "delete" else {})})
    done = program.with_arguments("--state-dir", place.uri("state")).succeed(checkpointed_script(place))
    assert proxy.count(operation) == 1
    assert done.seconds < SECONDS_MAX
    check(place)
    assert checkpoints(place) == 1


def test_an_error_inside_of_success_when_removing_is_tried_again(place, through, proxy):
    proxy.add(Rule(error_in_200("InternalError"), ("delete-many",), nth=(1, 2)))
    through.with_settings(SETTINGS).with_arguments("--state-dir", place.uri("state")).succeed(
        checkpointed_script(place))
    assert proxy.count() == 2
    check(place)
    assert checkpoints(place) == 1


@pytest.mark.parametrize("operation", ["delete-many", "delete"])
def test_a_job_that_may_not_remove_goes_on(place, through, proxy, operation):
    """What cannot be cleared away stays, and that is told; the rows are there."""
    proxy.add(Rule(answering(403, "AccessDenied"), (operation,)))
    program = through.with_settings({**SETTINGS, **(ONE_BY_ONE if operation == "delete" else {})})
    done = program.with_arguments("--state-dir", place.uri("state")).succeed(checkpointed_script(place))
    assert "AccessDenied" in done.errors
    check(place)
    assert checkpoints(place) > 1


@pytest.mark.parametrize("fault", PASSING)
@pytest.mark.parametrize("operation", ["list-uploads", "abort"])
def test_uploads_of_a_killed_program_are_given_up_in_spite_of_a_passing_fault(place, lakeward, through, proxy,
                                                                              operation, fault):
    script = json_table(place.uri("t")) + VALUES
    state = ("--state-dir", place.uri("state"))
    killed = lakeward.with_arguments(*state).with_variables({"LAKEWARD_CRASH_POINT": "sink.after-file-close:1"})
    assert killed.run(script).code == -9
    assert len(place.uploads()) == 1
    proxy.add(Rule(PASSING[fault], (operation,), nth=(1,)))
    same = through.with_settings(SETTINGS).with_arguments(*state)
    # The job is told by its script's name and statements: the same command again.
    done = same.succeed(script)
    assert proxy.count(operation) == 1
    assert done.seconds < SECONDS_MAX
    assert place.lines("t/") == ['{"c1":"a","c2":42}']
    assert place.uploads() == []


def test_a_store_that_is_silent_for_a_job_is_not_asked_to_clear_away(place, through, proxy):
    """Another job has reached it before, so each question would cost the whole budget of tries."""
    proxy.add(Rule(reset, ("create", "list-uploads", "abort"), "/u/"))
    done = through.with_settings({"fs.s3a.attempts.maximum": "3", "fs.s3a.retry.limit": "2"}).run(
        json_table(place.uri("t")) + VALUES + json_table(place.uri("u"), name="u") + VALUES.replace(" t ", " u "))
    assert "(tried 3 times)" in done.error
    assert proxy.count("create") == 3
    assert not proxy.seen["list-uploads"] and not proxy.seen["abort"]
    assert "WARN" not in done.errors
    assert place.lines("t/") == ['{"c1":"a","c2":42}']


def test_a_refused_job_asks_for_nothing_to_clear_away(place, through, proxy):
    proxy.add(Rule(answering(403, "AccessDenied"), ("create",)))
    done = through.run(json_table(place.uri("t")) + VALUES)
    assert "AccessDenied" in done.error
    assert not proxy.seen["list-uploads"] and "WARN" not in done.errors


def test_uploads_that_may_have_begun_are_given_up_before_any_success(place, through, proxy):
    """The store does it and a gateway says 500, from the very first request on."""
    proxy.add(Rule(lost_in_500, ("create",)))
    done = through.with_settings({"fs.s3a.attempts.maximum": "3", "fs.s3a.retry.limit": "2"}).run(
        json_table(place.uri("t")) + VALUES)
    assert "(tried 3 times)" in done.error
    assert proxy.count("create") == 3
    assert place.uploads() == []
