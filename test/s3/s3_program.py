"""Runs the program in surroundings that hold nothing but what a test puts there."""

import os
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from plain_s3 import Keys

TIMEOUT_SECONDS = 120
FIRST_LINE = "[ERROR] Could not execute SQL statement. Reason:"
_FOREIGN = re.compile(r"^(AWS_|LAKEWARD_|FLINK_|HADOOP_)|_proxy$|^HOME$", re.IGNORECASE)


@dataclass(frozen=True)
class Surroundings:
    program: str
    folder: Path
    outputs: Path

    def variables(self) -> dict[str, str]:
        """Nobody's keys, profiles, instance or proxy."""
        clean = {name: value for name, value in os.environ.items() if not _FOREIGN.search(name)}
        return {**clean, "HOME": str(self.folder), "TZ": "UTC", "AWS_EC2_METADATA_DISABLED": "true"}

    def keep(self, text: str) -> None:
        with self.outputs.open("a", encoding="utf-8") as file:
            file.write(text)


@dataclass(frozen=True)
class Done:
    code: int
    output: str
    errors: str
    seconds: float

    @property
    def error(self) -> str:
        """The one error, without the line that stands before each; ports and random names replaced."""
        assert self.code == 1, f"exit code {self.code}: {self.output}{self.errors}"
        assert self.errors.count("[ERROR]") == 1, self.errors
        first, _, rest = self.errors[self.errors.index("[ERROR]"):].partition("\n")
        assert first == FIRST_LINE, self.errors
        rest = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<ID>", rest)
        rest = re.sub(r"request id [^,;) \n]+", "request id <ID>", rest)
        return re.sub(r"(127\.0\.0\.1|localhost):\d+", r"\1:<PORT>", rest).rstrip("\n")


@dataclass(frozen=True)
class Program:
    """An immutable set-up; `with_...` gives another one."""
    surroundings: Surroundings
    settings: dict = field(default_factory=dict)  # -D
    variables: dict = field(default_factory=dict)
    arguments: tuple = ()

    def with_settings(self, settings: dict) -> "Program":
        return Program(self.surroundings, {**self.settings, **settings}, self.variables, self.arguments)

    def with_variables(self, variables: dict) -> "Program":
        return Program(self.surroundings, self.settings, {**self.variables, **variables}, self.arguments)

    def with_arguments(self, *arguments: str) -> "Program":
        return Program(self.surroundings, self.settings, self.variables, (*self.arguments, *arguments))

    def with_keys(self, keys: Keys) -> "Program":
        return self.with_settings({"s3.access-key": keys.key_id, "s3.secret-key": keys.secret})

    def command(self, sql: str) -> list[str]:
        script = self.surroundings.folder / f"script-{time.monotonic_ns()}.sql"
        script.write_text(sql, encoding="utf-8")
        return [self.surroundings.program, "run", str(script), *self._options()]

    def _options(self) -> list[str]:
        return [*self.arguments, *(part for name, value in self.settings.items() for part in ("-D", f"{name}={value}"))]

    def environment(self) -> dict[str, str]:
        return {**self.surroundings.variables(), **self.variables}

    def run(self, sql: str, timeout: float = TIMEOUT_SECONDS) -> Done:
        return self._execute(self.command(sql), timeout)

    def ask(self, *arguments: str) -> Done:
        """Another command than `run`, such as `config`."""
        return self._execute([self.surroundings.program, *arguments, *self._options()], TIMEOUT_SECONDS)

    def succeed(self, sql: str, timeout: float = TIMEOUT_SECONDS) -> Done:
        done = self.run(sql, timeout)
        assert done.code == 0, done.output + done.errors
        return done

    def start(self, sql: str) -> subprocess.Popen:
        return subprocess.Popen(self.command(sql), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=self.environment(), cwd=self.surroundings.folder)

    def _execute(self, command: list[str], timeout: float) -> Done:
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=self.environment(),
                              cwd=self.surroundings.folder, check=False)
        self.surroundings.keep(done.stdout + done.stderr)
        return Done(done.returncode, done.stdout, done.stderr, time.monotonic() - start)
