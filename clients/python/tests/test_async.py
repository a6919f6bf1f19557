"""The modules that wait are made from those that are awaited, so that here only a way through each is taken."""

from __future__ import annotations

import inspect
from pathlib import Path

import pandas as pd
import pytest
from faults import Answer, Faults

from psgc_client import AmbiguousName, AsyncPsgc, Psgc

pytestmark = pytest.mark.anyio


async def test_everything_can_be_awaited(tmp_path: Path) -> None:
    async with AsyncPsgc() as psgc:
        assert len([each async for each in psgc.municities.list(province="Cebbu", limit=20)]) == 53
        with pytest.raises(AmbiguousName):
            await psgc.municities.list(province="Mindoro").all()
        assert (await psgc.provinces.list(region="0700000000").to_geodataframe()).shape[0] == 2
        assert (await psgc.provinces.get("0702200000"))["name"] == "Cebu"
        assert (await psgc.boundary("1380600000"))["geometry"] is not None
        assert (await psgc.search("Argaw", parent="Central Visayas", level=["municity"]))[0]["code"] == "0702205000"
        matched = await psgc.match(pd.DataFrame({"Province": ["Cebu"], "Town": ["Argaw"]}))
        assert list(matched["psgc_code"]) == ["0702205000"]
        assert (await psgc.match([{"text": "Argaw, Cebu"}]))[0]["code"] == "0702205000"
        (file,) = await psgc.downloads.list(level="region", format="csv")
        assert (await psgc.downloads.fetch(file, tmp_path)).stat().st_size == file["size_bytes"]


async def test_waits_are_awaited(faults: Faults) -> None:
    faults.plan = [Answer(503, {"Retry-After": "0"})]
    async with AsyncPsgc(faults.url) as psgc:
        assert await psgc.regions.list().count() == 18
    assert len(faults.seen) == 2


def test_both_clients_have_the_same_names() -> None:
    waits, awaited = Psgc(), AsyncPsgc()
    for name in [name for name in vars(waits) if not name.startswith("_")]:
        mine, theirs = getattr(waits, name), getattr(awaited, name)
        assert [each for each, _ in inspect.getmembers(mine) if each[0] != "_"] == [
            each for each, _ in inspect.getmembers(theirs) if each[0] != "_"
        ]
