"""Certificates for 127.0.0.1 that nobody's authority has signed."""

import pathlib
import shutil
import subprocess

import pytest


def make_certificate(folder: pathlib.Path) -> tuple[str, str]:
    """A certificate that is its own authority, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
                   check=True, capture_output=True, timeout=60)
    return str(certificate), str(key)
