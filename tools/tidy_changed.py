#!/usr/bin/env python3
"""Runs clang-tidy (.clang-tidy) over the C++ files that changed, within a time limit.

Changed: on a branch since it left main, on main itself during its last day, and what is not committed. A changed
header counts as the .cc beside it. Where the time does not suffice for all, the order is drawn from the commit's
id, so that the next commit reads others first.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CLANG_TIDY = ["clang-tidy-16", "--quiet", "--extra-arg=-Wno-unknown-warning-option",
              "--extra-arg=-fbracket-depth=2048"]
REFERENCES = ("origin/main", "main")


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def base_commit() -> str:
    """Where the change that is looked at begins."""
    head = git("rev-parse", "HEAD")
    bases = [git("merge-base", "HEAD", reference) for reference in REFERENCES]
    bases = [base for base in bases if base and base != head]
    if bases:
        return bases[0]
    day_before = int(git("show", "-s", "--format=%ct", "HEAD") or time.time()) - 24 * 3600
    return git("rev-list", "-1", f"--before={day_before}", "HEAD") or git("rev-list", "--max-parents=0", "HEAD")


def changed_files() -> set[str]:
    base = base_commit()
    return set((git("diff", "--name-only", base) + "\n" + git("ls-files", "-o", "--exclude-standard")).splitlines())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=Path, help="folder with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=240, help="start no file later than that")
    parser.add_argument("--full", action="store_true", help="every file, without a limit")
    options = parser.parse_args()

    here = Path.cwd()
    commands = json.loads((options.build / "compile_commands.json").read_text())
    compiled = {Path(command["file"]) for command in commands}
    units = sorted(str(unit.relative_to(here)) for unit in compiled
                   if unit.is_relative_to(here) and not unit.is_relative_to(here / "build"))
    if not options.full:
        changed = changed_files()
        units = [unit for unit in units if unit in changed or unit.removesuffix(".cc") + ".h" in changed]
        random.Random(git("rev-parse", "HEAD")).shuffle(units)
    print(f"==> Reading {len(units)} files with clang-tidy", file=sys.stderr)

    begin = time.monotonic()
    left_out: list[str] = []

    def tidy(unit: str) -> str:
        if not options.full and time.monotonic() - begin > options.seconds:
            left_out.append(unit)
            return ""
        done = subprocess.run([*CLANG_TIDY, "-p", options.build, unit], capture_output=True, text=True)
        return done.stdout if done.returncode else ""

    complaints: dict[str, None] = {}  # ordered; a complaint in a header comes once, not once per file
    with ThreadPoolExecutor(options.jobs) as pool:
        for done, output in enumerate(pool.map(tidy, units), 1):
            complaints.update(dict.fromkeys(re.split(r"(?m)^(?=\S+:\d+:\d+: (?:error|warning): )",
                                                     output.replace(f"{here}/", ""))))
            if done % 20 == 0:
                print(f"    {done} of {len(units)}", file=sys.stderr)
    complaints.pop("", None)
    print("".join(complaints), end="")
    if left_out:
        print(f"clang-tidy had no time for {len(left_out)} files; ./dev lint --full reads all", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
