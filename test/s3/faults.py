"""What can go wrong between the program and its store: each fault is a function over one exchange of the proxy."""

import datetime
import email.utils
import time
from typing import Callable

from fault_proxy import Exchange, Gone, Message
from plain_s3 import Keys, signed_headers

SKEW_SECONDS_MAX = 900
REASONS = {200: "OK", 301: "Moved Permanently", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
           429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
           504: "Gateway Timeout", 409: "Conflict", 412: "Precondition Failed", 501: "Not Implemented"}


def _named(name: str, fault: Callable[[Exchange], None]) -> Callable[[Exchange], None]:
    fault.__name__ = name
    return fault


def error_document(code: str, message: str = "said by the proxy", **elements: str) -> bytes:
    more = "".join(f"<{name}>{text}</{name}>" for name, text in elements.items())
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>{message}</Message>{more}'
            "<RequestId>FROM-THE-PROXY</RequestId></Error>").encode()


def message(status: int, body: bytes = b"", **fields: str) -> Message:
    """An answer; an underscore in a field's name is a hyphen."""
    pairs = [(name.replace("_", "-"), value) for name, value in fields.items()]
    return Message(f"HTTP/1.1 {status} {REASONS[status]}",
                   [("Content-Type", "application/xml"), *pairs, ("Content-Length", str(len(body)))], body)


def answering(status: int, code: str = "", fields: dict | None = None, **elements: str):
    """Answers so, and the store hears nothing. Without a code the body is empty."""
    def fault(exchange: Exchange) -> None:
        body = error_document(code, **elements) if code and exchange.method != "HEAD" else b""
        exchange.answer(message(status, body, **(fields or {})))
    return _named(f"answering {status} {code}".strip(), fault)


def plain_text(status: int, text: str):
    """Answers with a sentence that is no document of S3."""
    def fault(exchange: Exchange) -> None:
        body = text.encode() if exchange.method != "HEAD" else b""
        exchange.answer(message(status, body))
    return _named(f"plain_text {status}", fault)


def drop(exchange: Exchange) -> None:
    """The connection ends without an answer, and the store heard nothing."""
    exchange.client.close()
    raise Gone


def reset(exchange: Exchange) -> None:
    exchange.client.reset()
    raise Gone


def lost_answer(exchange: Exchange) -> None:
    """The store has done it; nobody hears of it."""
    exchange.ask_store()
    exchange.client.reset()
    raise Gone


def lost_in_500(exchange: Exchange) -> None:
    """The store has done it; a gateway says otherwise."""
    exchange.ask_store()
    exchange.answer(message(500, error_document("InternalError") if exchange.method != "HEAD" else b""))


def cut_body(exchange: Exchange) -> None:
    answer = exchange.ask_store()
    exchange.client.send(answer.head() + answer.body[:len(answer.body) // 2])
    exchange.client.close()
    raise Gone


def stall(exchange: Exchange) -> None:
    """No byte comes; the connection stays."""
    exchange.proxy.is_closing(600)
    raise Gone


def delay(seconds: float):
    def fault(exchange: Exchange) -> None:
        exchange.proxy.is_closing(seconds)
        exchange.pass_on()
    return _named(f"delay {seconds}", fault)


def drip(count: int, seconds: float):
    """The answer comes whole, `count` bytes at a time."""
    def fault(exchange: Exchange) -> None:
        answer = exchange.ask_store()
        data = answer.head() + answer.body
        for start in range(0, len(data), count):
            exchange.client.send(data[start:start + count])
            exchange.proxy.is_closing(seconds)
    return _named("drip", fault)


def error_in_200(code: str, is_done: bool = False):
    """Status 200 and an error in the body, as CompleteMultipartUpload may answer."""
    def fault(exchange: Exchange) -> None:
        if is_done:
            exchange.ask_store()
        exchange.answer(message(200, error_document(code)))
    return _named(f"error_in_200 {code}", fault)


def signed_again(exchange: Exchange, keys: Keys, *without: str) -> None:
    kept = exchange.request.without("Authorization", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token",
                                    *without)
    signed = signed_headers(keys, exchange.method, exchange.target, dict(kept), exchange.request.body)
    exchange.request.fields = list(signed.items())


def ignored_condition(keys: Keys):
    """A store that does not know If-None-Match and writes."""
    def fault(exchange: Exchange) -> None:
        signed_again(exchange, keys, "If-None-Match")
        exchange.pass_on()
    return _named("ignored_condition", fault)


def other_region(keys: Keys, region: str, status: int = 301, says_region: bool = True):
    """A store that lies in `region` and takes only what is signed for it."""
    def fault(exchange: Exchange) -> None:
        if f"/{region}/s3/" in (exchange.request.get("Authorization") or ""):
            signed_again(exchange, keys)
            exchange.pass_on()
            return
        code = {301: "PermanentRedirect", 400: "AuthorizationHeaderMalformed"}[status]
        elements = {"Region": region} if says_region and status == 400 else {}
        body = error_document(code, "the region is wrong", **elements) if exchange.method != "HEAD" else b""
        fields = {"x_amz_bucket_region": region} if says_region else {}
        exchange.answer(message(status, body, **fields))
    return _named(f"other_region {status}", fault)


def skewed_clock(keys: Keys, seconds: float):
    """A store whose clock is so much ahead of everybody's, and that refuses other times."""
    def fault(exchange: Exchange) -> None:
        now = time.time() + seconds
        sent = datetime.datetime.strptime(exchange.request.get("x-amz-date"), "%Y%m%dT%H%M%SZ")
        sent = sent.replace(tzinfo=datetime.timezone.utc).timestamp()
        if abs(sent - now) > SKEW_SECONDS_MAX:
            body = error_document("RequestTimeTooSkewed") if exchange.method != "HEAD" else b""
            exchange.answer(message(403, body, Date=email.utils.formatdate(now, usegmt=True)))
            return
        signed_again(exchange, keys)
        answer = exchange.ask_store()
        answer.fields = answer.without("Date") + [("Date", email.utils.formatdate(now, usegmt=True))]
        exchange.answer(answer)
    return _named("skewed_clock", fault)


def requires_token(keys: Keys, token: str):
    """A store that takes the session token `token` alone and calls others expired."""
    def fault(exchange: Exchange) -> None:
        if exchange.request.get("x-amz-security-token") != token:
            body = error_document("ExpiredToken", "The provided token has expired.")
            exchange.answer(message(400, body if exchange.method != "HEAD" else b""))
            return
        signed_again(exchange, keys)
        exchange.pass_on()
    return _named("requires_token", fault)
