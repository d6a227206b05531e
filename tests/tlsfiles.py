"""A certificate for the loopback that vouches for itself."""

import subprocess
from pathlib import Path

from requirement import skip_without


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for localhost in *folder* with openssl, or skip the test; return its file and its key's."""
    chain, key = folder / "cert.pem", folder / "key.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    words = ["openssl", "req", "-x509", *kind, *names, "-keyout", str(key), "-out", str(chain)]
    try:
        subprocess.run(words, check=True, capture_output=True, timeout=60)
    except FileNotFoundError:
        skip_without("openssl", "there is no openssl")
    return chain, key
