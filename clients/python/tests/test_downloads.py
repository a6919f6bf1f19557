from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from faults import Answer, Cut, Faults

from psgc_client import IncompleteAnswer, NotFound, Psgc

TABLE = "2026-3q-1.municities.csv"


def test_a_file_comes_whole(psgc: Psgc, tmp_path: Path) -> None:
    (file,) = psgc.downloads.list(level="municity", format="csv")
    told: list[tuple[int, int]] = []
    path = psgc.downloads.fetch(file, tmp_path, progress=lambda done, of: told.append((done, of)))
    assert path.name == file["id"] == TABLE
    assert hashlib.sha256(path.read_bytes()).hexdigest() == file["sha256"]
    assert told[-1] == (file["size_bytes"], file["size_bytes"])
    assert psgc.downloads.fetch(TABLE, tmp_path / "again.csv").read_bytes() == path.read_bytes()


def test_what_breaks_off_goes_on(faults: Faults, psgc: Psgc, tmp_path: Path) -> None:
    whole = psgc.downloads.fetch(TABLE, tmp_path / "whole.csv").read_bytes()
    (file,) = psgc.downloads.list(level="municity", format="csv")
    with Psgc(faults.url) as client:
        faults.plan = [Cut(4096), Cut(100_000)]
        path = client.downloads.fetch(file, tmp_path / "cut.csv")
        assert path.read_bytes() == whole
        ranges = [seen.headers.get("range", "") for seen in faults.seen]
        assert ranges[0] == "" and all(each.startswith("bytes=") for each in ranges[1:]) and len(ranges) == 3
        # What an earlier call left is gone on with, and thrown away where it is of another file.
        part = tmp_path / "later.csv.part"
        part.write_bytes(whole[:1000])
        client.downloads.fetch(file, tmp_path / "later.csv")
        assert faults.seen[-1].headers["range"] == "bytes=1000-"
        part.write_bytes(b"x" * 1000)
        assert client.downloads.fetch(file, tmp_path / "later.csv").read_bytes() == whole
        assert not part.exists()


def test_other_bytes_than_announced_are_an_error(psgc: Psgc, tmp_path: Path) -> None:
    (file,) = psgc.downloads.list(level="municity", format="csv")
    file["sha256"] = "0" * 64
    with pytest.raises(IncompleteAnswer) as caught:
        psgc.downloads.fetch(file, tmp_path)
    assert caught.value.code == "digest_mismatch" and list(tmp_path.iterdir()) == []


def test_whole_levels_as_tables(psgc: Psgc) -> None:
    frame = psgc.downloads.to_dataframe("province")
    listed = psgc.provinces.list().to_dataframe()
    assert list(frame["code"]) == list(listed["code"]) and str(frame["code"].dtype) == "string"
    layer = psgc.downloads.to_geodataframe("province")
    assert layer.crs == "EPSG:4326" and layer.geometry.notna().all() and len(layer) > 50
    with pytest.raises(NotFound):
        psgc.downloads.to_dataframe("province", edition="1999-1q")


def test_a_session_opens_layers(psgc: Psgc, tmp_path: Path) -> None:
    (file,) = psgc.downloads.list(level="province", format="fgb", resolution="simple")
    session = psgc.downloads.session([file["id"]], ttl_seconds=60)
    assert [each["id"] for each in session["files"]] == [file["id"]] and session["session"]
    with pytest.raises(NotFound):
        psgc.downloads.fetch("2026-3q-1.nothing.csv", tmp_path)


def test_a_release_says_what_it_consists_of(psgc: Psgc, faults: Faults) -> None:
    (file,) = psgc.downloads.list(level="municity", format="csv")
    release = psgc.releases.get(file["release"])
    assert [part["sha256"] for part in release["files"] if part["id"] == file["id"]] == [file["sha256"]]
    assert json.loads(psgc.releases.document(file["release"])) == release
    with pytest.raises(NotFound) as caught:
        psgc.releases.signature(file["release"])
    assert caught.value.code == "signature_not_found"
    signed, signature = b'{ "release": "2026-3q-1" }\n', b"untrusted comment: \n"
    faults.plan = [Answer(200, body=signed), Answer(200, body=signature)]
    with Psgc(faults.url) as client:
        assert client.releases.document("2026-3q-1") == signed
        assert client.releases.signature("2026-3q-1") == signature
    paths = ["/v1/releases/2026-3q-1", "/v1/releases/2026-3q-1/signature"]
    assert [seen.path for seen in faults.seen] == paths
