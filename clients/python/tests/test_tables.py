# pyright: basic
# The types of pandas are partly unknown to the strict rules.
"""Tables on their way there and back, which needs no service."""

from __future__ import annotations

from urllib.parse import quote

import pandas as pd
import pytest

from psgc_client import InvalidInput
from psgc_client._tables import Table


def test_headings_are_quoted_so_that_nothing_in_them_separates_cells() -> None:
    frame = pd.DataFrame([["Cebu", 1, 2]], columns=["Province;State", "a|b\tc", 7])
    table = Table(frame)
    table.choose("province=Province%3BState")
    (part,) = table.parts()
    assert b"".join(table.body(part)) == b'"Province;State","a|b\tc","7"\nCebu,,\n'


@pytest.mark.parametrize("heading", ["Town " + "x" * 200, "x" * 79 + "\U0001f3dd Town", "x" * 79 + " Town"])
def test_long_headings_are_known_by_their_beginning(heading: str) -> None:
    table = Table(pd.DataFrame({"other": [1], heading: ["Argao"]}))
    begins = heading.encode("utf-16-le")[:160].decode("utf-16-le", "replace")
    table.choose(f"municity={quote(begins)}")
    assert list(table.parts()) == [[("Argao",)]]


def test_new_columns_go_by_rows_and_not_by_labels() -> None:
    points = pd.DataFrame({"lat": [10.0, 11.0, 10.0], "lon": [123.0, 124.0, 123.0]}, index=[0, 0, 0])
    sites = pd.DataFrame({"lat": ["N 10", "N 11", "N 10"], "site": ["a", "b", "c"]}, index=[0, 0, 0])
    table = Table(points, sites)
    table.choose("lat=lat; lon=lon")
    placed = table.joined(["region_code", "distance_m"], [["07", "0"], ["08", "1.5"]])
    pd.testing.assert_frame_equal(placed[["lat", "site"]], sites)
    assert list(placed["region_code"]) == ["07", "08", "07"] and list(placed["distance_m"]) == [0, 1.5, 0]


def test_columns_of_the_names_of_new_ones_are_refused() -> None:
    points = pd.DataFrame({"lat": [10.0], "lon": [123.0]})
    with pytest.raises(InvalidInput, match="has a column match, which") as caught:
        Table(points, points.assign(**{"match ": "x"})).refuse_taken(["region_code", "match"])
    assert caught.value.code == "invalid_csv"
    Table(points).refuse_taken(["region_code", "match"])
