#!/usr/bin/env python3
"""One large object by others, for comparison: peer_transfer.py socket|boto3|pyarrow up|down KEY BYTES

socket: the limit. One connection and nothing but sending or receiving; the store checks no checksum.
Uses AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the bucket in LAKEWARD_TEST_S3_BUCKET.
"""

import os
import pathlib
import socket
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test" / "s3"))

BLOCK = bytes((i * 2654435761 >> 13) & 255 for i in range(1 << 20))
ENDPOINT = os.environ["AWS_ENDPOINT_URL"]
BUCKET = os.environ["LAKEWARD_TEST_S3_BUCKET"]


def exchange(method, key, length):
    """Sends one signed request's head; the connection."""
    import plain_s3
    keys = plain_s3.Keys(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"])
    url = urllib.parse.urlsplit(ENDPOINT)
    target = f"/{BUCKET}/{key}"
    headers = plain_s3.signed_headers(keys, method, target, {"Host": url.netloc}, None)
    headers["Content-Length"] = str(length)
    connection = socket.create_connection((url.hostname, url.port))
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    connection.sendall("\r\n".join(lines).encode())
    return connection


def read_head(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = connection.recv(1 << 16)
        if not piece:
            sys.exit(f"the store hung up: {head!r}")
        head += piece
    head, _, rest = head.partition(b"\r\n\r\n")
    if b" 200 " not in head.splitlines()[0]:
        sys.exit(f"the store refused: {head!r} {rest!r}")
    return rest


def socket_up(key, size):
    with exchange("PUT", key, size) as connection:
        for start in range(0, size, len(BLOCK)):
            connection.sendall(BLOCK[:size - start])
        read_head(connection)


def socket_down(key, size):
    buffer = bytearray(1 << 20)
    with exchange("GET", key, 0) as connection:
        done = len(read_head(connection))
        while done < size:
            count = connection.recv_into(buffer)
            if count == 0:
                sys.exit(f"the store hung up after {done} bytes")
            done += count


class Blocks:
    """A file of `size` bytes to read from."""

    def __init__(self, size):
        self.left = size

    def read(self, count=-1):
        count = min(self.left, count if count >= 0 else self.left)
        self.left -= count
        return (BLOCK * (count // len(BLOCK) + 1))[:count]


class Nowhere:
    def write(self, data):
        return len(data)


def boto3_client():
    import boto3
    import botocore.config
    return boto3.client("s3", endpoint_url=ENDPOINT,
                        config=botocore.config.Config(s3={"addressing_style": "path"}, region_name="us-east-1"))


def boto3_up(key, size):
    boto3_client().upload_fileobj(Blocks(size), BUCKET, key)


def boto3_down(key, size):
    boto3_client().download_fileobj(BUCKET, key, Nowhere())


def pyarrow_store():
    import pyarrow.fs
    url = urllib.parse.urlsplit(ENDPOINT)
    return pyarrow.fs.S3FileSystem(endpoint_override=url.netloc, scheme=url.scheme, region="us-east-1")


def pyarrow_up(key, size):
    with pyarrow_store().open_output_stream(f"{BUCKET}/{key}") as file:
        for start in range(0, size, len(BLOCK)):
            file.write(BLOCK[:size - start])


def pyarrow_down(key, size):
    with pyarrow_store().open_input_stream(f"{BUCKET}/{key}") as file:
        while file.read(1 << 20):
            pass


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    globals()[f"{sys.argv[1]}_{sys.argv[2]}"](sys.argv[3], int(sys.argv[4]))
