"""Runs SQL in the program under test."""

import json
import os
import pathlib
import subprocess

TIMEOUT_SECONDS = 120


class SqlFailed(Exception):
    """A script failed; the text is what the person saw."""


class Lakeward:
    """One program and a folder for its scripts and outputs."""

    def __init__(self, program: str, folder: pathlib.Path):
        self._program = program
        self._folder = folder
        self._count = 0

    def run(self, sql: str, check: bool = True) -> subprocess.CompletedProcess:
        """Runs a script; raises SqlFailed when it fails and `check` is set."""
        self._count += 1
        script = self._folder / f"script-{self._count}.sql"
        script.write_text(sql, encoding="utf-8")
        environment = {**os.environ, "TZ": "UTC"}
        result = subprocess.run(
            [self._program, "sql", "-f", str(script)],
            capture_output=True, text=True, timeout=TIMEOUT_SECONDS, env=environment, check=False)
        if check and result.returncode != 0:
            raise SqlFailed(result.stdout + result.stderr)
        return result

    def start(self, sql: str) -> subprocess.Popen:
        """Starts a script without waiting for it."""
        self._count += 1
        script = self._folder / f"script-{self._count}.sql"
        script.write_text(sql, encoding="utf-8")
        return subprocess.Popen([self._program, "sql", "-f", str(script)],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def rows(self, definition: str, query_columns: str, result_columns: str,
             where: str = "") -> list:
        """Copies a Delta table into JSON lines and gives them as dictionaries.

        `definition` creates the table `t`; `query_columns` are selected into a table of
        `result_columns`.
        """
        self._count += 1
        output = self._folder / f"rows-{self._count}"
        self.run(f"""
            {definition}
            CREATE TABLE default_catalog.default_database.rows_out ({result_columns}) WITH (
              'connector' = 'filesystem', 'path' = '{output}', 'format' = 'json');
            INSERT INTO default_catalog.default_database.rows_out
              SELECT {query_columns} FROM t {where};
        """)
        rows = []
        for file in sorted(output.rglob("*")):
            if file.is_file() and not file.name.startswith((".", "_")):
                for line in file.read_text(encoding="utf-8").splitlines():
                    rows.append(json.loads(line))
        return rows


def delta_table(path: pathlib.Path, columns: str, partitioned_by: str = "",
                options: str = "", name: str = "t") -> str:
    """Statements that make `name` the Delta table at `path`; the catalog of that name is used."""
    partition = f"PARTITIONED BY ({partitioned_by})" if partitioned_by else ""
    return f"""
        CREATE CATALOG lake WITH ('type' = 'delta-catalog', 'catalog-type' = 'in-memory');
        CREATE DATABASE lake.db;
        USE lake.db;
        CREATE TABLE {name} ({columns}) {partition} WITH (
          'connector' = 'delta', 'table-path' = '{path}'{options});
    """
