"""Files of levels on this machine."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._frames import records_of
from .errors import IncompleteAnswer
from .models import Download


@dataclass(frozen=True)
class KnownFile:
    """What has to be fetched. `sha256` is in hexadecimal digits."""

    id: str
    size: int
    sha256: str


def listed_file(file: Download) -> KnownFile:
    return KnownFile(file["id"], file["size_bytes"], file["sha256"])


def announced_file(id: str, headers: Mapping[str, str]) -> KnownFile:
    """The file that the headers `Content-Length` and `Repr-Digest` announce (RFC 9530)."""
    digest = re.search(r"sha-256=:([A-Za-z0-9+/=]+):", headers.get("Repr-Digest", ""))
    if digest is None or "Content-Length" not in headers:
        raise IncompleteAnswer(f"{id} came without its digest or its size.", "incomplete_answer")
    return KnownFile(id, int(headers["Content-Length"]), base64.b64decode(digest[1]).hex())


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def is_whole(path: Path, file: KnownFile) -> bool:
    """Whether a file has the bytes that were announced."""
    if size_of(path) != file.size:
        return False
    digest = hashlib.sha256()
    if path.exists():
        with path.open("rb") as opened:
            while chunk := opened.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest() == file.sha256


def records_in(path: Path) -> list[dict[str, Any]]:
    """The records of a file of NDJSON or GeoJSON."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        if ".geojson" in path.name:
            return records_of(json.load(lines))
        return [json.loads(line) for line in lines if line.strip()]
