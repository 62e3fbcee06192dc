"""The closing line of ./dev test: cases of every kind of program, added up from CTest's report."""
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

COUNT_TESTS = Path(__file__).parents[2] / "tools" / "count_tests.py"

GOOGLETEST = """\
[==========] 12 tests from 3 test suites ran. (7 ms total)
[  PASSED  ] 9 tests.
[  SKIPPED ] 2 tests, listed below:
[  SKIPPED ] Delta.ReadsReferenceTables
[  SKIPPED ] Delta.ReadsOthers
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Delta.Writes
"""
PYTEST = "tests/x.py ....s [100%]\n== 4 passed, 1 skipped, 2 warnings in 0.31s ==\n"
PYTEST_QUIET = "FAILED x.py::test_a\n1 failed, 3 passed, 1 error in 2.05s\n"
PLAIN = "select.q ok\n3 passed, 0 failed, 0 skipped\n93 passed, 0 failed, 4 skipped\n"
SILENT = "nothing to see\n"


@pytest.mark.parametrize("programs, line, code", [
    ([("fail", GOOGLETEST)], "9 passed, 1 failed, 2 skipped", 1),
    ([("run", PYTEST)], "4 passed, 0 failed, 1 skipped", 0),
    ([("fail", PYTEST_QUIET)], "3 passed, 2 failed, 0 skipped", 1),
    ([("run", PLAIN)], "93 passed, 0 failed, 4 skipped", 0),
    ([("run", SILENT)], "1 passed, 0 failed, 0 skipped", 0),
    ([("fail", SILENT)], "0 passed, 1 failed, 0 skipped", 1),
    ([("fail", "[  PASSED  ] 5 tests.\nSegmentation fault\n")], "5 passed, 1 failed, 0 skipped", 1),
    ([("run", PYTEST), ("run", PLAIN)], "97 passed, 0 failed, 5 skipped", 0),
    ([("run", PLAIN), ("run", "[  PASSED  ] 0 tests.\n")], "93 passed, 0 failed, 4 skipped", 0),
    ([("run", "0 passed, 0 failed, 0 skipped\n")], "0 passed, 0 failed, 0 skipped", 1),
    ([("notrun", SILENT)], "0 passed, 0 failed, 0 skipped", 1),
])
def test_cases_are_added_up(programs, line, code, tmp_path):
    report = tmp_path / "report.xml"
    report.write_text("<testsuite>" + "".join(
        f'<testcase name="{number}" status="{status}"><system-out>{escape(output)}</system-out></testcase>'
        for number, (status, output) in enumerate(programs)) + "</testsuite>")
    done = subprocess.run([sys.executable, COUNT_TESTS, report], capture_output=True, text=True)
    assert (done.stdout.splitlines()[-1], done.returncode) == (line, code)
