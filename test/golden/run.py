#!/usr/bin/env python3
"""Runs golden SQL scripts and compares what the program prints with what is expected.

Two kinds of scripts, both compared block by block (a statement prints a block, an empty line ends it):

  test/sql/<topic>/*.q     ours: a statement, what it prints, then a line `!ok` or `!error`
  test/flink/              unchanged scripts with the output of a real Flink 1.20.1: NNN-name.sql and
                           NNN-name.expected of $LAKEWARD_SHARED/flink-golden, those that
                           test/flink/cases.tsv says must pass

Modes: plain; one-row (batches of one row); parallel3 (parallelism 3); restore (the program is killed
right after a checkpoint became durable and the same command is run again).

A changelog (a table with an `op` column) is compared as the table that it leaves behind, unless the mode
is plain: then the lines must be the same, those of our own scripts in the same order.
"""
import argparse
import collections
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "test" / "sql" / "files"  # ${FILES} in our scripts; ${OUT} is an empty folder
SETTINGS = {
    "plain": ["-D", "parallelism.default=1"],
    "one-row": ["-D", "parallelism.default=1", "-D", "execution.batch-rows-max=1"],
    "parallel3": ["-D", "parallelism.default=3"],
    "restore": ["-D", "parallelism.default=1"],
}
KILLED = -9  # the program ended itself by SIGKILL at a crash point
ERROR = "[ERROR] Could not execute SQL statement. Reason:"


class Case:
    """A script: its statements, and per statement what is expected (None: nothing is known)."""

    def __init__(self, name, statements, expected, errors, exact_errors, path=None):
        self.name = name
        self.statements = statements
        self.expected = expected
        self.errors = errors
        self.exact_errors = exact_errors
        self.path = path


def split_statements(text):
    """The statements of a script, each with its ';' and whatever comments come before it."""
    statements, begin, i, depth = [], 0, 0, 0
    while i < len(text):
        c = text[i]
        if c in "'`\"":
            end = text.find(c, i + 1)
            i = len(text) if end < 0 else end
        elif text.startswith("--", i):
            end = text.find("\n", i)
            i = len(text) if end < 0 else end
        elif text.startswith("/*", i):
            end = text.find("*/", i)
            i = len(text) if end < 0 else end + 1
        elif re.match(r"\bSTATEMENT\s+SET\s+BEGIN\b", text[i:], re.I):
            depth = 1
        elif depth and re.match(r"\bEND\s*;", text[i:], re.I):
            depth = 0
        elif c == ";" and not depth:
            statements.append(text[begin:i + 1].strip())
            begin = i + 1
        i += 1
    if text[begin:].strip():
        statements.append(text[begin:].strip())
    return statements


def blocks_of(output):
    """What each statement printed. An error's block may hold empty lines: it goes to the end."""
    before, error, rest = output.partition(ERROR)
    # A streaming query's header may stand right before the error of the same statement.
    pieces = [piece.strip("\n") for piece in re.split(r"\n\n+", before)]
    pieces = [piece for piece in pieces if piece]
    if error:
        if before and not before.endswith("\n\n"):
            pieces[-1] += "\n" + error + rest.rstrip()
        else:
            pieces.append(error + rest.rstrip())
    return pieces


def normalise(block, replacements):
    for old, new in replacements:
        block = block.replace(old, new)
    block = re.sub(r"Job ID: [0-9a-f]{32}", "Job ID: <JOBID>", block)
    block = re.sub(r"\| [0-9a-f]{32} \|", "|" + " " * 26 + "<JOBID> |", block)
    return block


def applied(block):
    """The rows that a printed changelog leaves behind, or None when the block is no changelog."""
    lines = block.split("\n")
    header = next((line for line in lines if line.startswith("| op |")), None)
    if header is None:
        return None
    rows = collections.Counter()
    for line in lines:
        match = re.match(r"\| (\+I|-U|\+U|-D) \|(.*)$", line)
        if match:
            rows[match[2]] += 1 if match[1] in ("+I", "+U") else -1
    return header, +rows, -rows


def unordered(block):
    """A table's lines without order, for queries without ORDER BY on several tasks."""
    return sorted(block.split("\n"))


def same(actual, expected, mode, exact_order):
    if actual == expected:
        return True
    if mode == "plain":
        # Flink promises no order without ORDER BY; our own scripts may rely on one reader's order.
        return not exact_order and unordered(actual) == unordered(expected)
    actual_rows, expected_rows = applied(actual), applied(expected)
    if actual_rows is not None or expected_rows is not None:
        return actual_rows == expected_rows
    return unordered(actual) == unordered(expected)


def run_script(program, statements, mode, scratch):
    script = scratch / "script.sql"
    script.write_text("\n".join(statements) + "\n")
    command = [program, "run", str(script), "--log-level", "off", *SETTINGS[mode]]
    environment = dict(os.environ, TZ="UTC")
    if mode == "restore":
        command += ["--state-dir", str(scratch / "state")]
        killing = dict(environment, LAKEWARD_CRASH_POINT="checkpoint.after-put:1")
        first = subprocess.run(command, capture_output=True, timeout=120, env=killing)
        if first.returncode not in (0, 1, KILLED):
            return first.stdout.decode() + f"\n\n(exit code {first.returncode})"
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                          env=environment)
    output = done.stdout.decode(errors="replace")
    if done.returncode not in (0, 1):
        output += f"\n\n(exit code {done.returncode})"
    output = re.sub(r"\[WARNING\] Job .* had already finished.*\n", "", output)
    return output


def actual_blocks(case, program, mode, scratch, replace_in):
    """One block a statement. A statement that fails ends a script, so that the script is run anew
    without it for what comes after."""
    statements = [replace_in(statement) for statement in case.statements]
    blocks, kept, run_number = [], [], 0
    while len(blocks) < len(statements):
        run_number += 1
        folder = scratch / str(run_number)
        folder.mkdir()
        found = blocks_of(run_script(program, kept + statements[len(blocks):], mode, folder))
        new = found[len(kept):]
        if not new:
            blocks.append("(nothing printed)")
            break
        for block in new[:len(statements) - len(blocks)]:
            blocks.append(block)
            if ERROR not in block:
                kept.append(statements[len(blocks) - 1])
        if ERROR not in new[-1]:
            break
        if not case.exact_errors:
            break
    return blocks


def check(case, program, mode):
    """The differences between what is printed and what is expected, as text; empty when none."""
    with tempfile.TemporaryDirectory(prefix="lakeward-golden-") as folder:
        scratch = Path(folder)
        out = scratch / "out"
        out.mkdir()
        data = shared_folder() / "flink-golden" / "data"

        def replace_in(text):
            for name, folder in (("${OUT}", out), ("${DATA}", data), ("${FILES}", FILES)):
                text = text.replace(name, str(folder))
            return text

        blocks = actual_blocks(case, program, mode, scratch, replace_in)
        replacements = [(str(out), "${OUT}"), (str(data), "${DATA}"), (str(FILES), "${FILES}")]
        blocks = [re.sub(re.escape(str(scratch)) + r"/\d+/", "", block) for block in blocks]
        blocks = [normalise(block, replacements) for block in blocks]
    differences = []
    for i, expected in enumerate(case.expected):
        actual = blocks[i] if i < len(blocks) else "(nothing printed)"
        if case.errors[i] and not case.exact_errors:
            if ERROR not in actual:
                differences.append(f"statement {i + 1} must fail:\n{case.statements[i]}\n"
                                   f"expected:\n{expected}\nactual:\n{actual}")
        elif not same(actual, expected, mode, case.exact_errors):
            lines = difflib.unified_diff(expected.split("\n"), actual.split("\n"), "expected",
                                         "actual", lineterm="")
            differences.append(f"statement {i + 1}: {case.statements[i]}\n" + "\n".join(lines))
            if case.errors[i] != (ERROR in actual):
                break
    return differences, blocks


# --- Our scripts -----------------------------------------------------------------------------------


def read_q(path):
    """A .q file: statement, expected lines, `!ok` or `!error`, again and again."""
    statements, expected, errors = [], [], []
    for piece in re.split(r"^!(ok|error)\n", path.read_text() + "\n", flags=re.M)[:-1:2]:
        found = split_statements(piece)
        statement = found[0]
        rest = piece[piece.index(statement) + len(statement):]
        statements.append(statement)
        expected.append(rest.strip("\n"))
    errors = [word == "error"
              for word in re.findall(r"^!(ok|error)$", path.read_text(), flags=re.M)]
    name = path.relative_to(ROOT / "test").as_posix()
    return Case(name, statements, expected, errors, True, path)


def rewrite_q(case, blocks):
    """The file with what the program prints now in place of what was expected."""
    text = ""
    for statement, block in zip(case.statements, blocks):
        text += f"{statement}\n{block}\n!{'error' if ERROR in block else 'ok'}\n\n"
    case.path.write_text(text.rstrip("\n") + "\n")


# --- Flink's scripts -------------------------------------------------------------------------------


def shared_folder():
    return Path(os.environ.get("LAKEWARD_SHARED", ROOT.parent / "shared")).resolve()


def read_flink(name):
    script = (shared_folder() / "flink-golden" / f"{name}.sql").read_text()
    output = (shared_folder() / "flink-golden" / f"{name}.expected").read_text()
    blocks = blocks_of(output + "\n")
    statements = split_statements(script)[:len(blocks)]
    return Case("flink/" + name, statements, blocks[:len(statements)],
                [ERROR in block for block in blocks], False)


def flink_cases():
    """Names of the cases that must pass; the others wait for what cases.tsv names."""
    passing, waiting = [], 0
    for line in (ROOT / "test" / "flink" / "cases.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, status = line.split("\t")[:2]
            if status == "passes":
                passing.append(name)
            else:
                waiting += 1
    return passing, waiting


def collect(arguments):
    cases = [read_q(path) for path in sorted((ROOT / "test" / "sql").rglob("*.q"))]
    skipped = 0
    if (ROOT / "test" / "flink" / "cases.tsv").exists():
        passing, waiting = flink_cases()
        if (shared_folder() / "flink-golden").is_dir():
            cases += [read_flink(name) for name in passing]
            print(f"{waiting} cases of a real Flink wait for later features "
                  "(test/flink/cases.tsv names them)")
        else:
            skipped = len(passing)
            print(f"skipped: {skipped} cases of a real Flink, because there is no reference data "
                  f"at {shared_folder()}/flink-golden")
    return [case for case in cases if arguments.filter in case.name], skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--mode", choices=SETTINGS, default="plain")
    parser.add_argument("--filter", default="", help="only cases whose name contains this")
    parser.add_argument("--update", action="store_true", help="rewrite what our scripts expect")
    parser.add_argument("--flink-survey", action="store_true",
                        help="run every case of the real Flink and say which pass")
    arguments = parser.parse_args()
    program = str(Path(arguments.program).resolve())
    if arguments.flink_survey:
        return survey(program, arguments)
    cases, skipped = collect(arguments)
    passed, failed = 0, []
    for case in cases:
        differences, blocks = check(case, program, arguments.mode)
        if differences and arguments.update and case.path:
            rewrite_q(case, blocks)
            print(f"rewritten: {case.name}")
        elif differences:
            failed.append(case.name)
            print(f"--- {case.name} [{arguments.mode}]\n" + "\n".join(differences) + "\n")
        else:
            passed += 1
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed else 0


def survey(program, arguments):
    names = sorted(path.stem for path in (shared_folder() / "flink-golden").glob("*.sql"))
    passing = 0
    for name in names:
        if arguments.filter not in name:
            continue
        try:
            differences, _ = check(read_flink(name), program, arguments.mode)
        except subprocess.TimeoutExpired:
            differences = ["timed out"]
        passing += not differences
        first = differences[0] if differences else ""
        print(f"{name}\t{'passes' if not differences else 'differs'}\t"
              f"{' '.join(first.split())[:300]}")
    print(f"{passing} of {len(names)} cases pass")
    return 0


if __name__ == "__main__":
    sys.exit(main())
