#!/usr/bin/env python3
"""Adds up the test cases of a CTest run. Usage: count_tests.py CTEST_JUNIT_FILE

CTest counts programs; a person counts cases. Each program's own closing lines (GoogleTest, pytest, or
"N passed, N failed, N skipped") are added up; a program that failed without saying so counts as one.
Ends with the line "N passed, N failed, N skipped" and fails when a case failed or none ran.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

GOOGLETEST = {
    "passed": re.compile(r"^\[  PASSED  \] (\d+) tests?\b", re.M),
    "failed": re.compile(r"^\[  FAILED  \] (\d+) tests?\b", re.M),
    "skipped": re.compile(r"^\[  SKIPPED \] (\d+) tests?\b", re.M),
}
# Of pytest ("3 passed, 1 skipped in 0.1s") and of the golden runner: the last such line counts.
SUMMARY = re.compile(r"^(?:=+ )?((?:\d+ (?:passed|failed|skipped|errors?|xfailed|deselected|warnings?)(?:, )?)+)", re.M)
WORD = re.compile(r"(\d+) (passed|failed|skipped|error)")


def count(output: str, status: str) -> dict[str, int]:
    """The cases that one program's output tells of; one that tells of none is a case itself."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for verdict, pattern in GOOGLETEST.items():
        counts[verdict] += sum(int(number) for number in pattern.findall(output))
    summaries = SUMMARY.findall(output)
    if summaries:
        for number, verdict in WORD.findall(summaries[-1]):
            counts["failed" if verdict == "error" else verdict] += int(number)
    if status == "fail" and not counts["failed"]:
        counts["failed"] = 1
    if status == "run" and not summaries and not GOOGLETEST["passed"].search(output):
        counts["passed"] = 1
    return counts


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for program in ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        for verdict, number in count(program.findtext("system-out") or "", program.get("status")).items():
            total[verdict] += number
    print(", ".join(f"{number} {verdict}" for verdict, number in total.items()))
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
