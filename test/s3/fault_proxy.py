"""An HTTP proxy between the program and its store that passes every byte as it is and, by rule, does harm.

The Host field stays as it came, so signatures made for the proxy's address stay valid. The faults are in faults.py.
`proxy.done` counts what was really done, `proxy.seen` what came, both by operation.
"""

import collections
import datetime
import random
import re
import socket
import ssl
import struct
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Callable

BUFFER_BYTES = 65536
STORE_TIMEOUT_SECONDS = 60


class Gone(Exception):
    """The other side closed the connection."""


@dataclass
class Message:
    """A request or an answer: the first line, the fields as they came, the body."""
    first_line: str
    fields: list[tuple[str, str]]
    body: bytes = b""
    time: float = 0.0  # when a request came

    def get(self, name: str) -> str | None:
        return next((value for key, value in self.fields if key.lower() == name.lower()), None)

    def without(self, *names: str) -> list[tuple[str, str]]:
        dropped = {name.lower() for name in names}
        return [(key, value) for key, value in self.fields if key.lower() not in dropped]

    def head(self) -> bytes:
        lines = [self.first_line, *(f"{key}: {value}" for key, value in self.fields)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def signed_ago(self) -> float:
        """Seconds from the time in a request's signature to when it came."""
        return self.time - datetime.datetime.strptime(self.get("x-amz-date") + "+0000", "%Y%m%dT%H%M%SZ%z").timestamp()

    @property
    def status(self) -> int:
        return int(self.first_line.split()[1])


class Stream:
    """A socket read by line and by count."""

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self._file = connection.makefile("rb", BUFFER_BYTES)

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def line(self) -> str:
        line = self._file.readline(BUFFER_BYTES)
        if not line.endswith(b"\n"):
            raise Gone
        return line.rstrip(b"\r\n").decode("latin-1")

    def exactly(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) != count:
            raise Gone
        return data

    def head(self) -> Message:
        first_line, fields = self.line(), []
        while line := self.line():
            key, _, value = line.partition(":")
            fields.append((key, value.strip()))
        return Message(first_line, fields)

    def chunked_body(self) -> bytes:
        """A chunked body as it is on the wire."""
        wire = b""
        while True:
            size = self.line()
            count = int(size.partition(";")[0], 16)
            wire += size.encode() + b"\r\n" + self.exactly(count + 2)
            if count == 0:
                return wire

    def close(self) -> None:
        self._file.close()
        self.connection.close()

    def reset(self) -> None:
        """Closes with RST instead of FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()


def operation_of(method: str, query: dict, request: Message, has_key: bool) -> str:
    if method == "PUT":
        if "partNumber" in query:
            return "part"
        return "conditional-put" if request.get("If-None-Match") else "put"
    if method == "POST":
        return "create" if "uploads" in query else "complete" if "uploadId" in query else "delete-many"
    if method == "DELETE":
        return "abort" if "uploadId" in query else "delete"
    if method == "GET" and not has_key:
        return "list-uploads" if "uploads" in query else "list"
    return method.lower()


class Exchange:
    """One request on its way, as a fault sees it."""

    def __init__(self, proxy: "FaultProxy", client: Stream, request: Message):
        self.proxy, self.client, self.request = proxy, client, request
        self.method, self.target, _ = request.first_line.split(" ", 2)
        path, _, query = re.sub(r"^http://[^/]+", "", self.target).partition("?")  # whole where we are its proxy
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        bucket_and_key = urllib.parse.unquote(path).lstrip("/").partition("/")
        self.key = bucket_and_key[2]
        self.operation = operation_of(self.method, self.query, request, bool(self.key))

    def ask_store(self) -> Message:
        """Sends the request to the store and gives the whole answer."""
        address = urllib.parse.urlsplit(self.proxy.store)
        store = Stream(socket.create_connection((address.hostname, address.port), STORE_TIMEOUT_SECONDS))
        try:
            store.send(self.request.head() + self.request.body)
            answer = store.head()
            while answer.status == 100:
                answer = store.head()
            if self.method == "HEAD" or answer.status in (204, 304):
                return answer
            if (answer.get("Transfer-Encoding") or "").lower() == "chunked":
                answer.body = store.chunked_body()
            else:
                answer.body = store.exactly(int(answer.get("Content-Length") or 0))
            return answer
        finally:
            store.close()

    def answer(self, answer: Message) -> None:
        self.client.send(answer.head() + answer.body)

    def pass_on(self) -> None:
        self.answer(self.ask_store())


@dataclass
class Rule:
    """Which requests a fault meets. `nth` counts the requests that match otherwise, from 1."""
    fault: Callable[[Exchange], None]
    operations: tuple[str, ...] = ()
    key: str = ""
    nth: tuple[int, ...] = ()
    probability: float = 1.0
    matches: int = field(default=0, init=False)
    chance: random.Random | None = field(default=None, init=False)

    def applies(self, exchange: Exchange) -> bool:
        if self.operations and exchange.operation not in self.operations:
            return False
        if self.key and not re.search(self.key, exchange.key):
            return False
        self.matches += 1
        if self.nth and self.matches not in self.nth:
            return False
        return self.chance is None or self.chance.random() < self.probability


class FaultProxy:
    """Listens at a free port of this machine until closed. `tls` is (certificate file, key file)."""

    def __init__(self, store: str = "", *rules: Rule, seed: int = 1, tls: tuple[str, str] | None = None):
        self.store = store
        self.done: collections.Counter = collections.Counter()  # by (name of the fault, operation)
        self.seen: collections.Counter = collections.Counter()  # by operation
        self.connections = 0
        self.requests: list[Message] = []  # heads only
        self._rules: list[Rule] = []
        self._seed = seed
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._context = None
        if tls:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(*tls)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self.endpoint = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self.add(*rules)
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> "FaultProxy":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def add(self, *rules: Rule) -> None:
        for rule in rules:
            if rule.probability < 1.0:
                rule.chance = random.Random(self._seed + len(self._rules))
            self._rules.append(rule)

    def heal(self) -> None:
        """From here on everything is passed."""
        with self._lock:
            self._rules = []

    def count(self, *operations: str) -> int:
        """How many faults happened, in these operations or in all."""
        return sum(count for (_, operation), count in self.done.items()
                   if not operations or operation in operations)

    def close(self) -> None:
        self._closing.set()
        self._listener.close()

    def is_closing(self, seconds: float) -> bool:
        """Waits so long; true as soon as the proxy ends."""
        return self._closing.wait(seconds)

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        client = None
        try:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            client = Stream(connection)
            while not self._closing.is_set():
                request = client.head()
                request.body = client.exactly(int(request.get("Content-Length") or 0))
                self._handle(Exchange(self, client, request))
        except (Gone, OSError, ValueError):
            pass  # either side has gone, or a fault has closed the connection
        finally:
            (client or connection).close()

    def _handle(self, exchange: Exchange) -> None:
        with self._lock:
            self.seen[exchange.operation] += 1
            self.requests.append(Message(exchange.request.first_line, exchange.request.fields, time=time.time()))
            rule = next((rule for rule in self._rules if rule.applies(exchange)), None)
            if rule:
                self.done[rule.fault.__name__, exchange.operation] += 1
        if rule:
            rule.fault(exchange)
        else:
            exchange.pass_on()
