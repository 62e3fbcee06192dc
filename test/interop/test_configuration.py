"""Where settings come from, and how the program shows them."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def call(program, tmp_path):
    def run(*arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "FLINK_"))}
        return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, cwd=tmp_path,
                              env={**environment, "TZ": "UTC", **variables}, check=False)
    return run


@pytest.mark.parametrize("kind, document", [("settings", "configuration.md"), ("connectors", "connectors.md"),
                                            ("functions", "sql/functions.md")])
def test_the_reference_is_what_the_program_declares(call, kind, document):
    assert (ROOT / "docs" / document).read_text(encoding="utf-8") == call("reference", kind).stdout


def test_each_level_beats_the_one_below_and_says_so(call, tmp_path):
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "config.yaml").write_text("s3:\n  region: file\n")
    assert call("config", "fs.s3a.endpoint.region", "-D", "s3a.region=line", AWS_REGION="variable").stdout == (
        "# Region that requests are signed for; by default the profile's, else the bucket's own answer.\n"
        "# From 's3a.region' from -D s3a.region. Beats 's3.region' = 'file' from conf/config.yaml line 2. "
        "Beats 'fs.s3a.endpoint.region' = 'variable' from AWS_REGION.\n"
        "fs.s3a.endpoint.region: line\n\n")


def test_settings_of_flinks_folder_reach_the_script(call, tmp_path):
    (tmp_path / "flink").mkdir()
    (tmp_path / "flink" / "flink-conf.yaml").write_text("table.local-time-zone: Asia/Tokyo\n")
    done = call("sql", "-e", "SELECT CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING)", FLINK_CONF_DIR=str(tmp_path / "flink"))
    assert "1970-01-01 09:00:00" in done.stdout, done.stderr


def test_a_configuration_file_that_is_not_there_is_an_error(call):
    done = call("sql", "-e", "SELECT 1", "-c", "nowhere")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ("[ERROR] -c names 'nowhere', which cannot be read: Cannot find nowhere: No such file or directory\n"
                           "Correct -c: a configuration file, or the folder that holds it.\n")


def test_secrets_are_never_shown(call):
    done = call("sql", "-D", "s3.secret-key=hush-hush", "-e",
                "SET; SHOW CONFIGURATION; CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 's3://b/t', "
                "'format' = 'json', 's3.secret-key' = 'hush-hush', 's3.access-key' = 'k'); SHOW CREATE TABLE t;")
    assert done.returncode == 0, done.stderr
    assert "******" in done.stdout
    assert "hush-hush" not in done.stdout + done.stderr
    assert "hush-hush" not in call("config", "-D", "s3.secret-key=hush-hush").stdout


def test_mistyped_settings_get_a_hint(call):
    done = call("sql", "-D", "parallelism.defualt=2", "-e", "SET 's3.regoin' = 'x'")
    assert done.returncode == 0
    assert done.stderr == (
        "[WARNING] 'parallelism.defualt' (-D parallelism.defualt) is no setting and has no effect. "
        "Did you mean 'parallelism.default'?\n"
        "[WARNING] 's3.regoin' is no known setting of S3. Did you mean 's3.region'?\n")
