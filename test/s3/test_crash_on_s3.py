"""The tests of test/crash with table, result and checkpoints on S3, through the proxy in bad weather.

LAKEWARD_KILLS says how often the program is killed (10). A failure prints its seed (LAKEWARD_CRASH_SEED).
"""

import json
import os
import random

import pytest

from background import SETTINGS, add_background
from conftest import KEYS
from crash_code import crash, kill, on_store
from fault_proxy import FaultProxy
from tables import json_table

ROWS = 100_000
KILLS = int(os.environ.get("LAKEWARD_KILLS", "10"))
SEED = int(os.environ.get("LAKEWARD_CRASH_SEED", random.randrange(1 << 30)))
# Where the protocol with the store is at its most delicate; the others are in test/crash.
POINTS = ["sink.before-file-close", "sink.after-file-close", "sink.after-intent", "checkpoint.before-put",
          "checkpoint.after-put", "delta.before-log-put", "delta.after-log-put", "job.after-final-checkpoint"]


@pytest.fixture(scope="session")
def rows(tmp_path_factory):
    return crash.Input(tmp_path_factory.mktemp("rows"), ROWS)


def files_script(rows, target, interval) -> str:
    """Plain files by multipart uploads that are finished when a checkpoint is there."""
    return (f"SET 'parallelism.default' = '2';\nSET 'execution.checkpointing.interval' = '{interval}';\n"
            + crash.source_ddl(rows) + json_table(target, crash.COLUMNS) + "INSERT INTO t SELECT * FROM src;")


class Jobs:
    """Makes jobs in a place, and runs them through the proxy."""

    def __init__(self, place, proxy, rows, folder, surroundings):
        self.place, self.proxy, self.rows, self.folder = place, proxy, rows, folder
        self.surroundings, self.count = surroundings, 0

    def make(self, kind, interval="200 ms") -> "Job":
        self.count += 1
        return Job(self, kind, f"{kind}-{self.count}", interval)

    def environment(self) -> dict:
        return {"AWS_ENDPOINT_URL": self.proxy.endpoint, "AWS_ACCESS_KEY_ID": KEYS.key_id,
                "AWS_SECRET_ACCESS_KEY": KEYS.secret, "AWS_REGION": KEYS.region,
                "AWS_EC2_METADATA_DISABLED": "true"}


class Job:
    def __init__(self, jobs, kind, name, interval):
        self.jobs, self.kind = jobs, kind
        self.target, self.state = jobs.place.uri(f"{name}/table"), jobs.place.uri(f"{name}/state")
        self.script = jobs.folder / f"{name}.sql"
        make = {"delta": crash.delta_script, "aggregate": crash.aggregate_script, "files": files_script}[kind]
        settings = "".join(f"SET '{key}' = '{value}';\n" for key, value in SETTINGS.items())
        self.script.write_text(settings + make(jobs.rows, self.target, interval))

    def run(self, point="") -> crash.Run:
        environment = self.jobs.environment()
        if point:
            environment["LAKEWARD_CRASH_POINT"] = point
        return crash.Run(self.script, self.state, environment)

    def finish(self) -> None:
        run = self.run()
        code = run.wait()
        self.jobs.surroundings.keep(run.output)
        assert code == 0, f"seed {SEED}: {run.output}"
        self.check()

    def check(self) -> None:
        place = self.jobs.place
        key = self.target.partition(f"//{place.store.bucket}/")[2]
        if self.kind == "delta":
            with on_store(place.store, place.endpoint):
                crash.check_delta(self.jobs.rows, self.target)
        elif self.kind == "aggregate":
            result = self.jobs.folder / "result"
            result.write_bytes(place.store.get(key))
            crash.check_result(self.jobs.rows, result)
        else:
            ids = sorted(json.loads(line)["id"] for line in place.lines(key.removeprefix(place.prefix) + "/"))
            assert ids == list(range(self.jobs.rows.count)), f"{len(ids)} rows, {len(set(ids))} different ones"
        assert place.uploads() == []


@pytest.fixture
def jobs(place, endpoint, rows, tmp_path, surroundings):
    with FaultProxy(endpoint, seed=SEED) as proxy:
        add_background(proxy)
        yield Jobs(place, proxy, rows, tmp_path, surroundings)


@pytest.mark.parametrize("kind", ["delta", "aggregate", "files"])
def test_killed_at_random_moments(kind, jobs):
    chance = random.Random(SEED)
    undisturbed = jobs.make(kind)
    run = undisturbed.run()
    assert run.wait() == 0, run.output
    undisturbed.check()
    kills = 0
    while kills < KILLS:
        job, killed = jobs.make(kind), True
        while killed and kills < KILLS:
            again = job.run()
            killed = again.kill_after(chance.uniform(0.01, 1.1 * run.seconds))
            kills += killed
            assert killed or again.process.returncode == 0, f"seed {SEED}: {again.output}"
        job.finish()
    assert jobs.proxy.count() > 0
    print(f"\n{kind}: {kills} kills over {jobs.count} jobs, {run.seconds:.1f} s undisturbed, seed {SEED}, "
          f"{jobs.proxy.count()} faults in {sum(jobs.proxy.seen.values())} requests")


@pytest.mark.parametrize("kind, point", [(kind, point) for kind in ("delta", "files") for point in POINTS
                                         if kind == "delta" or not point.startswith("delta.")])
def test_killed_at_a_named_point(kind, point, jobs):
    job = jobs.make(kind, "50 ms")
    run = job.run(f"{point}:1")
    assert run.wait() == -9, f"{point} was not passed: {run.output}"
    job.finish()
