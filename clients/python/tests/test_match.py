# pyright: basic
# The types of pandas are partly unknown to the strict rules.
from __future__ import annotations

from pathlib import Path

import geopandas
import pandas as pd
import pytest
from faults import Answer, Cut, Faults

from psgc_client import AuthenticationFailed, InvalidInput, Psgc

PLACES = pd.DataFrame(
    {
        "person": ["Ana", "Ben", "Carlo", "Dina"],
        "Prov": pd.Categorical(["Cavite", "Cebu", "Cebu", None]),
        "Town": ["Dasmarinas", "Argaw", "Argaw", "Xyzzyx"],
        "Brgy": ["Burol I", "Poblacion", "Poblacion", None],
        "size": [1, 2, 3, 4],
    },
    index=[5, 6, 6, 9],
)


def test_a_table_gets_its_codes(psgc: Psgc) -> None:
    told: list[tuple[int, int]] = []
    matched = psgc.match(PLACES, progress=lambda done, of: told.append((done, of)))
    pd.testing.assert_frame_equal(matched[PLACES.columns.tolist()], PLACES)
    assert list(matched["psgc_code"].fillna("")) == ["0402106047", "0702205035", "0702205035", ""]
    assert matched["psgc_match"].iloc[0] == "exact" and matched["psgc_score"].iloc[0] == 1
    assert told == [(3, 3)]


def test_only_cells_of_places_leave_and_each_once(faults: Faults) -> None:
    with Psgc(faults.url) as client:
        client.match(PLACES)
    sent = b"".join(seen.body for seen in faults.seen).decode()
    assert "Ana" not in sent and sent.count("Argaw") == 1


def test_columns_are_named(psgc: Psgc) -> None:
    renamed = PLACES.rename(columns={"Prov": "Saan", "Town": "Alin, ba"})
    matched = psgc.match(renamed, province="Saan", municity="Alin, ba", barangay="")
    assert list(matched["psgc_code"].fillna(""))[:3] == ["0402106000", "0702205000", "0702205000"]
    with pytest.raises(InvalidInput) as caught:
        psgc.match(PLACES[["person"]])
    assert caught.value.code == "columns_not_recognized" and caught.value.fields["headings"] == ["person"]


@pytest.mark.parametrize("heading", ["a;b;c;d;e;f", "a|b|c|d|e|f", "a\tb\tc\td\te\tf", 'a "b", c'])
def test_headings_may_have_what_separates_cells(psgc: Psgc, heading: str) -> None:
    matched = psgc.match(PLACES.rename(columns={"person": heading}))
    assert list(matched["psgc_code"].fillna("")) == ["0402106047", "0702205035", "0702205035", ""]
    # Headings that are named may have no control characters.
    named = heading.replace("\t", ";")
    alone = psgc.match(pd.DataFrame({named: ["Argaw, Cebu"]}), text=named)
    assert list(alone["psgc_code"]) == ["0702205000"]


def test_a_table_with_a_column_of_the_name_of_a_new_one_is_refused(psgc: Psgc) -> None:
    sites = pd.DataFrame({"lat": [9.88], "lon": [123.6], "match": ["mine"]})
    layer = geopandas.GeoDataFrame(sites, geometry=geopandas.points_from_xy(sites["lon"], sites["lat"]), crs=4326)
    for ask, taken in (
        (lambda: psgc.match(PLACES.assign(psgc_code="mine")), "psgc_code"),
        (lambda: psgc.reverse(sites), "match"),
        (lambda: psgc.reverse(layer), "match"),
    ):
        with pytest.raises(InvalidInput, match=f"has a column {taken}, which the answer adds") as caught:
            ask()
        assert caught.value.code == "invalid_csv"


def test_codes_that_pandas_made_numbers_of_are_read(psgc: Psgc) -> None:
    matched = psgc.match(pd.DataFrame({"psgc": [1380600000, None]}))
    assert matched["psgc_name"].iloc[0] == "City of Manila"


def test_a_table_without_rows_has_the_columns(psgc: Psgc) -> None:
    assert "psgc_code" in psgc.match(PLACES.iloc[:0]).columns


def test_a_long_table_goes_in_parts_and_a_part_again(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("psgc_client._tables.ROWS_OF_REQUEST", 2)
    with Psgc(faults.url) as client:
        faults.plan = [Answer(503, {"Retry-After": "0"}), Cut(10_000), Cut(30)]
        matched = client.match(PLACES)
    assert list(matched["psgc_code"].fillna("")) == ["0402106047", "0702205035", "0702205035", ""]
    assert len(faults.seen) == 5


def test_a_table_that_ends_with_an_error_is_one(faults: Faults) -> None:
    body = b"person,Prov,Town,Brgy,size,psgc_code\n#error,api_key_revoked,The key was revoked.\n"
    with Psgc(faults.url) as client:
        faults.plan = [Cut(10_000), Answer(200, {"Content-Type": "text/csv", "Content-Length": "9999"}, body)]
        with pytest.raises(AuthenticationFailed, match="The key was revoked") as caught:
            client.match(PLACES)
    assert caught.value.code == "api_key_revoked"


def test_rows_get_their_codes(psgc: Psgc) -> None:
    rows = psgc.match([{"id": 1, "province": "Cebu", "municity": "Argaw"}, {"id": 2, "text": "Poblacion, Makati"}])
    assert [(row["id"], row["code"]) for row in rows] == [(1, "0702205000"), (2, "1380300020")]
    assert list(rows.to_dataframe()["province_code"].fillna("")) == ["0702200000", ""]
    only = psgc.match([{"province": "Cebu", "municity": "Argaw"}], level="province")
    assert only[0]["code"] == "0702200000"


def test_rows_are_sent_in_parts(psgc: Psgc, faults: Faults) -> None:
    with Psgc(faults.url) as client:
        rows = client.match([{"id": at, "province": "Cebu"} for at in range(1001)])
    assert [row["id"] for row in rows] == list(range(1001)) and len(faults.seen) == 2


def test_texts_are_sent_in_parts(psgc: Psgc, faults: Faults) -> None:
    texts = [f"Blk {at}, Brgy. Salawag, Dasmariñas" for at in range(1001)]
    with Psgc(faults.url) as client:
        addresses = client.parse(texts)
    assert [address["text"] for address in addresses] == texts and len(faults.seen) == 2


def test_a_file_gets_its_codes(psgc: Psgc, tmp_path: Path) -> None:
    source, target = tmp_path / "places.csv", tmp_path / "matched.csv"
    source.write_text("Province;City/Municipality\nCebu;Argaw\n", encoding="utf-8")
    assert psgc.match_file(source, target, level="municity") == target
    assert target.read_text(encoding="utf-8").splitlines()[1].startswith("Cebu;Argaw;0702205000;municity;Argao")
    source.write_text("Province;City/Municipality\nCebu;Argaw\n" + "Cebu;Argaw\n" * 40_000 + "Cebu\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        psgc.match_file(source, tmp_path / "broken.csv")
    assert caught.value.code == "invalid_csv"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["matched.csv", "places.csv"]


def test_what_lies_at_points(psgc: Psgc) -> None:
    lon, lat = psgc.municities.get("0702205000")["centroid"] or (0, 0)
    place = psgc.reverse(lat, lon)
    assert place["municity"] is not None and place["municity"]["code"] == "0702205000"
    places = psgc.reverse([(lat, lon), (0, 0)], level="municity")
    assert list(places.to_dataframe()["municity_code"].fillna("")) == ["0702205000", ""]
    frame = pd.DataFrame({"site": ["a", "b"], "North": [lat, None], "East": [lon, lon]}, index=["x", "y"])
    placed = psgc.reverse(frame, columns=("North", "East"), within=500)
    assert list(placed["municity_code"].fillna("")) == ["0702205000", ""] and placed["match"].iloc[0] == "contains"
    points = geopandas.GeoDataFrame({"site": ["a"]}, geometry=geopandas.points_from_xy([lon], [lat]), crs="EPSG:4326")
    turned = psgc.reverse(points.to_crs(32651))
    assert isinstance(turned, geopandas.GeoDataFrame) and turned["municity_code"].iloc[0] == "0702205000"
    twice = geopandas.GeoDataFrame({"lat": ["a", "b"]}, geometry=geopandas.points_from_xy([lon, 0], [lat, 0]), crs=4326)
    twice.index = pd.Index([0, 0])
    assert list(psgc.reverse(twice)["municity_code"].fillna("")) == ["0702205000", ""]
