"""The program's command line: exit codes, where scripts come from, Ctrl-C."""

import os
import signal
import subprocess
import time

import pytest


@pytest.fixture
def call(program, tmp_path):
    def run(*arguments, stdin=""):
        return subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True, timeout=60,
                              cwd=tmp_path, env={**os.environ, "TZ": "UTC"}, check=False)
    return run


ONE_ROW = """+----+-------------+
| op |      EXPR$0 |
+----+-------------+
| +I |           1 |
+----+-------------+
Received a total of 1 row

"""


def test_scripts_come_from_text_file_and_standard_input(call, tmp_path):
    (tmp_path / "one.sql").write_text("SELECT 1;\n")
    for done in (call("sql", "-e", "SELECT 1"), call("sql", "-f", "one.sql"), call("run", "one.sql"),
                 call("sql", stdin="SELECT 1")):
        assert (done.returncode, done.stdout, done.stderr) == (0, ONE_ROW, "")


def test_a_failed_script_gives_1_and_stops(call, tmp_path):
    (tmp_path / "bad.sql").write_text("SELECT 1;\nSELECT nope;\nSELECT 2;\n")
    done = call("run", "bad.sql")
    assert (done.returncode, done.stdout) == (1, ONE_ROW)
    assert done.stderr == """[ERROR] Could not execute SQL statement. Reason:
Column 'nope' not found in any table
SELECT nope
       ^
There is no table behind FROM whose columns could be used.
At bad.sql:2:8

"""
    done = call("run", "missing.sql")
    assert done.returncode == 1
    assert done.stderr.startswith("[ERROR] Cannot open missing.sql: No such file or directory\n")


HELP = "Run with --help for more information.\n"


@pytest.mark.parametrize("arguments, stderr", [
    ((), "A subcommand is required\n" + HELP),
    (("rnu", "x.sql"), "There is no command 'rnu'. Did you mean 'run'? lakeward --help explains them.\n"),
    (("x",), "There is no command 'x'. Commands: run, sql, config, reference. lakeward --help explains them.\n"),
    (("run",), "FILE is required\n" + HELP),
    (("sql", "-e", "SELECT 1", "-f", "x"), "--file excludes --execute\n" + HELP),
    (("sql", "--bad"), "The following argument was not expected: --bad\n" + HELP),
    (("sql", "-e", "SELECT 1", "-D", "x"), "-D x: expected KEY=VALUE, for example -D parallelism.default=4\n"),
])
def test_a_wrong_command_line_gives_2(call, arguments, stderr):
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == stderr


def endless_job(program, table):
    """A job without an end into a Delta table; given once it is submitted."""
    process = subprocess.Popen([program, "sql", "-e", f"""
        CREATE TABLE g (id BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000');
        CREATE TABLE t (id BIGINT) WITH ('connector' = 'delta', 'table-path' = '{table}');
        INSERT INTO t SELECT * FROM g;"""], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not process.stdout.readline().startswith("Job ID"):
        assert process.poll() is None
    return process


def test_ctrl_c_commits_what_was_read(program, table_path):
    deltalake = pytest.importorskip("deltalake")
    process = endless_job(program, table_path)
    time.sleep(2)  # submitted is not yet reading
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stderr
    assert deltalake.DeltaTable(str(table_path)).to_pyarrow_table().num_rows > 0


ENDLESS = ("CREATE TABLE g (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000'); "
           "SELECT n FROM g; SELECT 'not reached';")


def test_it_ends_when_nobody_reads(program):
    with subprocess.Popen([program, "sql", "-e", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout.readline() == "[INFO] Execute statement succeeded.\n"
        process.stdout.close()
        assert process.wait(timeout=30) == 141
        assert process.stderr.read() == ""


def test_output_that_cannot_be_written_is_an_error(program):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([program, "sql", "-e", "SELECT 1"], stdout=full, stderr=subprocess.PIPE, text=True,
                              timeout=60, check=False)
    assert (done.returncode, done.stderr) == (
        1, "[ERROR] Standard output cannot be written: No space left on device\n")


def test_ctrl_c_ends_a_query_whose_rows_never_pause(program):
    with subprocess.Popen([program, "sql", "-e", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        for _ in range(2_000):
            assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "not reached" not in output
        assert errors == "[ERROR] Could not execute SQL statement. Reason:\nThe query was cancelled\n\n"


def test_ctrl_c_in_a_bounded_insert_commits_no_half_and_ends_the_script(program, table_path):
    deltalake = pytest.importorskip("deltalake")
    with subprocess.Popen([program, "sql", "-e", f"""
        CREATE TABLE g (id BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '5000', 'number-of-rows' = '500000');
        CREATE TABLE t (id BIGINT) WITH ('connector' = 'delta', 'table-path' = '{table_path}');
        INSERT INTO t SELECT * FROM g;
        INSERT INTO t VALUES (-1);"""], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not process.stdout.readline().startswith("Job ID"):
            assert process.poll() is None
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 130
        assert errors.startswith("[ERROR] Could not execute SQL statement. Reason:\njob insert-into_default_catalog."
                                 "default_database.t was cancelled\n")
    assert deltalake.DeltaTable(str(table_path)).version() == 0
