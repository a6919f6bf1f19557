from __future__ import annotations

from typing import Any, cast

import pytest

from psgc_client import AmbiguousName, AreaAbolished, InvalidInput, NotFound, Psgc, PsgcError, PsgcWarning

CEBU = "0702200000"
MANILA = "1380600000"


def test_a_list_goes_over_its_pages(psgc: Psgc) -> None:
    listed = psgc.municities.list(province="Cebu", limit=20)
    names = [municity["name"] for municity in listed]
    assert len(names) == len(set(names)) == listed.count() == 53
    assert [len(page) for page in listed.pages()] == [20, 20, 13]
    first = listed.first()
    assert first is not None and first["name"] == names[0]


@pytest.mark.parametrize("province", ["Cebu", CEBU, "Cebbu", "Province of Cebu"])
def test_a_province_is_a_code_or_a_name(psgc: Psgc, province: str) -> None:
    assert psgc.municities.list(province=province).count() == 53


def test_a_name_that_may_be_several_places_is_said_with_them(psgc: Psgc) -> None:
    with pytest.raises(AmbiguousName, match="1705100000 Occidental Mindoro") as caught:
        psgc.municities.list(province="Mindoro").all()
    assert {each["code"] for each in caught.value.candidates} == {"1705100000", "1705200000"}
    with pytest.raises(AmbiguousName) as caught:
        psgc.barangays.list(municity="San Juan").all()
    assert len(caught.value.candidates) == 7


@pytest.mark.parametrize(
    "within",
    [{"province": "Batangas"}, {"province": "Batngas"}, {"province_code": "0401000000"}, {"region": "CALABARZON"}],
    ids=str,
)
def test_a_name_is_looked_for_in_what_is_given_above_it(psgc: Psgc, within: Any) -> None:
    (town,) = psgc.municities.list(name="San Jose", province="Batangas")
    found = psgc.barangays.list(municity="San Jse", **within).all()
    assert {each["m_code"] for each in found} == {town["code"]}


def test_a_city_is_found_in_the_province_that_hosts_it_and_in_the_capital(psgc: Psgc) -> None:
    mandaue = psgc.barangays.list(municity="Mandawe", province="Cebu").first()
    makati = psgc.barangays.list(municity="Makatti", province="Metro Manila").first()
    assert mandaue is not None and mandaue["m_code"] == "0731300000"
    assert makati is not None and makati["m_code"] == "1380300000"
    with pytest.raises(NotFound, match="municity: nothing in 0702200000 is called 'Xyzzyx'"):
        psgc.barangays.list(municity="Xyzzyx", province="Cebu").all()


def test_a_name_that_no_place_has_is_an_error_and_a_code_a_warning(psgc: Psgc) -> None:
    with pytest.raises(NotFound, match="'Xyzzyx'"):
        psgc.municities.list(province="Xyzzyx").all()
    with pytest.warns(PsgcWarning, match="0123400000"):
        assert psgc.municities.list(province="0123400000").all() == []


def test_a_list_as_a_table(psgc: Psgc) -> None:
    frame = psgc.municities.list(province="Cebu").to_dataframe()
    assert frame.shape[0] == 53
    assert {"code", "name", "lon", "west"} <= set(frame.columns)
    assert not {"id", "centroid", "geometry"} & set(frame.columns)
    assert set(frame["code"].str.len()) == {10}
    assert [str(frame[name].dtype) for name in ("code", "city_class", "population")] == ["string", "string", "Int64"]
    with pytest.warns(PsgcWarning):
        nobody = psgc.municities.list(province="0123400000").to_dataframe()
    assert nobody.empty and set(nobody.columns) == set(frame.columns)


@pytest.mark.parametrize("region", ["0700000000", "Centrl Visayas"])
def test_a_list_with_boundaries(psgc: Psgc, region: str) -> None:
    frame = cast(Any, psgc.provinces.list(region=region).to_geodataframe())
    assert list(frame["name"]) == ["Bohol", "Cebu"]
    assert frame.crs == "EPSG:4326" and frame.geometry.is_valid.all()
    cebu = frame[frame["code"] == CEBU]
    assert cebu.geometry.iloc[0].buffer(0.5).contains(cebu.geometry.iloc[0].centroid)


def test_a_single_area(psgc: Psgc) -> None:
    cebu = psgc.provinces.get(CEBU)
    assert cebu["name"] == "Cebu" and "geometry" not in cebu
    assert psgc.provinces.get(CEBU, geometry="simple").get("geometry") is not None
    hierarchy = psgc.municities.hierarchy("0730600000")
    assert hierarchy["host_province"] is not None and hierarchy["host_province"]["name"] == "Cebu"
    assert psgc.provinces.neighbors(CEBU).to_dataframe()["code"].str.len().eq(10).all()


@pytest.mark.parametrize(("code", "name"), [(CEBU, "Cebu"), (MANILA, "City of Manila"), ("1300000000", "National")])
def test_a_boundary_of_any_level(psgc: Psgc, code: str, name: str) -> None:
    feature = psgc.boundary(code)
    assert feature["type"] == "Feature" and feature["geometry"] is not None
    assert feature["properties"]["name"].startswith(name)


def test_a_batch_says_what_is_missing(psgc: Psgc) -> None:
    batch = psgc.municities.batch(["0702201000", "072217000", "0999999999"])
    assert [area["code"] for area in batch] == ["0702201000", "0730600000"]
    assert batch.missing == ["0999999999"]
    assert not any("geometry" in area for area in batch)
    assert list(batch.to_dataframe()["requested_code"])[1] == "072217000"
    frame = psgc.municities.batch(["0702201000"], geometry="simple").to_geodataframe()
    assert frame.geometry.notna().all()


def test_a_batch_is_asked_for_in_parts(psgc: Psgc) -> None:
    codes = [area["code"] for area in psgc.provinces.list()]
    assert [area["code"] for area in psgc.provinces.batch([*codes, *codes])][: len(codes)] == codes


def test_search(psgc: Psgc) -> None:
    hits = psgc.search("Dasmarinyas", level=["municity"], limit=3)
    assert hits[0]["name"] == "City of Dasmariñas"
    found = psgc.search("San Juan", parent="Metro Manila").to_dataframe()
    assert found["code"].iloc[0] == "1381400000" and set(found["region_code"]) == {"1300000000"}
    assert psgc.municities.search("paranaque")[0]["name"] == "City of Parañaque"
    assert psgc.barangays.search("poblacion", municity_code="0702205000")[0]["name"] == "Poblacion"


def test_an_edition_goes_with_every_read(psgc: Psgc) -> None:
    (edition,) = [each["id"] for each in psgc.editions() if each["active"]]
    assert psgc.provinces.get(CEBU, edition=edition)["name"] == "Cebu"
    with Psgc(edition="1999-1q") as old:
        for ask in (
            lambda: old.provinces.get(CEBU),
            lambda: old.regions.list().all(),
            lambda: old.search("Cebu"),
            lambda: old.match([{"province": "Cebu"}]),
        ):
            with pytest.raises(PsgcError) as caught:
                ask()
            assert caught.value.code == "edition_not_found" and edition in caught.value.fields["editions"]
        assert old.provinces.get(CEBU, edition=edition)["name"] == "Cebu"


def test_changes_and_crosswalk(psgc: Psgc) -> None:
    assert psgc.changes(CEBU).to_dataframe().shape[0] == 0
    with pytest.raises(PsgcError) as caught:
        psgc.crosswalk("1999-1q", "2026-3q")
    assert caught.value.code == "edition_not_found"
    with pytest.raises(PsgcError) as caught:
        psgc.list_changes("1999-1q", "2026-3q").all()
    assert caught.value.code == "edition_not_found"


def test_errors_have_what_the_service_says(psgc: Psgc) -> None:
    with pytest.raises(NotFound) as missing:
        psgc.municities.get("0999999999")
    assert (missing.value.code, missing.value.status) == ("area_not_found", 404)
    assert missing.value.request_id and missing.value.request_id in str(missing.value)
    with pytest.raises(PsgcError) as wrong:
        psgc.regions.list(limit=9999).all()
    assert (wrong.value.code, wrong.value.issues[0].path) == ("validation_failed", ("limit",))
    assert isinstance(wrong.value, InvalidInput) == (wrong.value.code == "validation_failed")
    assert issubclass(AreaAbolished, NotFound)


@pytest.mark.parametrize("code", ["", "..", "../regions"])
def test_an_id_stays_in_its_place(psgc: Psgc, code: str) -> None:
    with pytest.raises((ValueError, PsgcError)):
        psgc.provinces.get(code)
