# pyright: basic
# The types of pandas are partly unknown to the strict rules.
"""Tables of what the service has answered, which needs no service."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from psgc_client import models
from psgc_client._frames import dataframe_of, geodataframe_of, layer_of

POINT = {"type": "Point", "coordinates": [123.9, 10.3]}


def feature(properties: object, geometry: object = POINT, **others: object) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": properties, **others}


def layer(*features: dict[str, Any]) -> Any:
    return layer_of({"type": "FeatureCollection", "features": list(features)})


def test_properties_of_ones_own_are_as_they_are() -> None:
    own = {
        "region": "Central Visayas", "province": "Cebu", "municity": "Argao", "barangay": "Poblacion",
        "score": "A", "population": "1,200", "rows": 1.5, "bbox": "none", "ancestors": "unknown", "centroid": [1, 2, 3],
        "geom": "here", "geometry": "point", "name": None,
    }  # fmt: skip
    frame = layer(feature(own), feature(None), feature(own))
    for name, value in own.items():
        column = frame["property_geometry" if name == "geometry" else name]
        assert column.iloc[0] == value or value is None, name
        assert value is not None or column.isna().all()
        assert pd.isna(column.iloc[1]) is True, name
    assert len(frame.columns) == len(own) + 1
    assert frame.crs == "EPSG:4326" and [shape.x for shape in frame.geometry] == [123.9] * 3


def test_properties_of_ones_own_have_the_types_of_their_values() -> None:
    values = {
        "whole": [1, None, 2**62 + 1], "part": [1.5, 2, None], "round": [1.0, 2.0, 3.0], "is": [True, None, False],
        "text": ["a", "", None], "mixed": [1, "a", None], "huge": [2**70, 1, None], "inexact": [2**53 + 1, 0.5, None],
        "lists": [[1, 2], [3, 4], [5, 6]], "flags": [True, 1, None], "nothing": [None, None, None],
    }  # fmt: skip
    frame = layer(*(feature({name: cells[at] for name, cells in values.items()}) for at in range(3)))
    assert {name: str(frame[name].dtype) for name in values} == {
        "whole": "Int64", "part": "Float64", "round": "Float64", "is": "boolean", "text": "string", "mixed": "object",
        "huge": "object", "inexact": "object", "lists": "object", "flags": "object", "nothing": "object",
    }  # fmt: skip
    for name, cells in values.items():
        assert [None if cell is None or cell is pd.NA else cell for cell in frame[name]] == cells


def test_ids_of_features_are_the_index() -> None:
    frame = layer(feature({"id": 7, "depth": 1}, id="a"), feature({"depth": 2}, None, id=5), feature({"depth": 3}))
    assert list(frame.index) == ["a", 5, None] and frame.index.name == "id"
    assert frame["id"].iloc[0] == 7 and list(frame["depth"]) == [1, 2, 3]
    assert list(frame.geometry.isna()) == [False, True, False]
    assert list(layer(feature({"depth": 1}), feature({"depth": 2})).index) == [0, 1]


def test_a_dataset_without_features_is_an_empty_layer() -> None:
    frame = layer()
    assert frame.empty and frame.crs == "EPSG:4326" and list(frame.columns) == ["geometry"]
    clash = layer(feature({"geometry": 1, "property_geometry": 2}))
    assert list(clash["property_geometry"]) == [2] and list(clash["property_geometry_"]) == [1]


def test_columns_of_records_have_the_types_of_their_members() -> None:
    dataset = {name: None for name in models.Dataset.__annotations__} | {
        "srid": 4326, "feature_count": 0, "is_public": False, "bbox": [1, 2, 3, 4],
        "metadata": {"a": 1}, "features": [],
    }  # fmt: skip
    for frame in (dataframe_of([dataset], models.Dataset), dataframe_of([], models.Dataset)):
        types = {name: str(kind) for name, kind in frame.dtypes.items()}
        assert types["srid"] == types["feature_count"] == "Int64" and types["is_public"] == "boolean"
        assert types["name"] == types["description"] == types["data_type"] == "string"
        assert types["west"] == types["north"] == "Float64" and types["metadata"] == types["features"] == "object"
    counted = [{"code": "0700000000", "province_count": 4, "former_names": ["a", "b"], "notes": ["c", "d"]}] * 2
    known = dataframe_of(counted, models.RegionDetail)
    newer = dataframe_of(counted, models.Region)
    assert str(known["province_count"].dtype) == str(newer["province_count"].dtype) == "Int64"
    assert list(newer["former_names"]) == [["a", "b"]] * 2
    changes = dataframe_of([], models.AreaChange)
    assert (
        str(changes["kind"].dtype) == str(changes["note"].dtype) == "string" and str(changes["from"].dtype) == "object"
    )
    place = {
        "lat": 10,
        "lon": 123,
        "match": None,
        "distance_m": None,
        "region": {"code": "07", "name": "R"},
        "province": None,
    }
    placed = dataframe_of([place], models.Place)
    assert [str(placed[name].dtype) for name in ("lat", "distance_m", "match")] == ["Float64", "Float64", "string"]
    assert [str(placed[name].dtype) for name in ("region_code", "province_name")] == ["string", "string"]
    mixed = [{"id": 1, "match": "none", "code": None}, {"id": "b", "match": "none", "code": None}]
    assert list(dataframe_of(mixed, models.MatchedRow)["id"]) == [1, "b"]
    assert str(dataframe_of(mixed[:1], models.MatchedRow)["id"].dtype) == "Int64"


def test_records_without_shapes_become_no_layer() -> None:
    stored = {"id": "one", "dataset_id": "all", "geom": POINT, "properties": {"depth": 1}}
    layer: Any = geodataframe_of([stored, {**stored, "geom": None}], models.Feature)
    assert [shape and shape.x for shape in layer.geometry] == [123.9, None] and "geom" not in layer
    assert list(layer["properties"]) == [{"depth": 1}] * 2
    with pytest.raises(ValueError, match=r"Dataset has no shape: use to_dataframe\(\).* datasets.to_geodataframe"):
        geodataframe_of([], models.Dataset)
    with pytest.raises(ValueError, match=r"SearchHit has no shape: use to_dataframe\(\)\.$"):
        geodataframe_of([], models.SearchHit)
    with pytest.raises(ValueError, match='came without their boundaries: ask for them with geometry="simple"'):
        geodataframe_of([{"code": "0700000000"}], models.Region)
    assert geodataframe_of([], models.Region).empty
