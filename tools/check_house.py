#!/usr/bin/env python3
"""Checks that the C++ tree obeys its own house rules. Usage: check_house.py [REPOSITORY]

src/lakeward/LAYERS is the contract, lowest folder first:
    folder: the folders it may include          (declared above it, so that no ring can be written down)
    adapter: library file folder/ …             the only places that may include the library's headers
    everywhere: library …                       libraries whose headers any file may include
test/lint shows each rule failing. Nothing here is a matter of taste: STYLE.md gives each rule's reason.
"""
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

COLUMNS_MAX = 100
FILE_LINES_MAX = 700
HEADER_LINES_HABIT = 300
README_LINES_MAX = 40
VAGUE = re.compile(r"(^|_)(utils?|helpers?|common|manager|misc|impl)(_|\.|$)")
UMBRELLA = re.compile(r"arrow/(\w+/)*api\.h|parquet/api/\w+\.h")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")
BANNED = [  # what, the folders that may, what the others use
    (r"std::chrono::\w+_clock\b|\btime\((nullptr|NULL|0)\)|\b(clock_gettime|gettimeofday)\(",
     {"base"}, "base/clock.h"),
    (r"std::(thread|jthread|async|promise|packaged_task|this_thread)\b|\bpthread_\w+\(|\b(u|nano)?sleep\(|\bsleep_for\b",
     {"base"}, "base/executor.h"),
    (r"std::(random_device|mt19937(_64)?|default_random_engine)\b|\bs?rand\(|\bgetrandom\(",
     {"base"}, "base/random.h"),
    (r"std::(shared_|recursive_|timed_)*mutex\b|std::condition_variable\w*|"
     r"std::(counting_semaphore|binary_semaphore|latch|barrier|once_flag|call_once)\b", {"base"}, "base/mutex.h"),
    (r"\b(secure_)?getenv\(|\b(set|unset|put)env\(", {"base"}, "base/environment.h"),
    (r"(?<!\w)::(socket|connect|bind|listen|accept)\(", {"net"}, "net/"),
    (r"std::(basic_)?[io]?fstream\b|std::filesystem\b|\bfopen\(|(?<!\w)::(open|unlink|rename|mkdir|stat)\(|"
     r"\barrow::io::(ReadableFile|FileOutputStream|MemoryMappedFile)\b", {"base", "fs"}, "fs/file_system.h"),
    (r"\bthrow\b(?!\s*;)", set(), "MakeError() of base/status.h"),
]
BANNED = [(re.compile(pattern), allowed, instead) for pattern, allowed, instead in BANNED]
INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)[>"]')
# Comments, and literals, whose words are not calls. Newlines inside are kept by blank().
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
RAW_LITERAL = re.compile(r'R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"', re.S)
NOT_CODE = re.compile(
    RAW_LITERAL.pattern + r'|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)*\'|'
    + COMMENT.pattern, re.S)


def blank(match: re.Match) -> str:
    return "\n" * match[0].count("\n")


@dataclass
class Layers:
    allowed: dict[str, set[str]] = field(default_factory=dict)
    adapters: dict[str, list[str]] = field(default_factory=dict)
    everywhere: set[str] = field(default_factory=set)

    @staticmethod
    def read(path: Path) -> "Layers":
        layers = Layers()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            name, colon, rest = line.split("#")[0].strip().partition(":")
            words = rest.split()
            if not colon:
                if name:
                    sys.exit(f"{path}:{number}: '{name}' is no line of the form 'name: words'")
            elif name == "adapter":
                layers.adapters[words[0]] = words[1:]
            elif name == "everywhere":
                layers.everywhere |= set(words)
            else:
                unknown = set(words) - set(layers.allowed)
                if unknown:
                    sys.exit(f"{path}:{number}: {name} names {sorted(unknown)}, which no line above declares")
                layers.allowed[name] = set(words)
        return layers

    def folder_of(self, path: str) -> str:
        """The longest declared folder that holds `path`: table/delta has rules of its own, format/json those of format."""
        while path not in self.allowed and "/" in path:
            path = path.rpartition("/")[0]
        return path


@dataclass
class Source:
    """One C++ file. `name` is what an #include says: lakeward/base/status.h; of bin/main.cc: bin/main.cc."""
    path: str
    name: str
    folder: str
    text: str
    includes: list[tuple[int, str, str]] = field(default_factory=list)  # line, < or ", path

    def __post_init__(self) -> None:
        for number, line in enumerate(COMMENT.sub(blank, self.text).splitlines(), 1):
            if match := INCLUDE.match(line):
                self.includes.append((number, match[1], match[2]))

    @property
    def is_header(self) -> bool:
        return self.path.endswith(".h")

    @property
    def is_product(self) -> bool:
        """Whether the file ends up in the program; tests, what serves them, and benchmarks may do what it may not."""
        top = self.path.split("/")[0]
        return top in ("src", "bin") and not re.search(r"_(test|fuzz|bench|fixture|contract|testing)\.(cc|h)$", self.path)


def read_sources(root: Path, layers: Layers) -> list[Source]:
    sources = []
    for top in ("src", "bin", "test", "bench"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cc") or not path.is_file():
                continue
            relative = path.relative_to(root).as_posix()
            name = relative.removeprefix("src/") if top == "src" else relative
            folder = layers.folder_of(Path(name).parent.as_posix().removeprefix("lakeward/"))
            sources.append(Source(relative, name, folder, path.read_text()))
    return sources


class House:
    def __init__(self, root: Path):
        self.root = root
        self.layers = Layers.read(root / "src/lakeward/LAYERS")
        self.sources = read_sources(root, self.layers)
        self.findings: list[str] = []
        self.habits: list[str] = []

    def report(self, path: str, line: int, message: str) -> None:
        self.findings.append(f"{path}:{line}: {message}")

    def check(self) -> None:
        for source in self.sources:
            self.check_text(source)
            if source.path.startswith(("src/", "bin/")):
                self.check_includes(source)
            if source.is_product:
                self.check_calls(source)
        self.check_cycles()
        self.check_dead_headers()
        self.check_readmes()

    def check_text(self, source: Source) -> None:
        if VAGUE.search(Path(source.path).name) or any(VAGUE.search(part) for part in Path(source.path).parts[:-1]):
            self.report(source.path, 1, "vague name; name the concept")
        if source.is_header and "#pragma once" not in source.text:
            self.report(source.path, 1, "no #pragma once")
        lines = source.text.splitlines()
        for number, line in enumerate(RAW_LITERAL.sub(blank, source.text).splitlines(), 1):
            if len(line) > COLUMNS_MAX and "://" not in line:  # neither raw literals nor addresses can be broken
                self.report(source.path, number, f"line over {COLUMNS_MAX} columns")
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line):
                self.report(source.path, number, "unfinished work is no comment; finish it or refuse it with an error")
        if len(lines) > FILE_LINES_MAX:
            self.report(source.path, 1, f"{len(lines)} lines, more than {FILE_LINES_MAX}; split it by noun")
        elif source.is_header and len(lines) > HEADER_LINES_HABIT:
            self.habits.append(f"{source.path}: {len(lines)} lines, much for a header")

    def check_includes(self, source: Source) -> None:
        allowed = self.layers.allowed.get(source.folder)
        if allowed is None:
            self.report(source.path, 1, f"folder '{source.folder}' is not in LAYERS")
            return
        for number, quote, included in source.includes:
            if included.startswith("."):
                self.report(source.path, number, "relative include; name the path from the root")
            elif included.startswith(("lakeward/", "bin/")):
                target = self.layers.folder_of(Path(included).parent.as_posix().removeprefix("lakeward/"))
                if target != source.folder and target not in allowed:
                    self.report(source.path, number, f"'{source.folder}' may not include '{target}'")
            elif source.is_product:
                self.check_library(source, number, quote, included)
            if source.is_header and UMBRELLA.fullmatch(included):
                self.report(source.path, number, "umbrella header in a header; include the part you use")

    def check_library(self, source: Source, number: int, quote: str, included: str) -> None:
        library = re.sub(r"\.(h|hpp|hh)$", "", included.split("/")[0])
        places = self.layers.adapters.get(library)
        if places is None:
            system = quote == "<" and ("/" not in included or included.startswith(("sys/", "netinet/", "arpa/")))
            if not system and library not in self.layers.everywhere:
                self.report(source.path, number, f"'{included}': LAYERS has no 'adapter: {library} …' line")
            return
        name = source.name.removeprefix("lakeward/")
        if not any(name == place or (place.endswith("/") and name.startswith(place)) for place in places):
            self.report(source.path, number, f"only {' '.join(places)} may include {library}; use its interface")

    def check_calls(self, source: Source) -> None:
        for number, line in enumerate(NOT_CODE.sub(blank, source.text).splitlines(), 1):
            for pattern, allowed, instead in BANNED:
                if source.folder not in allowed and (match := pattern.search(line)):
                    self.report(source.path, number, f"'{match[0]}' is banned here; use {instead}")

    def check_cycles(self) -> None:
        """What files really include, without belief in LAYERS: no ring of folders, none of files."""
        folder_of = {source.name: source.folder for source in self.sources}
        files: dict[str, set[str]] = {}
        folders: dict[str, set[str]] = {}
        for source in self.sources:
            known = {included for _, _, included in source.includes if included in folder_of}
            files[source.name] = known
            if source.path.startswith("src/"):
                folders.setdefault(source.folder, set()).update(
                    {folder_of[included] for included in known} - {source.folder})
        for kind, edges in (("folders", folders), ("files", files)):
            if ring := find_ring(edges):
                self.report("src/lakeward/LAYERS", 1, f"ring of {kind}: {' -> '.join(ring)}")

    def check_dead_headers(self) -> None:
        """A header that only its own .cc and its own test include is code that nobody uses."""
        used: set[str] = set()
        for source in self.sources:
            stem = re.sub(r"(_(test|fuzz|bench))?\.(cc|h)$", "", source.name)
            used |= {included for _, _, included in source.includes if included.removesuffix(".h") != stem}
        for source in self.sources:
            if source.is_header and source.path.startswith("src/") and source.name not in used:
                self.report(source.path, 1, "nobody includes this header; remove it or use it")

    def check_readmes(self) -> None:
        place = {folder: f"src/lakeward/{folder}" for folder in self.layers.allowed}
        for folder in sorted({source.folder for source in self.sources if source.path.startswith("src/")} & set(place)):
            if not (self.root / place[folder] / "README.md").is_file():
                self.report(place[folder], 1, "no README.md: purpose, the three files to read first, what it must not know")
        for readme in sorted((self.root / "src").rglob("README.md")):
            count = len(readme.read_text().splitlines())
            if not 0 < count <= README_LINES_MAX:
                self.report(readme.relative_to(self.root).as_posix(), 1, f"{count} lines; a README has 1 to {README_LINES_MAX}")


def find_ring(edges: dict[str, set[str]]) -> list[str] | None:
    """One ring of the graph as the nodes along it, the first again at the end; None when there is none."""
    done: set[str] = set()
    for start in sorted(edges):
        if start in done:
            continue
        path = [start]
        pending = [(start, iter(sorted(edges[start])))]
        while pending:
            node, targets = pending[-1]
            target = next(targets, None)
            if target is None:
                done.add(node)
                pending.pop()
                path.pop()
            elif target in path:
                ring = path[path.index(target):]
                first = ring.index(min(ring))
                return ring[first:] + ring[:first + 1]
            elif target not in done:
                path.append(target)
                pending.append((target, iter(sorted(edges.get(target, ())))))
    return None


def main() -> int:
    if len(sys.argv) > 2 or "--help" in sys.argv:
        sys.exit(__doc__)
    house = House(Path(sys.argv[1] if len(sys.argv) == 2 else "."))
    house.check()
    print("\n".join(house.habits + house.findings))
    folders = Counter(source.folder for source in house.sources)
    print(f"{len(house.sources)} C++ files in {len(folders)} folders, {len(house.findings)} findings")
    return 1 if house.findings else 0


if __name__ == "__main__":
    sys.exit(main())
