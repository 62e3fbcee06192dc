"""Several processes append to one table on S3, in bad weather: no row is lost, none comes twice."""

import random

import pytest

from background import SETTINGS, add_background
from conftest import KEYS
from crash_code import many_writers, on_store
from fault_proxy import FaultProxy
from s3_program import Program

SECONDS_MAX = 600
SEED = random.randrange(1 << 30)


@pytest.mark.parametrize("weather", ["fair", "bad"])
def test_four_processes_append_without_losing_a_row(weather, place, endpoint, surroundings):
    table = place.uri("table")
    with FaultProxy(endpoint, seed=SEED) as proxy:
        if weather == "bad":
            add_background(proxy)
        program = Program(surroundings).with_keys(KEYS).with_settings({"s3.endpoint": proxy.endpoint, **SETTINGS})
        running = [program.start(many_writers.writer_script(writer, table))
                   for writer in range(many_writers.PROCESSES)]
        for process in running:
            output, _ = process.communicate(timeout=SECONDS_MAX)
            surroundings.keep(output)
            assert process.returncode == 0, f"seed {SEED}: {output}"
        print(f"\n{proxy.count()} faults in {sum(proxy.seen.values())} requests")
        assert (proxy.count() > 0) == (weather == "bad")
    inserts = many_writers.PROCESSES * many_writers.INSERTS
    versions = sorted(name for name in place.files("table/_delta_log/") if name.endswith(".json"))
    assert versions == [f"{version:020}.json" for version in range(inserts + 1)]
    with on_store(place.store, endpoint):
        many_writers.check_rows(table)
    assert place.uploads() == []
