#!/usr/bin/env python3
"""Starts and ends the S3 server of the tests (SeaweedFS). Usage: s3_server.py up FOLDER WEED | down FOLDER

FOLDER holds everything of it: data, log, ports, process id; `down` removes it. `up` of one that runs only prints what
it prints anyway: `export` lines for a shell, and the configuration to use as a comment.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

KEY_ID, SECRET, BUCKET = "admin", "password", "warehouse"
START_SECONDS_MAX = 60


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def is_running(state: dict) -> bool:
    """Whether the process is there and still the one that was started."""
    try:
        return str(state["folder"]) in Path(f"/proc/{state['pid']}/cmdline").read_text()
    except OSError:
        return False


def read_state(folder: Path) -> dict | None:
    try:
        state = json.loads((folder / "state.json").read_text())
    except (OSError, ValueError):
        return None
    return state if is_running(state) else None


def answers(url: str) -> bool:
    try:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=2)
    except urllib.error.HTTPError:
        return True  # refuses what is not signed: it is there
    except OSError:
        return False
    return True


def start(folder: Path, weed: str) -> dict:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "data").mkdir(parents=True)
    identity = {"name": KEY_ID, "credentials": [{"accessKey": KEY_ID, "secretKey": SECRET}],
                "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
    # One that may read but not write, for the tests of missing rights.
    reader = {"name": "reader", "credentials": [{"accessKey": "reader", "secretKey": SECRET}], "actions": ["Read", "List"]}
    (folder / "s3.json").write_text(json.dumps({"identities": [identity, reader]}))
    names = ["master", "master.grpc", "volume", "volume.grpc", "filer", "filer.grpc", "s3", "s3.grpc", "s3.iceberg"]
    ports = dict(zip(names, free_ports(len(names))))
    flags = []
    for name, port in ports.items():
        service, _, kind = name.partition(".")
        flags.append(f"-{service}.port{'.' + kind if kind else ''}={port}")
    command = [weed, f"-logdir={folder}", "server", f"-dir={folder / 'data'}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
               "-filer", "-s3", f"-s3.config={folder / 's3.json'}", "-s3.autoCreateBucket=false", "-s3.port.lance=0",
               "-master.telemetry=false", "-master.volumeSizeLimitMB=1024", "-volume.max=64", "-volume.preStopSeconds=0",
               f"-filer.localSocket={folder / 'filer.sock'}", *flags]
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
    state = {"pid": process.pid, "folder": str(folder), "ports": ports}
    (folder / "state.json").write_text(json.dumps(state))
    deadline = time.monotonic() + START_SECONDS_MAX
    while not answers(f"http://127.0.0.1:{ports['s3']}/"):
        if process.poll() is not None or time.monotonic() > deadline:
            stop(folder, keep=True)
            sys.exit(f"s3_server: it did not start; see {folder / 'output'}")
        time.sleep(0.1)
    subprocess.run([weed, f"-logdir={folder}", "shell", f"-master=127.0.0.1:{ports['master']}.{ports['master.grpc']}"],
                   input=f"s3.bucket.create -name {BUCKET}\n", text=True, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=START_SECONDS_MAX)
    return state


def stop(folder: Path, keep: bool = False) -> None:
    state = read_state(folder)
    if state is not None:
        os.kill(state["pid"], signal.SIGTERM)
        deadline = time.monotonic() + 10
        while is_running(state) and time.monotonic() < deadline:
            time.sleep(0.05)
        if is_running(state):
            os.kill(state["pid"], signal.SIGKILL)
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)


def describe(state: dict) -> str:
    endpoint = f"http://127.0.0.1:{state['ports']['s3']}"
    return f"""# In a shell: eval "$(./dev up s3)". Or in config.yaml:
#   s3.endpoint: {endpoint}
#   s3.access-key: {KEY_ID}
#   s3.secret-key: {SECRET}
export AWS_ENDPOINT_URL={endpoint}
export AWS_ACCESS_KEY_ID={KEY_ID}
export AWS_SECRET_ACCESS_KEY={SECRET}
export AWS_REGION=us-east-1
export LAKEWARD_TEST_S3={endpoint}
export LAKEWARD_TEST_S3_BUCKET={BUCKET}
export LAKEWARD_TEST_ICEBERG_REST=http://127.0.0.1:{state['ports']['s3.iceberg']}"""


def main() -> None:
    match sys.argv[1:]:
        case ["up", folder, weed]:
            path = Path(folder).absolute()
            print(describe(read_state(path) or start(path, weed)))
        case ["down", folder]:
            stop(Path(folder).absolute())
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
