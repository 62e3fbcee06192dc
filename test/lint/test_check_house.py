"""Each house rule seen to fail on a tiny made-up tree, and the tree without the fault seen to pass."""
import subprocess
import sys
from pathlib import Path

import pytest

CHECK_HOUSE = Path(__file__).parents[2] / "tools" / "check_house.py"
sys.path.insert(0, str(CHECK_HOUSE.parent))
import check_house  # noqa: E402

LAYERS = """\
# lowest first
base:
fs:     base
net:    base
table:  base fs
table/delta: base fs table
stream: base fs
bin:    base table
everywhere: arrow
adapter: simdjson table/delta/
adapter: pcre2    table/pattern.cc
"""

CLEAN = {
    "src/lakeward/LAYERS": LAYERS,
    "src/lakeward/base/README.md": "The ground.\n",
    "src/lakeward/base/clock.h": '#pragma once\n#include <chrono>\n#include "arrow/status.h"\nclass Clock;\n',
    "src/lakeward/base/clock.cc": '#include "lakeward/base/clock.h"\nauto now = std::chrono::system_clock::now();\n',
    "src/lakeward/table/README.md": "Tables.\n",
    "src/lakeward/table/scan.h": '#pragma once\n#include "lakeward/base/clock.h"\n',
    "src/lakeward/table/delta/README.md": "Delta.\n",
    "src/lakeward/table/delta/log.cc": '#include <simdjson.h>\n#include <sys/types.h>\n#include "lakeward/table/scan.h"\n',
}


def run(root: Path, changes: dict[str, str | None]) -> tuple[int, str]:
    """Checks the clean tree with these files changed (None: taken away)."""
    for name, text in {**CLEAN, **changes}.items():
        if text is not None:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
    try:
        house = check_house.House(root)
        house.check()
    except SystemExit as refusal:  # LAYERS itself is wrong
        return 1, str(refusal)
    return len(house.findings), "\n".join(house.findings)


def test_the_clean_tree_passes(tmp_path):
    assert run(tmp_path, {}) == (0, "")
    done = subprocess.run([sys.executable, CHECK_HOUSE, tmp_path], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "4 C++ files in 3 folders, 0 findings")


def test_findings_fail_the_run(tmp_path):
    run(tmp_path, {"src/lakeward/table/README.md": None})
    done = subprocess.run([sys.executable, CHECK_HOUSE, tmp_path], capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "4 C++ files in 3 folders, 1 findings")


BREACHES = {
    "an include of a higher folder": (
        {"src/lakeward/table/x.cc": '#include "lakeward/table/delta/log.h"\n'},
        "src/lakeward/table/x.cc:1: 'table' may not include 'table/delta'"),
    "an include between equals": (
        {"src/lakeward/table/x.cc": '\n#include "lakeward/stream/batch.h"\n'},
        "src/lakeward/table/x.cc:2: 'table' may not include 'stream'"),
    "a test may not break the layers either": (
        {"src/lakeward/base/x_test.cc": '#include "lakeward/fs/file.h"\n'},
        "src/lakeward/base/x_test.cc:1: 'base' may not include 'fs'"),
    "the program's folder has layers too": (
        {"bin/main.cc": '#include "lakeward/fs/file.h"\n'}, "bin/main.cc:1: 'bin' may not include 'fs'"),
    "the product may not include the program": (
        {"src/lakeward/table/x.cc": '#include "bin/main.h"\n'}, "x.cc:1: 'table' may not include 'bin'"),
    "an undeclared folder": (
        {"src/lakeward/other/x.cc": "int x;\n"}, "other/x.cc:1: folder 'other' is not in LAYERS"),
    "a relative include": (
        {"src/lakeward/table/x.cc": '#include "../base/clock.h"\n'}, "x.cc:1: relative include"),
    "an umbrella header in a header": (
        {"src/lakeward/table/scan.h": '#pragma once\n#include "arrow/compute/api.h"\n'
                                      '#include "lakeward/base/clock.h"\n'},
        "scan.h:2: umbrella header in a header"),
    "a library outside its adapter": (
        {"src/lakeward/table/x.cc": "#include <simdjson.h>\n"},
        "x.cc:1: only table/delta/ may include simdjson"),
    "a library outside its adapter's one file": (
        {"src/lakeward/table/x.cc": "#include <pcre2.h>\n"},
        "x.cc:1: only table/pattern.cc may include pcre2"),
    "a library that LAYERS does not know": (
        {"src/lakeward/table/x.cc": '#include "curl/curl.h"\n'}, "LAYERS has no 'adapter: curl …' line"),
    "a vague file name": (
        {"src/lakeward/table/string_utils.cc": "int x;\n"}, "string_utils.cc:1: vague name"),
    "a vague folder name": (
        {"src/lakeward/table/common/x.cc": "int x;\n"}, "common/x.cc:1: vague name"),
    "a wide line": (
        {"src/lakeward/table/x.cc": "//" + "é" * 99 + "\n"}, "x.cc:1: line over 100 columns"),
    "a file that is too long": (
        {"src/lakeward/table/x.cc": "\n" * 701}, "x.cc:1: 701 lines, more than 700"),
    "a header without #pragma once": (
        {"src/lakeward/base/clock.h": "class Clock;\n"}, "clock.h:1: no #pragma once"),
    "unfinished work": (
        {"src/lakeward/table/x.cc": "// TODO: the rest\n"}, "x.cc:1: unfinished work"),
    "a header that only its own files include": (
        {"src/lakeward/base/ids.h": "#pragma once\n",
         "src/lakeward/base/ids.cc": '#include "lakeward/base/ids.h"\n',
         "src/lakeward/base/ids_test.cc": '#include "lakeward/base/ids.h"\n'},
        "src/lakeward/base/ids.h:1: nobody includes this header"),
    "a folder without README": (
        {"src/lakeward/table/README.md": None}, "src/lakeward/table:1: no README.md"),
    "a README that is too long": (
        {"src/lakeward/table/README.md": "x\n" * 41}, "src/lakeward/table/README.md:1: 41 lines"),
    "an empty README": (
        {"src/lakeward/table/README.md": ""}, "src/lakeward/table/README.md:1: 0 lines"),
    "a ring of files": (
        {"src/lakeward/table/scan.h": '#pragma once\n#include "lakeward/table/plan.h"\n',
         "src/lakeward/table/plan.h": '#pragma once\n#include "lakeward/table/scan.h"\n'},
        "ring of files: lakeward/table/plan.h -> lakeward/table/scan.h -> lakeward/table/plan.h"),
    "a ring of folders": (
        {"src/lakeward/base/x.cc": '#include "lakeward/table/scan.h"\n'},
        "ring of folders: base -> table -> base"),
}


@pytest.mark.parametrize("breach", BREACHES)
def test_breach_is_found(breach, tmp_path):
    changes, expected = BREACHES[breach]
    code, output = run(tmp_path, changes)
    assert code > 0
    assert expected in output


BANNED_CALLS = [
    "auto t = std::chrono::steady_clock::now();", "long t = time(nullptr);", "std::thread worker;",
    "std::this_thread::yield();", "std::mt19937 engine;", "int x = rand();", "std::mutex mutex;",
    "std::shared_mutex mutex;", "std::condition_variable_any condition;", "std::once_flag once;",
    'auto home = std::getenv("HOME");', "int s = ::socket(1, 2, 3);", "std::ifstream in;",
    "std::filesystem::path p;", 'auto* f = fopen("x", "r");', "int f = ::open(path, 0);",
    'auto f = arrow::io::ReadableFile::Open("x");', "throw 1;",
]


@pytest.mark.parametrize("call", BANNED_CALLS)
def test_banned_call_is_found(call, tmp_path):
    code, output = run(tmp_path, {"src/lakeward/table/x.cc": f"/* first\n line */ {call}\n"})
    assert code > 0
    assert "src/lakeward/table/x.cc:2: '" in output and "is banned here; use" in output


@pytest.mark.parametrize("place", ["src/lakeward/table/x_test.cc", "src/lakeward/table/x_fuzz.cc",
                                   "src/lakeward/table/x_fixture.cc", "test/x.cc", "bench/x.cc"])
def test_tests_may_call_what_the_product_may_not(place, tmp_path):
    code, output = run(tmp_path, {place: "std::thread worker;\n#include <simdjson.h>\n"})
    assert code == 0, output


ALLOWED = {
    "base owns threads": ("src/lakeward/base/x.cc", "std::thread worker; std::mutex mutex;\n"),
    "fs owns files": ("src/lakeward/fs/x.cc", "int f = ::open(path, 0);\n"),
    "net owns sockets": ("src/lakeward/net/x.cc", "int s = ::socket(1, 2, 3);\n"),
    "a member of that name": ("src/lakeward/table/x.cc", "store.open(path); Session::connect(now); runtime(nullptr);\n"),
    "passing an exception on": ("src/lakeward/table/x.cc", "try { throw; } catch (const E& e) {}\n"),
    "a word in a comment": ("src/lakeward/table/x.cc", "// std::thread would do\n/* throw */ int x;\n"),
    "a word in a literal": ("src/lakeward/table/x.cc", 'auto x = "std::mutex \\" throw"; auto y = R"(throw ")";\n'),
    "digits with separators": ("src/lakeward/table/x.cc", "int x = 10'000; char c = '\"'; int y = 1'0;\n"),
    "a raw literal as wide as it needs": ("src/lakeward/table/x.cc", 'auto x = R"(' + "\n" + "x" * 120 + ')";\n'),
    "a commented include": ("src/lakeward/table/x.cc", '// #include "lakeward/stream/batch.h"\n'),
}


@pytest.mark.parametrize("case", ALLOWED)
def test_allowed(case, tmp_path):
    place, text = ALLOWED[case]
    readme = {str(Path(place).parent / "README.md"): "x\n"}
    code, output = run(tmp_path, {place: text, **readme})
    assert code == 0, output


@pytest.mark.parametrize("line, message", [
    ("early: late", "early names ['late'], which no line above declares"),
    ("no colon here", "'no colon here' is no line of the form"),
])
def test_layers_cannot_hold_a_ring(line, message, tmp_path):
    code, output = run(tmp_path, {"src/lakeward/LAYERS": LAYERS + line + "\nlate: base\n"})
    assert code != 0
    assert message in output
