"""The statements of the tests."""

VALUES = "INSERT INTO t VALUES ('a', 42);\n"


def json_table(uri: str, columns: str = "c1 VARCHAR, c2 INT", name: str = "t") -> str:
    return f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'filesystem', 'path' = '{uri}', 'format' = 'json');\n"


def delta_table(uri: str, columns: str = "c1 VARCHAR, c2 INT", name: str = "t") -> str:
    return f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'delta', 'table-path' = '{uri}');\n"


def generated(rows: int, columns: str = "id BIGINT, s STRING", name: str = "g") -> str:
    """A table with the ids 0 to rows - 1 and random text of 100 letters beside each."""
    return (f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'datagen', 'number-of-rows' = '{rows}', "
            "'rows-per-second' = '100000000', 'fields.id.kind' = 'sequence', 'fields.id.start' = '0', "
            f"'fields.id.end' = '{rows - 1}');\n")
