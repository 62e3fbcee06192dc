"""Services that hand out credentials: STS, the container endpoint, the instance metadata. They count who asks."""

import datetime
import itertools
import json
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from faults import error_document, message, signed_again
from plain_s3 import Keys

STS_ANSWER = """<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{action}Result><Credentials>
<AccessKeyId>{id}</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey><SessionToken>{token}</SessionToken>
<Expiration>{expiration}</Expiration></Credentials></{action}Result></{action}Response>"""
TOKEN = "never-shown-token-{}"


class Issuer:
    """Hands out the store's keys with a new session token each time, for `lifetime` seconds."""

    def __init__(self, keys: Keys, lifetime: float = 3600):
        self.keys, self.lifetime = keys, lifetime
        self.refuses = False
        self.expirations: dict[str, float] = {}  # by token
        self.asked: list[str] = []  # "AssumeRole", "/latest/api/token", …
        self._numbers = itertools.count(1)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> "Issuer":
        return self

    def __exit__(self, *_) -> None:
        self._server.shutdown()
        self._server.server_close()

    def is_valid(self, token: str | None) -> bool:
        return time.time() < self.expirations.get(token or "", 0)

    def required(self):
        """The fault of a store that takes these tokens alone, and only while they are valid."""
        def fault(exchange) -> None:
            if not self.is_valid(exchange.request.get("x-amz-security-token")):
                body = error_document("ExpiredToken", "The provided token has expired.")
                exchange.answer(message(400, b"" if exchange.method == "HEAD" else body))
                return
            signed_again(exchange, self.keys)
            exchange.pass_on()
        fault.__name__ = "expired token"
        return fault

    def _issue(self) -> dict[str, str]:
        token = TOKEN.format(next(self._numbers))
        self.expirations[token] = time.time() + self.lifetime
        expiration = datetime.datetime.fromtimestamp(self.expirations[token], datetime.timezone.utc)
        return {"id": self.keys.key_id, "secret": self.keys.secret, "token": token,
                "expiration": expiration.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"}

    def _answer(self, method: str, path: str, body: str) -> str:
        form = dict(urllib.parse.parse_qsl(body))
        self.asked.append(form.get("Action", path))
        if method == "POST":
            return STS_ANSWER.format(action=form["Action"], **self._issue())
        if path == "/latest/api/token":
            return "token-of-the-metadata-service"
        if path.endswith("/security-credentials/"):
            return "role-of-this-machine"
        issued = self._issue()
        return json.dumps({"Code": "Success", "AccessKeyId": issued["id"], "SecretAccessKey": issued["secret"],
                           "Token": issued["token"], "Expiration": issued["expiration"]})

    def _handler(issuer):
        class Handler(BaseHTTPRequestHandler):
            def respond(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                answer = issuer._answer(self.command, self.path, body).encode()
                self.send_response(403 if issuer.refuses else 200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_PUT = do_POST = respond

            def log_message(self, *_) -> None:
                pass
        return Handler
