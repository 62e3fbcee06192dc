"""Nothing that the program printed in this whole run holds a secret. This file is run last."""

import re

from conftest import KEYS
from fault_proxy import Rule
from faults import answering
from tables import VALUES, delta_table, json_table

NEVER_SHOWN = "never-shown"  # all secrets and tokens of the tests but the store's own begin so
ENCRYPTION_KEY = "bmV2ZXItc2hvd24tMTIzNDU2Nzg5MDEyMzQ1Njc4OTA="


def leaks(text: str) -> list[str]:
    """Places where a secret stands; `password` in a setting's name or in the sentence about URLs is none."""
    text = text.replace("user name or password", "")
    own = rf"(?<![\w.-]){re.escape(KEYS.secret)}(?![\w-])"
    pattern = f"{own}|{NEVER_SHOWN}|{ENCRYPTION_KEY}"
    return [text[max(0, found.start() - 80):found.end() + 40] for found in re.finditer(pattern, text)]


def test_leaks_are_found():
    assert leaks("secret 'password'") and leaks("key=password") and leaks(f"token {NEVER_SHOWN}-1")
    assert not leaks("fs.s3a.proxy.password: '******'")


def test_no_output_holds_a_secret(through, bare, place, proxy, outputs):
    """Traces, failures and reports of this test, and everything else that was printed in this run."""
    keys = {"s3.access-key": "nobody", "s3.secret-key": NEVER_SHOWN, "s3.session-token": NEVER_SHOWN,
            "fs.s3a.encryption.algorithm": "SSE-C", "fs.s3a.encryption.key": ENCRYPTION_KEY,
            "fs.s3a.proxy.password": NEVER_SHOWN, "log.s3": "trace"}
    trace = through.with_settings({"log.s3": "trace"})
    trace.succeed(json_table(place.uri("t")) + delta_table(place.uri("d"), name="d") + VALUES
                  + "INSERT INTO d SELECT * FROM t; SHOW CONFIGURATION; SHOW CREATE TABLE t;")
    through.with_settings(keys).run(json_table(place.uri("u")) + VALUES)
    in_table = "".join(f", '{name}' = '{value}'" for name, value in keys.items() if name.startswith(("s3", "fs")))
    through.run(json_table(place.uri("w")).replace("'json'", "'json'" + in_table) + "SHOW CREATE TABLE t; DESCRIBE t;"
                + "SHOW TABLES; EXPLAIN SELECT * FROM t;" + VALUES)
    through.run("".join(f"SET '{name}' = '{value}';\n" for name, value in keys.items()) + "SET;\nSHOW CONFIGURATION;")
    through.with_settings(keys).ask("config")
    proxy.add(Rule(answering(403, "AccessDenied")))
    trace.run(delta_table(place.uri("v")) + VALUES)
    bare.with_variables({"AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": NEVER_SHOWN}).with_settings(
        {"s3.endpoint": f"http://nobody:{NEVER_SHOWN}@127.0.0.1:1"}).run(json_table(place.uri("x")) + VALUES)
    printed = outputs.read_text(encoding="utf-8")
    assert "TRACE [s3]" in printed and "AccessDenied" in printed
    assert leaks(printed) == []
