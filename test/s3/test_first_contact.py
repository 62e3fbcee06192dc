"""Until the store has answered once, faults that may come of a wrong set-up are final soon; a busy store is not."""

import pytest

from fault_proxy import Rule
from faults import answering, drop, reset
from tables import VALUES, delta_table, json_table

BUSY = {"503": answering(503, "SlowDown"), "500": answering(500, "InternalError"), "429": answering(429, "SlowDown")}
ALL = {**BUSY, "drop": drop, "reset": reset, "empty 503": answering(503), "403": answering(403, "AccessDenied")}


@pytest.mark.parametrize("fault", ALL)
def test_a_passing_fault_at_the_first_request_is_survived(place, through, proxy, fault):
    proxy.add(Rule(ALL[fault], nth=(1,)))
    through.succeed(json_table(place.uri("t")) + VALUES)
    assert proxy.count() == 1
    assert place.lines("t/") == ['{"c1":"a","c2":42}']
    assert place.uploads() == []


@pytest.mark.parametrize("fault, tries", [("empty 503", 2), ("403", 2), ("drop", 4), ("reset", 4)])
def test_what_may_be_the_set_up_is_final_soon(place, through, proxy, fault, tries):
    proxy.add(Rule(ALL[fault]))
    done = through.run(json_table(place.uri("t")) + VALUES)
    assert f"(tried {tries} times)" in done.error
    assert proxy.count("create") == tries
    assert done.seconds < 6


@pytest.mark.parametrize("fault", BUSY)
def test_a_busy_store_gets_the_whole_budget(place, through, proxy, fault):
    proxy.add(Rule(BUSY[fault]))
    program = through.with_settings({"fs.s3a.retry.interval": "5 ms"})
    done = program.run(json_table(place.uri("t")) + VALUES)
    assert "(tried 10 times)" in done.error
    assert proxy.count("create") == 10


@pytest.mark.parametrize("settings, tries", [
    ({"fs.s3a.attempts.maximum": "3"}, 3), ({"fs.s3a.retry.limit": "3"}, 4), ({"s3.retry.max-num-retries": "1"}, 2),
    ({"fs.s3a.attempts.maximum": "5", "fs.s3a.retry.limit": "2"}, 5),
    ({"fs.s3a.attempts.maximum": "2", "fs.s3a.retry.limit": "4"}, 5)])
def test_two_names_of_the_budget_are_never_multiplied(place, through, proxy, settings, tries):
    proxy.add(Rule(answering(503, "SlowDown")))
    program = through.with_settings({"fs.s3a.retry.interval": "5 ms", **settings})
    assert f"(tried {tries} times)" in program.run(json_table(place.uri("t")) + VALUES).error
    assert proxy.count("create") == tries


@pytest.mark.parametrize("retries", ["0", "1"])
def test_what_is_tried_often_enough_works(place, through, proxy, retries):
    proxy.add(Rule(answering(503, "SlowDown"), nth=(1,)))
    done = through.with_settings({"fs.s3a.retry.limit": retries}).run(delta_table(place.uri("t")) + VALUES)
    assert done.code == (0 if retries == "1" else 1), done.errors
