from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from faults import Cut, Faults

from psgc_client import NotFound, Psgc

WELL = {"type": "Feature", "properties": {"depth": 12}, "geometry": {"type": "Point", "coordinates": [123.9, 10.3]}}


def test_a_dataset_from_a_file_to_a_table(mine: Psgc, tmp_path: Path) -> None:
    path = tmp_path / "wells.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [WELL, WELL]}), encoding="utf-8")
    dataset = mine.datasets.upload(path, name="Wells")
    assert dataset["name"] == "Wells"
    assert dataset["id"] in [each["id"] for each in mine.datasets.list(visibility="mine")]
    assert mine.datasets.update(dataset["id"], {"name": "Deep wells"})["name"] == "Deep wells"
    frame: Any = mine.datasets.to_geodataframe(dataset["id"])
    assert list(frame["depth"]) == [12, 12] and frame.geometry.iloc[0].x == 123.9
    assert len(mine.features.list(dataset["id"], bbox=(123, 10, 124, 11)).all()) == 2
    assert mine.features.list(dataset["id"], bbox=(0, 0, 1, 1)).count() == 0
    for layer in (mine.features.list(dataset["id"]), mine.features.list(dataset["id"]).all()):
        shapes: Any = layer.to_geodataframe()
        assert [shape.x for shape in shapes.geometry] == [123.9] * 2 and list(shapes["properties"]) == [
            {"depth": 12}
        ] * 2
    with pytest.raises(ValueError, match="Dataset has no shape"):
        mine.datasets.list().to_geodataframe()
    table = mine.datasets.list(visibility="mine").to_dataframe()
    assert str(table.dtypes["feature_count"]) == "Int64" and str(table.dtypes["is_public"]) == "boolean"
    exported = mine.datasets.export(dataset["id"], tmp_path / "wells.csv", format="csv")
    assert len(exported.read_text(encoding="utf-8").splitlines()) == 3
    mine.datasets.delete(dataset["id"])
    with pytest.raises(NotFound):
        mine.datasets.get(dataset["id"])


def test_properties_that_are_called_as_members_of_areas_stay_what_they_are(mine: Psgc, tmp_path: Path) -> None:
    path = tmp_path / "schools.geojson"
    own = {"region": "Central Visayas", "barangay": "Poblacion", "score": "A", "population": "1,200", "rows": 1.5}
    features = [{**WELL, "id": "a", "properties": own}, {**WELL, "id": "b", "properties": None}]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    dataset = mine.datasets.upload(path)
    frame: Any = mine.datasets.to_geodataframe(dataset["id"])
    assert frame.index.name == "id" and frame.loc["a", list(own)].to_dict() == own
    assert frame.loc["b", list(own)].isna().all() and len(frame) == 2
    mine.datasets.delete(dataset["id"])


def test_a_request_that_is_sent_again_makes_nothing_twice(mine: Psgc, faults: Faults) -> None:
    with Psgc(faults.url, os.environ["PSGC_SESSION"]) as client:
        faults.plan = [Cut(10)]
        dataset = client.datasets.create({"name": "Made once"})
    assert len({seen.headers["idempotency-key"] for seen in faults.seen}) == 1 and len(faults.seen) == 2
    assert [each["name"] for each in mine.datasets.list(visibility="mine")].count("Made once") == 1
    feature = mine.features.create(
        {"dataset_id": dataset["id"], "geom": {"type": "Point", "coordinates": [123.9, 10.3]}, "properties": {}}
    )
    assert mine.features.update(feature["id"], {"properties": {"depth": 3}}).get("properties") == {"depth": 3}
    assert mine.features.get(feature["id"])["id"] == feature["id"]
    mine.features.delete(feature["id"])
    mine.datasets.delete(dataset["id"])
