#!/usr/bin/env python3
"""Measures throughput beside the limit of bare libraries.

  run.py --build build/release [stages] [ingest] [datagen] [s3]

stages   nanoseconds per row of decoding and encoding, one thread (decode_encode_bench)
ingest   JSON lines into a partitioned Delta table, beside bare_ingest on the same file
datagen  generated rows into a Delta table
s3       2 GB up and down, beside a bare socket, boto3 and pyarrow (needs LAKEWARD_WEED and LAKEWARD_PYTHON)

Programs that are compared run in turns, so that a change of the machine's mood meets both; the
medians and the spread are printed.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]

COLUMNS = """id BIGINT, user_id BIGINT, ts TIMESTAMP(3), country STRING, event STRING, path STRING,
  amount DOUBLE, ratio DOUBLE"""

INGEST = """CREATE TABLE json_rows ({columns})
  WITH ('connector' = 'filesystem', 'path' = '{input}', 'format' = 'json');
CREATE TABLE delta_rows ({columns}) PARTITIONED BY (country)
  WITH ('connector' = 'delta', 'table-path' = '{output}');
SET 'parallelism.default' = '{threads}';
INSERT INTO delta_rows SELECT * FROM json_rows;
"""

DATAGEN = """CREATE TABLE generated (id BIGINT, user_id BIGINT, amount DOUBLE, event STRING)
  WITH ('connector' = 'datagen', 'number-of-rows' = '{rows}', 'fields.id.kind' = 'random',
        'fields.user_id.min' = '0', 'fields.user_id.max' = '1000000', 'fields.event.length' = '8');
CREATE TABLE delta_rows (id BIGINT, user_id BIGINT, amount DOUBLE, event STRING)
  WITH ('connector' = 'delta', 'table-path' = '{output}');
SET 'parallelism.default' = '{threads}';
INSERT INTO delta_rows SELECT * FROM generated;
"""


class Run:
    """What one run of a program took."""

    def __init__(self, wall, cpu, rss):
        self.wall, self.cpu, self.rss = wall, cpu, rss


def measure(command, log):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        log.flush()
        sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n"
                 + pathlib.Path(log.name).read_text()[-2000:])
    return Run(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def report(name, rows, runs):
    walls = sorted(run.wall for run in runs)
    wall = statistics.median(walls)
    print(f"{name:<14} {rows / wall / 1e6:6.2f} M rows/s  {wall:6.2f} s ({walls[0]:.2f}..{walls[-1]:.2f})"
          f"  {statistics.median(run.cpu for run in runs):6.2f} CPU s"
          f"  {max(run.rss for run in runs):6.0f} MB", flush=True)
    return wall


def input_file(arguments, folder):
    path = folder / f"rows-{arguments.bytes}.json"
    if not path.exists():
        print(f"Generating {arguments.bytes} of JSON lines", flush=True)
        partial = path.with_suffix(".partial")
        subprocess.run([arguments.build / "bench/generate_json", "--bytes", arguments.bytes,
                        "--output", partial], check=True)
        partial.rename(path)
    return path


def count_lines(path):
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def run_script(arguments, text, folder, log):
    script = folder / "script.sql"
    script.write_text(text)
    return measure([arguments.build / "lakeward", "run", script], log)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def bench_stages(arguments, folder, log):
    subprocess.run([arguments.build / "bench/decode_encode_bench"], check=True)
    return True


def bench_ingest(arguments, folder, log):
    source = input_file(arguments, folder)
    rows = count_lines(source)
    print(f"ingest: {rows} rows, {source.stat().st_size / 1e9:.2f} GB, {arguments.threads} threads,"
          f" {arguments.runs} runs in turns", flush=True)
    has_program = (arguments.build / "lakeward").exists()
    if not has_program:
        print(f"{arguments.build / 'lakeward'} is not built: the limit alone is measured", flush=True)
    ours, bare = [], []
    for _ in range(arguments.runs):
        if has_program:
            output = fresh(folder / "delta")
            text = INGEST.format(columns=COLUMNS, input=source, output=output,
                                 threads=arguments.threads)
            ours.append(run_script(arguments, text, folder, log))
        output = fresh(folder / "bare")
        output.mkdir()
        bare.append(measure([arguments.build / "bench/bare_ingest", source, output, "--threads",
                             str(arguments.threads), "--codec", "snappy"], log))
    limit = report("bare libraries", rows, bare)
    if not ours:
        return True
    ratio = limit / report("lakeward", rows, ours)
    cpu = statistics.median(run.cpu for run in ours) / statistics.median(run.cpu for run in bare)
    print(f"{'':<14} {100 * ratio:.0f} % of the limit's throughput, {100 * cpu:.0f} % of its CPU time",
          flush=True)
    return ratio >= arguments.ratio_min


def bench_datagen(arguments, folder, log):
    if not (arguments.build / "lakeward").exists():
        print(f"datagen: {arguments.build / 'lakeward'} is not built")
        return True
    runs = []
    for _ in range(arguments.runs):
        text = DATAGEN.format(rows=arguments.rows, output=fresh(folder / "delta"),
                              threads=arguments.threads)
        runs.append(run_script(arguments, text, folder, log))
    print(f"datagen: {arguments.rows} rows of 4 columns, {arguments.threads} threads")
    report("lakeward", arguments.rows, runs)
    return True


def bench_s3(arguments, folder, log):
    weed, python = os.environ.get("LAKEWARD_WEED"), os.environ.get("LAKEWARD_PYTHON")
    if not weed or not python:
        print("s3: LAKEWARD_WEED and LAKEWARD_PYTHON are not set; ./dev bench s3 sees to them")
        return True
    server = [sys.executable, ROOT / "tools/s3_server.py"]
    exports = subprocess.run([*server, "up", folder / "store", weed], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    os.environ.update(line.removeprefix("export ").split("=", 1) for line in exports.splitlines()
                      if line.startswith("export "))
    try:
        return compare_transfers(arguments, python, log)
    finally:
        subprocess.run([*server, "down", folder / "store"], check=True)


TRANSFERS = ("socket", "lakeward", "boto3", "pyarrow")


def compare_transfers(arguments, python, log):
    ours, peer = arguments.build / "bench/s3_transfer", [python, ROOT / "bench/peer_transfer.py"]
    size, bucket = arguments.object_bytes, os.environ["LAKEWARD_TEST_S3_BUCKET"]
    print(f"s3: {size / 1e9:.2f} GB, {arguments.runs} runs in turns", flush=True)
    runs = {}
    for _ in range(arguments.runs):
        for direction in ("up", "down"):
            for name in TRANSFERS:
                if name == "lakeward":
                    command = [ours, direction, f"s3://{bucket}/{name}", *([str(size)] if direction == "up" else [])]
                else:
                    command = [*peer, name, direction, name, str(size)]
                runs.setdefault((direction, name), []).append(measure(command, log))
    passed = True
    for direction in ("up", "down"):
        limit = statistics.median(run.wall for run in runs[direction, "socket"])
        for name in TRANSFERS:
            some = runs[direction, name]
            walls = sorted(run.wall for run in some)
            wall, rss = statistics.median(walls), max(run.rss for run in some)
            print(f"{direction:<5}{name:<10}{size / wall / 1e6:7.0f} MB/s  {wall:6.2f} s ({walls[0]:.2f}..{walls[-1]:.2f})"
                  f"  {statistics.median(run.cpu for run in some):6.2f} CPU s  {rss:5.0f} MB"
                  f"  {100 * limit / wall:4.0f} % of the socket", flush=True)
            passed = passed and (name != "lakeward" or limit / wall >= arguments.ratio_min)
    return passed


CASES = {"stages": bench_stages, "ingest": bench_ingest, "datagen": bench_datagen, "s3": bench_s3}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all of them")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--bytes", default="1GB", help="size of the JSON file (default 1GB)")
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of datagen")
    parser.add_argument("--object-bytes", type=int, default=2_000_000_000, help="size of the object of s3")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=pathlib.Path,
                        help="where files go and the JSON file is kept (default: a temporary one)")
    parser.add_argument("--ratio-min", type=float, default=0,
                        help="fail when ingest or s3 is below this share of the limit, for example 0.7")
    arguments = parser.parse_args()
    unknown = [case for case in arguments.cases if case not in CASES]
    if unknown:
        parser.error(f"unknown case {unknown[0]}; there are {', '.join(CASES)}")
    arguments.build = arguments.build.resolve()
    with tempfile.TemporaryDirectory(prefix="lakeward-bench-") as scratch:
        folder = (arguments.folder or pathlib.Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "log", "w", encoding="utf-8") as log:
            passed = [CASES[case](arguments, folder, log) for case in arguments.cases or CASES]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
