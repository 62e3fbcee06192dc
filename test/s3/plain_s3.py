"""A small S3 client of the standard library, to see what lies in the store without asking the program."""

import datetime
import hashlib
import hmac
import http.client
import urllib.parse
import xml.etree.ElementTree
from dataclasses import dataclass

TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Keys:
    key_id: str
    secret: str
    region: str = "us-east-1"


def quote(text: str, safe: str = "") -> str:
    return urllib.parse.quote(text, safe=safe + "-._~")


def signed_headers(keys: Keys, method: str, target: str, headers: dict, body: bytes | None) -> dict:
    """Signature version 4: `headers` (with Host) and what a store wants beside them.

    `target` is the path and query as they are sent: encoded, the query sorted. A `body` of None is not signed.
    """
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    payload = "UNSIGNED-PAYLOAD" if body is None else hashlib.sha256(body).hexdigest()
    headers = {**headers, "x-amz-date": now, "x-amz-content-sha256": payload}
    lowered = {name.lower(): " ".join(value.split()) for name, value in headers.items()}
    names = ";".join(sorted(lowered))
    path, _, query = target.partition("?")
    query = "&".join(sorted(item if "=" in item else item + "=" for item in query.split("&") if item))
    lines = "".join(f"{name}:{lowered[name]}\n" for name in sorted(lowered))
    canonical = "\n".join([method, path, query, lines, names, payload])
    scope = f"{now[:8]}/{keys.region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + keys.secret).encode()
    for part in (now[:8], keys.region, "s3", "aws4_request", text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    headers["Authorization"] = (f"AWS4-HMAC-SHA256 Credential={keys.key_id}/{scope}, SignedHeaders={names}, "
                                f"Signature={key.hex()}")
    return headers


class PlainS3:
    """One bucket. Every call raises AssertionError when the store refuses."""

    def __init__(self, endpoint: str, keys: Keys, bucket: str):
        self.host = urllib.parse.urlsplit(endpoint).netloc
        self.keys, self.bucket = keys, bucket

    def request(self, method: str, key: str = "", query: dict | None = None, body: bytes = b"",
                headers: dict | None = None) -> tuple[int, bytes]:
        target = f"/{self.bucket}" + (f"/{quote(key, '/')}" if key else "")
        if query:
            target += "?" + "&".join(f"{quote(name)}={quote(str(value))}" for name, value in sorted(query.items()))
        headers = signed_headers(self.keys, method, target, {"Host": self.host, **(headers or {})}, body)
        connection = http.client.HTTPConnection(self.host, timeout=TIMEOUT_SECONDS)
        try:
            connection.request(method, target, body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def call(self, *arguments, **options) -> bytes:
        status, body = self.request(*arguments, **options)
        assert 200 <= status < 300, f"{arguments}: {status} {body[:300]!r}"
        return body

    def get(self, key: str) -> bytes:
        return self.call("GET", key)

    def put(self, key: str, body: bytes) -> None:
        self.call("PUT", key, body=body)

    def delete(self, key: str) -> None:
        self.call("DELETE", key)

    def sizes(self, prefix: str) -> dict[str, int]:
        """All objects below a prefix, by key."""
        found, query = {}, {"list-type": 2, "prefix": prefix, "encoding-type": "url"}
        while True:
            root = _parse(self.call("GET", query=query))
            for content in root.iter("Contents"):
                found[urllib.parse.unquote_plus(content.findtext("Key"))] = int(content.findtext("Size"))
            token = root.findtext("NextContinuationToken")
            if root.findtext("IsTruncated") != "true" or not token:
                return found
            query["continuation-token"] = token

    def keys_below(self, prefix: str) -> list[str]:
        return sorted(self.sizes(prefix))

    def uploads(self, prefix: str = "") -> list[tuple[str, str]]:
        """(key, upload id) of each upload that was neither finished nor given up."""
        root = _parse(self.call("GET", query={"uploads": "", "prefix": prefix, "max-uploads": 1000}))
        pairs = [(upload.findtext("Key"), upload.findtext("UploadId")) for upload in root.iter("Upload")]
        return [pair for pair in pairs if pair[0].startswith(prefix)]

    def remove_all(self, prefix: str) -> None:
        for key, upload_id in self.uploads(prefix):
            self.call("DELETE", key, query={"uploadId": upload_id})
        for key in self.keys_below(prefix):
            self.delete(key)


def _parse(body: bytes) -> xml.etree.ElementTree.Element:
    root = xml.etree.ElementTree.fromstring(body)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root
