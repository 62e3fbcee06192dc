"""A job is killed with SIGKILL at random moments and at every named point of its protocol; the same
command then goes on, and in the end every row is there exactly once."""
import os
import random
import signal

import pytest

from conftest import (Run, aggregate_script, check_delta, check_result, delta_script, kills_wanted)

POINTS = [
    "sink.before-file-close",
    "sink.after-file-close",
    "sink.before-intent",
    "sink.after-intent",
    "checkpoint.before-put",
    "checkpoint.after-put",
    "delta.before-log-put",
    "delta.after-log-put",
    "delta.before-last-checkpoint-put",
    "delta.after-last-checkpoint-put",
    "job.before-final-checkpoint",
    "job.after-final-checkpoint",
]


def finish(script, state):
    run = Run(script, state)
    assert run.wait() == 0, run.output


class Job:
    """A script in a folder of its own."""

    def __init__(self, kind, rows, folder, interval="200 ms"):
        folder.mkdir(parents=True)
        self.kind, self.rows, self.target = kind, rows, folder / "table"
        self.script, self.state = folder / "job.sql", folder / "state"
        text = (delta_script(rows, self.target, interval) if kind == "delta"
                else aggregate_script(rows, self.target, interval))
        self.script.write_text(text)

    def check(self):
        (check_delta if self.kind == "delta" else check_result)(self.rows, self.target)


@pytest.fixture(scope="session")
def undisturbed_seconds(rows, tmp_path_factory):
    """How long a run takes that nobody kills: random moments are drawn from it."""
    job = Job("delta", rows, tmp_path_factory.mktemp("undisturbed") / "job")
    run = Run(job.script, job.state)
    assert run.wait() == 0, run.output
    job.check()
    return run.seconds


@pytest.mark.parametrize("kind", ["delta", "aggregate"])
def test_killed_at_random_moments(kind, rows, tmp_path, undisturbed_seconds):
    seed = int(os.environ.get("LAKEWARD_CRASH_SEED", random.randrange(1 << 30)))
    chance = random.Random(seed)
    wanted, kills, number = kills_wanted() // 2, 0, 0
    print(f"\n{kind}: {wanted} kills, seed {seed} (LAKEWARD_CRASH_SEED)")
    while kills < wanted:
        number += 1
        job = Job(kind, rows, tmp_path / f"{kind}-{number}")
        killed = True
        while killed and kills < wanted:
            run = Run(job.script, job.state)
            killed = run.kill_after(chance.uniform(0.01, 1.1 * undisturbed_seconds))
            kills += killed
            if not killed:
                assert run.process.returncode == 0, f"seed {seed}: {run.output}"
        finish(job.script, job.state)
        job.check()
    print(f"{kind}: {kills} kills over {number} jobs")


@pytest.mark.parametrize("passage", [1, 3])
@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_named_point(point, passage, rows, tmp_path):
    job = Job("delta", rows, tmp_path / "job", "20 ms")
    run = Run(job.script, job.state, {"LAKEWARD_CRASH_POINT": f"{point}:{passage}"})
    code = run.wait()
    once_a_job = point.startswith("job.")
    if not (once_a_job and passage > 1) and "last-checkpoint" not in point:
        assert code == -signal.SIGKILL, f"{point} was not passed {passage} times: {run.output}"
    finish(job.script, job.state)
    job.check()


@pytest.mark.parametrize("point", ["sink.after-file-close", "checkpoint.before-put",
                                   "checkpoint.after-put", "job.before-final-checkpoint",
                                   "job.after-final-checkpoint"])
def test_aggregate_killed_at_a_named_point(point, rows, tmp_path):
    job = Job("aggregate", rows, tmp_path / "job", "20 ms")
    run = Run(job.script, job.state, {"LAKEWARD_CRASH_POINT": f"{point}:1"})
    run.wait()
    finish(job.script, job.state)
    job.check()


def test_without_an_interval_it_is_all_or_nothing(rows, tmp_path, undisturbed_seconds):
    import deltalake
    for number in range(5):
        job = Job("delta", rows, tmp_path / f"job-{number}", interval=None)
        run = Run(job.script, job.state)
        run.kill_after(undisturbed_seconds * (number + 1) / 6)
        if (job.target / "_delta_log").is_dir():
            version = deltalake.DeltaTable(str(job.target)).version()
            found = deltalake.DeltaTable(str(job.target)).to_pyarrow_table(columns=["id"]).num_rows
            assert (version, found) in ((0, 0), (1, rows.count))
        finish(job.script, job.state)
        job.check()
        assert deltalake.DeltaTable(str(job.target)).version() == 1


def test_finished_job_is_not_run_again(rows, tmp_path):
    job = Job("delta", rows, tmp_path / "job")
    finish(job.script, job.state)
    again = Run(job.script, job.state)
    assert again.wait() == 0
    assert "had already finished" in again.output
    job.check()
