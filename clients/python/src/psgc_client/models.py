# Generated from the OpenAPI document by generate.py.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union


class PointInput(TypedDict):
    type: Literal['Point']
    coordinates: list[float]
    bbox: NotRequired[list[float] | None]
    crs: NotRequired[None]


class MultiPointInput(TypedDict):
    type: Literal['MultiPoint']
    coordinates: list[list[float]]
    bbox: NotRequired[list[float] | None]
    crs: NotRequired[None]


Coordinate: TypeAlias = list[float]


class LineStringInput(TypedDict):
    type: Literal['LineString']
    coordinates: list[Coordinate]
    bbox: NotRequired[list[float] | None]
    crs: NotRequired[None]


class MultiLineStringInput(TypedDict):
    type: Literal['MultiLineString']
    coordinates: list[list[list[float]]]
    bbox: NotRequired[list[float] | None]
    crs: NotRequired[None]


class PolygonInput(TypedDict):
    type: Literal['Polygon']
    coordinates: list[list[list[float]]]
    bbox: NotRequired[list[float] | None]
    crs: NotRequired[None]


class MultiPolygonInput(TypedDict):
    type: Literal['MultiPolygon']
    coordinates: list[list[list[list[float]]]]
    bbox: NotRequired[list[float] | None]
    crs: NotRequired[None]


class AreaGeometry(TypedDict):
    type: Literal['Polygon', 'MultiPolygon']
    coordinates: list[Any]


class PopulationHistoryItem(TypedDict):
    year: int
    population: int


class RegionDetail(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """
    province_count: int
    """
    Number of provinces
    """
    municity_count: int
    """
    Number of cities and municipalities
    """
    barangay_count: int
    """
    Number of barangays
    """


class Properties(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """
    province_count: int
    """
    Number of provinces
    """
    municity_count: int
    """
    Number of cities and municipalities
    """
    barangay_count: int
    """
    Number of barangays
    """
    lon: float | None
    """
    Longitude of the centroid in degrees (WGS 84)
    """
    lat: float | None
    """
    Latitude of the centroid in degrees (WGS 84)
    """


class RegionDetailFeature(TypedDict):
    type: Literal['Feature']
    id: str
    """
    PSGC code
    """
    bbox: NotRequired[tuple[float, float, float, float]]
    """
    West, south, east, north in degrees (WGS 84)
    """
    geometry: AreaGeometry | None
    properties: Properties


class Province(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """
    r_code: str | None
    """
    PSGC code
    """


class Municity(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """
    type: str
    """
    City, Municipality, SubMun: a sub-municipality of Manila, or SGU: a Special Government Unit of an older edition
    """
    city_class: str | None
    """
    HUC highly urbanized, ICC independent component, CC component city; null for others
    """
    m_code: str | None
    """
    City of a sub-municipality; null for all others
    """
    p_code: str | None
    """
    Administrative parent province
    """
    host_province_code: str | None
    """
    Province in which a city or municipality lies that belongs to none
    """
    r_code: str | None
    """
    PSGC code
    """


class SubMunicipality(TypedDict):
    name: str
    code: str
    """
    PSGC code
    """


class Barangay(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """
    sm_code: str | None
    """
    Sub-municipality of a barangay of Manila; null elsewhere
    """
    m_code: str
    """
    City or municipality
    """
    p_code: str | None
    """
    PSGC code
    """
    r_code: str
    """
    PSGC code
    """


class ProvinceDetail(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """
    r_code: str | None
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """
    municity_count: int
    """
    Number of cities and municipalities that belong to the province
    """
    hosted_municity_count: int
    """
    Number of cities and municipalities that lie in the province without belonging to it
    """
    barangay_count: int
    """
    Number of barangays that belong to the province
    """


class Properties1(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    r_code: str | None
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """
    municity_count: int
    """
    Number of cities and municipalities that belong to the province
    """
    hosted_municity_count: int
    """
    Number of cities and municipalities that lie in the province without belonging to it
    """
    barangay_count: int
    """
    Number of barangays that belong to the province
    """
    lon: float | None
    """
    Longitude of the centroid in degrees (WGS 84)
    """
    lat: float | None
    """
    Latitude of the centroid in degrees (WGS 84)
    """


class ProvinceDetailFeature(TypedDict):
    type: Literal['Feature']
    id: str
    """
    PSGC code
    """
    bbox: NotRequired[tuple[float, float, float, float]]
    """
    West, south, east, north in degrees (WGS 84)
    """
    geometry: AreaGeometry | None
    properties: Properties1


class MunicityDetail(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """
    type: str
    """
    City, Municipality, SubMun: a sub-municipality of Manila, or SGU: a Special Government Unit of an older edition
    """
    city_class: str | None
    """
    HUC highly urbanized, ICC independent component, CC component city; null for others
    """
    m_code: str | None
    """
    City of a sub-municipality; null for all others
    """
    p_code: str | None
    """
    Administrative parent province
    """
    host_province_code: str | None
    """
    Province in which a city or municipality lies that belongs to none
    """
    r_code: str | None
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """
    barangay_count: int
    """
    Number of barangays
    """


class Properties2(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    type: str
    """
    City, Municipality, SubMun: a sub-municipality of Manila, or SGU: a Special Government Unit of an older edition
    """
    city_class: str | None
    """
    HUC highly urbanized, ICC independent component, CC component city; null for others
    """
    m_code: str | None
    """
    City of a sub-municipality; null for all others
    """
    p_code: str | None
    """
    Administrative parent province
    """
    host_province_code: str | None
    """
    Province in which a city or municipality lies that belongs to none
    """
    r_code: str | None
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """
    barangay_count: int
    """
    Number of barangays
    """
    lon: float | None
    """
    Longitude of the centroid in degrees (WGS 84)
    """
    lat: float | None
    """
    Latitude of the centroid in degrees (WGS 84)
    """


class MunicityDetailFeature(TypedDict):
    type: Literal['Feature']
    id: str
    """
    PSGC code
    """
    bbox: NotRequired[tuple[float, float, float, float]]
    """
    West, south, east, north in degrees (WGS 84)
    """
    geometry: AreaGeometry | None
    properties: Properties2


class BarangayDetail(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """
    sm_code: str | None
    """
    Sub-municipality of a barangay of Manila; null elsewhere
    """
    m_code: str
    """
    City or municipality
    """
    p_code: str | None
    """
    PSGC code
    """
    r_code: str
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """


class Properties3(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    sm_code: str | None
    """
    Sub-municipality of a barangay of Manila; null elsewhere
    """
    m_code: str
    """
    City or municipality
    """
    p_code: str | None
    """
    PSGC code
    """
    r_code: str
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of one that it was made from
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first: within the borders of that census (Makati has ten barangays until 2020 that are of Taguig now), but those of areas that were merged or divided since are of their present land, or missing
    """
    notes: list[str]
    """
    What the footnotes of the edition say of it, with their marks
    """
    lon: float | None
    """
    Longitude of the centroid in degrees (WGS 84)
    """
    lat: float | None
    """
    Latitude of the centroid in degrees (WGS 84)
    """


class BarangayDetailFeature(TypedDict):
    type: Literal['Feature']
    id: str
    """
    PSGC code
    """
    bbox: NotRequired[tuple[float, float, float, float]]
    """
    West, south, east, north in degrees (WGS 84)
    """
    geometry: AreaGeometry | None
    properties: Properties3


class Ancestor(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay']
    name: str


class SearchHit(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay']
    name: str
    type: str | None
    """
    City, Municipality or SGU; null at other levels
    """
    score: float
    """
    How well it fits: 1 where every letter is the same
    """
    match: Literal['exact', 'alias', 'prefix', 'word', 'contains', 'fuzzy']
    """
    exact: the name, however it is written; alias: another name or a former one; prefix, word, contains: the text is at the beginning of the name or of a word of it, or anywhere in it; fuzzy: a few letters differ
    """
    matched_name: str
    """
    The name or alias that was found
    """
    ancestors: list[Ancestor]
    """
    What it lies in, from the region down. In place of a province that a city does not belong to, the one that it lies in
    """


class Suggestion(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay']
    name: str
    type: str | None
    """
    City, Municipality or SGU; null at other levels
    """
    label: str
    """
    The name as the line of an address: with its city or municipality, and its province or else its region
    """
    highlights: list[list[int]]
    """
    The parts of the label that are typed: start and end, in UTF-16 units, the end not included
    """
    match: Literal['exact', 'alias', 'prefix', 'word', 'contains', 'fuzzy']
    """
    exact: a whole name, alone or before the names of what it lies in; prefix, word: the text is at the beginning of the name or of a word of it; alias: of another name or a former one; contains, fuzzy: nothing begins so, and this is like it
    """
    matched_name: str
    """
    The name or alias that was found
    """
    ancestors: list[Ancestor]
    """
    What it lies in, from the region down. In place of a province that a city does not belong to, the one that it lies in
    """


class Ancestor2(TypedDict):
    code: str
    """
    PSGC code
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay']
    name: str


class Candidate(TypedDict):
    code: str
    """
    PSGC code
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay']
    name: str
    score: float
    """
    How like what was typed it is, with three decimals
    """
    since: str | None
    """
    Where a name was given up or went from one place to another: the first edition in which this one has it; null where it always had it, has it no more, or nothing is known
    """
    until: str | None
    """
    The last edition in which this place had the name, or something that is a part of it now; null where it has it today or nothing is known
    """
    ancestors: list[Ancestor2]
    """
    From the region down, hosts included
    """


class MatchedRow(TypedDict):
    id: str | float | None
    """
    That of the row
    """
    match: Literal['exact', 'likely', 'ambiguous', 'none']
    """
    exact: spelled as it is published, or by another name of it beside what it lies in, nothing in the row contradicts it, and no other place is called so; likely: one place is clearly the best; ambiguous: several are as good, or nothing of the level was found in a place whose code is then given; none: nothing is like it
    """
    code: str | None
    """
    PSGC code
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay'] | None
    """
    Of the code
    """
    name: str | None
    score: float
    """
    The share of such rows that are right, with three decimals: of an ambiguous one that its place lies in the code, or else that it is the first candidate
    """
    ancestors: list[Ancestor2]
    """
    From the region down, hosts included
    """
    candidates: list[Candidate]
    """
    What the row may mean, best first
    """
    notes: list[str]
    """
    What was passed over, and what would decide
    """


class MatchRow(TypedDict):
    id: NotRequired[str | float | None]
    """
    Comes back with the answer
    """
    region: NotRequired[str | None]
    """
    Name or code of the region
    """
    province: NotRequired[str | None]
    """
    Name or code of the province
    """
    municity: NotRequired[str | None]
    """
    Name or code of the city or municipality
    """
    barangay: NotRequired[str | None]
    """
    Name or code of the barangay
    """
    text: NotRequired[str | None]
    """
    An address, or a name with its parents
    """


class Source(TypedDict):
    part: Literal['codes', 'boundaries']
    name: str
    edition: str
    publisher: str
    url: str
    licence: str
    attribution: str
    """
    What to say where the data is shown
    """
    note: str | None


class AttributeSource(TypedDict):
    attributes: list[str]
    source: str
    url: str | None
    note: str | None
    """
    What the values cover
    """


class Edition(TypedDict):
    id: str
    """
    Its id, for the parameter edition
    """
    published: str | None
    """
    The day on which it was published; null where its list does not say
    """
    as_of: str
    """
    The day that the list of the edition is of: the last one of its quarter, or one of its month
    """
    age_days: int
    """
    How old the list is today (UTC), days
    """
    newer_likely: bool
    """
    Of the newest one here, from the fourth month on: the PSA has probably published a newer list
    """
    newer_edition: str | None
    """
    The newest edition here, where this is an older one
    """
    notice: str
    """
    The same as a sentence
    """
    release: str
    """
    The release that answers for it
    """
    active: bool
    """
    Whether it answers where no edition is asked for
    """
    counts: dict[str, int]
    """
    How many areas of each kind it has
    """
    boundary_set: Literal['none', 'display', 'full']
    previous: str | None
    """
    The edition before it, of those there are
    """


class FromItem(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    name: str
    share: float | None
    """
    Before: how much of the area that came of it was this one. After: how much of what it came from it got. Null without boundaries
    """


class ToItem(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    name: str
    share: float | None
    """
    Before: how much of the area that came of it was this one. After: how much of what it came from it got. Null without boundaries
    """


AreaChange = TypedDict(
    'AreaChange',
    {
        'kind': Literal['created', 'abolished', 'renamed', 'recoded', 'moved', 'merged', 'split', 'reclassified', 'redrawn'],
        'level': Literal['region', 'province', 'municity', 'submunicipality', 'barangay'],
        'from': list[FromItem],
        'to': list[ToItem],
        'from_edition': str,
        'to_edition': str,
        'basis': Literal['correspondence', 'code', 'name', 'note'],
        'note': str | None,
    },
)


class CrosswalkRow(TypedDict):
    from_code: str
    """
    PSGC code, ten digits
    """
    from_name: str
    to_code: str | None
    """
    PSGC code, ten digits
    """
    to_name: str | None
    relation: Literal['same', 'renamed', 'recoded', 'merged', 'split', 'partial', 'none']
    """
    What all of `from_code` became, or a part of it where there are several rows. `same`: an area of the same code and name, which may have gained land from others besides. `none`: nothing that is known
    """
    weight_area: float | None
    """
    Share of the land of from_code; those of one add up to 1
    """
    weight_population: float | None
    """
    Share of the residents of from_code; those of one add up to 1
    """
    basis: Literal['correspondence', 'code', 'name', 'note']
    estimated: Literal['area', 'population', 'both'] | None
    """
    Weights that nothing measures: the parts, or the barangays in them, count the same
    """


class Download(TypedDict):
    id: str
    """
    Name of a file: its release, level, resolution and format
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay']
    resolution: Literal['simple', 'medium', 'detailed'] | None
    """
    Null: a table, without boundaries
    """
    format: Literal['csv', 'csv.gz', 'ndjson.gz', 'geojson.gz', 'fgb', 'parquet', 'topojson']
    """
    csv RFC 4180 in UTF-8; ndjson an object a line; fgb FlatGeobuf with its index; parquet GeoParquet 1.1 with a covering column bbox; .gz packed with gzip
    """
    edition: str
    release: str
    size_bytes: int
    sha256: str
    """
    Of its bytes, in hexadecimal digits
    """
    rows: int
    """
    Rows or features: areas of the level, in a layer those with a boundary
    """
    href: str
    media_type: str
    licence: str
    attribution: str
    """
    What to say where the data is shown
    """
    created_at: str


class Geometry(TypedDict):
    type: Literal['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'GeometryCollection']
    coordinates: NotRequired[list[Any]]
    geometries: NotRequired[list[Any]]


class Feature(TypedDict):
    id: str
    dataset_id: str
    geom: Geometry | None
    properties: NotRequired[Any]
    created_at: str
    updated_at: str


class Feature11(TypedDict):
    geometry: NotRequired[None]


class Feature12(TypedDict):
    geom: NotRequired[None]


class DatasetPatch(TypedDict):
    name: NotRequired[str]
    """
    What people know it by
    """
    user_id: NotRequired[str | None]
    """
    Owner; only the master token may name another
    """
    user_email: NotRequired[str | None]
    """
    Owner's address; only the master token may name another
    """
    description: NotRequired[str | None]
    """
    What it is, for people
    """
    is_public: NotRequired[bool]
    """
    Whether others may read it: true where it is private means accounts, false means private; default false
    """
    visibility: NotRequired[Literal['private', 'accounts', 'everyone']]
    """
    Who may read it: private, its owner; accounts, whoever has an account; everyone, also without a key, and any site may show it. Default: what is_public says; of a change that has both, the one that is not as before, this one first
    """
    data_type: NotRequired[Literal['vector', 'raster', 'data']]
    """
    What kind of data it is; default vector
    """
    srid: NotRequired[int]
    """
    EPSG code of the reference system of the features in this body; default 4326 (WGS 84, degrees)
    """
    geometry_type: NotRequired[str | None]
    """
    Null: what the features say
    """
    status: NotRequired[str]
    """
    A word of your own. Default: ready, or draft without features; a draft becomes ready with its first features or its file
    """
    metadata: NotRequired[Any]
    """
    Any JSON value, at most 65536 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """
    storage_ref: NotRequired[str | None]
    """
    Where its file is. Set by the service when one is stored, and then only changed by an upload
    """
    features: NotRequired[list[Any] | None]
    """
    Nothing, as in a record that was got without its features. They are changed by /v1/features, or replaced by an upload with dataset_id
    """


class FeatureInput1(TypedDict):
    geometry: NotRequired[None]


class FeatureInput2(TypedDict):
    geom: NotRequired[None]


class FeaturePatch1(TypedDict):
    geometry: NotRequired[None]


class FeaturePatch2(TypedDict):
    geom: NotRequired[None]


Code: TypeAlias = str


class RegionFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    search: NotRequired[str]
    """
    Part of the name
    """
    codes: NotRequired[list[Code]]
    """
    Codes, as codes=a&codes=b, codes[]=a&codes[]=b or codes=a,b. meta.notices names those that no area of the level has; a FeatureCollection has no place for that
    """
    island_group: NotRequired[Literal['luzon', 'visayas', 'mindanao']]
    """
    Only areas of this island group
    """
    population_min: NotRequired[int]
    """
    Least residents
    """
    population_max: NotRequired[int]
    """
    Most residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    What to sort by; areas of which it is not known come last
    """
    order: NotRequired[Literal['asc', 'desc']]
    """
    Ascending or descending
    """
    geometry: NotRequired[Literal['simple', 'medium', 'detailed']]
    """
    Boundary to include; needs authentication. With geojson the default is simple. detailed is the finest that is loaded, which is coarse where boundaries of /v1/sources is display
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class ProvinceFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    region: NotRequired[str]
    """
    Region, by code or exact name
    """
    name: NotRequired[str]
    """
    Beginning of the name
    """
    income_class: NotRequired[str]
    """
    Income classification; 4th is also 4th*
    """
    island_group: NotRequired[Literal['luzon', 'visayas', 'mindanao']]
    """
    Only areas of this island group
    """
    population_min: NotRequired[int]
    """
    Least residents
    """
    population_max: NotRequired[int]
    """
    Most residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    What to sort by; areas of which it is not known come last
    """
    order: NotRequired[Literal['asc', 'desc']]
    """
    Ascending or descending
    """
    geometry: NotRequired[Literal['simple', 'medium', 'detailed']]
    """
    Boundary to include; needs authentication. With geojson the default is simple. detailed is the finest that is loaded, which is coarse where boundaries of /v1/sources is display
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class MunicityFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    province: NotRequired[str]
    """
    Exact name of the province; not looked at where province_code is given
    """
    province_code: NotRequired[str]
    """
    PSGC code, ten digits preferred; old codes lead to the area that they named
    """
    region: NotRequired[str]
    """
    Region, by code or exact name
    """
    scope: NotRequired[Literal['geographic', 'admin']]
    """
    geographic: also what lies in the province without belonging to it; admin: only what belongs to it
    """
    name: NotRequired[str]
    """
    Beginning of the name
    """
    type: NotRequired[Literal['City', 'Municipality', 'SGU', 'SubMun']]
    """
    Only what is of this type. Sub-municipalities of Manila are listed for SubMun only
    """
    city_class: NotRequired[Literal['HUC', 'ICC', 'CC']]
    """
    Only cities of this class
    """
    income_class: NotRequired[str]
    """
    Income classification; 4th is also 4th*
    """
    island_group: NotRequired[Literal['luzon', 'visayas', 'mindanao']]
    """
    Only areas of this island group
    """
    population_min: NotRequired[int]
    """
    Least residents
    """
    population_max: NotRequired[int]
    """
    Most residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    What to sort by; areas of which it is not known come last
    """
    order: NotRequired[Literal['asc', 'desc']]
    """
    Ascending or descending
    """
    geometry: NotRequired[Literal['simple', 'medium', 'detailed']]
    """
    Boundary to include; needs authentication. With geojson the default is simple. detailed is the finest that is loaded, which is coarse where boundaries of /v1/sources is display
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class BarangayFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    municity: NotRequired[str]
    """
    Exact name of the city, municipality or sub-municipality; not looked at where municity_code is given
    """
    municity_code: NotRequired[str]
    """
    PSGC code, ten digits preferred; old codes lead to the area that they named
    """
    province: NotRequired[str]
    """
    Exact name of the province; not looked at where province_code is given
    """
    province_code: NotRequired[str]
    """
    PSGC code, ten digits preferred; old codes lead to the area that they named
    """
    region: NotRequired[str]
    """
    Region, by code or exact name
    """
    scope: NotRequired[Literal['geographic', 'admin']]
    """
    geographic: also what lies in the province without belonging to it; admin: only what belongs to it
    """
    name: NotRequired[str]
    """
    Beginning of the name
    """
    island_group: NotRequired[Literal['luzon', 'visayas', 'mindanao']]
    """
    Only areas of this island group
    """
    population_min: NotRequired[int]
    """
    Least residents
    """
    population_max: NotRequired[int]
    """
    Most residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    What to sort by; areas of which it is not known come last
    """
    order: NotRequired[Literal['asc', 'desc']]
    """
    Ascending or descending
    """
    geometry: NotRequired[Literal['simple', 'medium', 'detailed']]
    """
    Boundary to include; needs authentication. With geojson the default is simple. detailed is the finest that is loaded, which is coarse where boundaries of /v1/sources is display
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class SearchOptions(TypedDict):
    level: NotRequired[list[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]]
    """
    Levels to search, as level=a&level=b or level=a,b; all without it
    """
    parent: NotRequired[str]
    """
    PSGC code of an area that everything has to lie in, of any level; old codes too
    """
    limit: NotRequired[int]
    """
    Most hits to answer
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class SuggestOptions(TypedDict):
    level: NotRequired[list[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]]
    """
    Levels to search, as level=a&level=b or level=a,b; all without it
    """
    within: NotRequired[str]
    """
    PSGC code of an area that everything has to lie in, of any level; old codes too
    """
    limit: NotRequired[int]
    """
    Most suggestions to answer
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class MatchColumns(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]
    """
    The level that is wanted; by default that of the finest column which is filled, or of a code its own. A row that names none of it is ambiguous, with the code of what it names. JSON has it in the body too, which goes first
    """
    region: NotRequired[str]
    """
    With text/csv: the heading of the column of regions; empty for none
    """
    province: NotRequired[str]
    """
    With text/csv: the heading of the column of provinces; empty for none
    """
    municity: NotRequired[str]
    """
    With text/csv: the heading of the column of cities and municipalities; empty for none
    """
    barangay: NotRequired[str]
    """
    With text/csv: the heading of the column of barangays; empty for none
    """
    text: NotRequired[str]
    """
    With text/csv: the heading of the column of addresses; empty for none
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class ReverseOptions(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]
    """
    Finest level to answer. JSON has it in the body too, which goes first
    """
    within: NotRequired[int]
    """
    Metres to look for the nearest area. JSON has it in the body too, which goes first
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC to answer from, the served one unless given; see GET /v1/editions
    """


class ChangeFilters(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]
    """
    Only areas of this level
    """
    kind: NotRequired[Literal['created', 'abolished', 'renamed', 'recoded', 'moved', 'merged', 'split', 'reclassified', 'redrawn']]
    """
    Only changes of this kind
    """
    code: NotRequired[str]
    """
    Only changes with this code, before or after
    """
    within: NotRequired[str]
    """
    Only changes of the area with this code and of all that lies or lay in it
    """
    limit: NotRequired[int]
    """
    Records per page
    """


class DownloadFilters(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]
    """
    Only files of this level
    """
    format: NotRequired[Literal['csv', 'csv.gz', 'ndjson.gz', 'geojson.gz', 'fgb', 'parquet', 'topojson']]
    """
    Only files of this format
    """
    resolution: NotRequired[Literal['simple', 'medium', 'detailed']]
    """
    Only files with these boundaries
    """
    edition: NotRequired[str]
    """
    Only files of this edition of the PSGC; see GET /v1/editions
    """


class DatasetFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    includeFeatures: NotRequired[Literal['0', '1', 'true', 'yes', 'false', 'no']]
    """
    Whether each dataset comes with its features
    """
    user_email: NotRequired[str]
    """
    Only of this owner; administrators only
    """
    visibility: NotRequired[Literal['public', 'private', 'all', 'mine', 'accounts', 'everyone']]
    """
    Which datasets, of those that you may see: public ones are those for accounts and those for everyone
    """
    debug: NotRequired[Literal['0', '1', 'true', 'yes', 'false', 'no']]
    """
    Whether meta says how the list was scoped
    """


class File(TypedDict):
    id: str
    """
    Name of a file: its release, level, resolution and format
    """
    href: str


class DownloadSession(TypedDict):
    session: str
    expires_at: str
    files: list[File]


AreaFeature: TypeAlias = RegionDetailFeature | ProvinceDetailFeature | MunicityDetailFeature | BarangayDetailFeature


class Region(TypedDict):
    id: int
    """
    Serial id of the record; changes with every release. Use the code.
    """
    name: str
    code: str
    """
    PSGC code
    """
    population: int | None
    """
    Residents by the newest census of the edition. Those of a province are without the highly urbanised cities that it hosts
    """
    population_year: int | None
    """
    The year of that census
    """
    income_class: str | None
    """
    Income classification as published, with its mark
    """
    urban_rural: Literal['U', 'R'] | None
    """
    Urban or rural by the census classification; null above barangays
    """
    area_km2: float | None
    """
    Size of the detailed boundary on the WGS 84 ellipsoid. A province is drawn with the cities of its region that it hosts
    """
    density_km2: float | None
    """
    Residents for each square kilometre; of a province without the highly urbanised cities that it hosts and their land; null where residents were counted before the area lost or won land
    """
    iso_3166_2: str | None
    """
    Code of regions and provinces by ISO 3166-2
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian data (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area: its middle, where that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The code that it was asked for by, where that is another than its own
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only when asked for
    """


class Hierarchy(TypedDict):
    region: Region | None
    province: Province | None
    host_province: Province | None
    """
    Province in which the city or municipality lies that belongs to none
    """
    municity: Municity | None
    sub_municipality: SubMunicipality | None
    """
    Manila only
    """
    barangay: Barangay | None


class Place(TypedDict):
    lat: float
    lon: float
    match: Literal['contains', 'nearest'] | None
    """
    contains: boundaries around the point; nearest: an area near it; null: nothing found
    """
    distance_m: float | None
    """
    Metres to the area found; zero where it contains the point
    """
    region: Region | None
    province: Province | None
    host_province: Province | None
    """
    Province in which the place lies without belonging to it
    """
    municity: Municity | None
    submunicipality: Municity | None
    """
    Sub-municipality of Manila in which the barangay lies; null elsewhere, and above barangays
    """
    barangay: Barangay | None


class Sources(TypedDict):
    release: str
    edition: str
    """
    Edition of the PSGC
    """
    as_of: str
    """
    The day that the list of the edition is of: the last one of its quarter, or one of its month
    """
    age_days: int
    """
    How old the list is today (UTC), days
    """
    newer_likely: bool
    """
    Of the newest one here, from the fourth month on: the PSA has probably published a newer list
    """
    newer_edition: str | None
    """
    The newest edition here, where this is an older one
    """
    notice: str
    """
    The same as a sentence
    """
    boundaries: Literal['none', 'display', 'full']
    """
    none: no boundaries; display: coarse or incomplete ones to draw, which geometry=detailed gives too; full: detailed ones of all but a few barangays, which points are looked up in
    """
    reverse_geocoding: bool
    sources: list[Source]
    attributes: list[AttributeSource]


class GeoJsonFeature(TypedDict):
    type: Literal['Feature']
    id: NotRequired[str | float]
    geometry: Geometry | None
    properties: dict[str, Any] | None


class Dataset(TypedDict):
    id: str
    user_id: str | None
    user_email: str | None
    """
    Owner's address; null for everybody else, but for administrators who list by it
    """
    name: str
    description: str | None
    is_public: bool
    """
    Whether visibility is accounts or everyone
    """
    visibility: Literal['private', 'accounts', 'everyone']
    """
    Who may read it beside its owner
    """
    visibility_chosen: bool
    """
    False for a dataset that was public before `everyone` was a choice, until a change says its visibility
    """
    data_type: Literal['vector', 'raster', 'data']
    srid: int
    """
    Reference system of what was sent; features are in WGS 84
    """
    geometry_type: str | None
    status: str
    metadata: NotRequired[Any]
    storage_ref: str | None
    feature_count: int
    bbox: list[float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    size_bytes: float
    """
    Of the stored file, or of the features where there is none
    """
    created_at: str
    updated_at: str
    features: list[Feature]
    """
    Empty unless they were asked for
    """


class GeometryCollectionInput(TypedDict):
    type: Literal['GeometryCollection']
    geometries: list[GeometryInput]
    bbox: NotRequired[list[float] | None]
    crs: NotRequired[None]


class Feature13(TypedDict):
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


Feature1: TypeAlias = Union["Feature14", "Feature15"]


class DatasetInput(TypedDict):
    name: str
    """
    What people know it by
    """
    user_id: NotRequired[str | None]
    """
    Owner; only the master token may name another
    """
    user_email: NotRequired[str | None]
    """
    Owner's address; only the master token may name another
    """
    description: NotRequired[str | None]
    """
    What it is, for people
    """
    is_public: NotRequired[bool]
    """
    Whether others may read it: true where it is private means accounts, false means private; default false
    """
    visibility: NotRequired[Literal['private', 'accounts', 'everyone']]
    """
    Who may read it: private, its owner; accounts, whoever has an account; everyone, also without a key, and any site may show it. Default: what is_public says; of a change that has both, the one that is not as before, this one first
    """
    data_type: NotRequired[Literal['vector', 'raster', 'data']]
    """
    What kind of data it is; default vector
    """
    srid: NotRequired[int]
    """
    EPSG code of the reference system of the features in this body; default 4326 (WGS 84, degrees)
    """
    geometry_type: NotRequired[str | None]
    """
    Null: what the features say
    """
    status: NotRequired[str]
    """
    A word of your own. Default: ready, or draft without features; a draft becomes ready with its first features or its file
    """
    metadata: NotRequired[Any]
    """
    Any JSON value, at most 65536 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """
    storage_ref: NotRequired[str | None]
    """
    Where its file is. Set by the service when one is stored, and then only changed by an upload
    """
    features: NotRequired[list[Feature1]]
    """
    Features to begin with: all of them are stored, or nothing is
    """


GeometryInput: TypeAlias = PointInput | MultiPointInput | LineStringInput | MultiLineStringInput | PolygonInput | MultiPolygonInput | GeometryCollectionInput
"""
RFC 7946 geometry. All its positions have two numbers, or all have three; rings end where they begin; collections are nested at most 8 deep, the geometries in the innermost one counted
"""


class FeatureInput3(TypedDict):
    dataset_id: str
    """
    The dataset that the feature belongs to
    """
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


FeatureInput: TypeAlias = Union["FeatureInput4", "FeatureInput5"]


class FeaturePatch3(TypedDict):
    dataset_id: NotRequired[str]
    """
    The dataset that the feature belongs to
    """
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


FeaturePatch: TypeAlias = Union["FeaturePatch4", "FeaturePatch5"]


class Feature14(Feature11, Feature13):
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


class Feature15(Feature12, Feature13):
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


class FeatureInput4(FeatureInput1, FeatureInput3):
    dataset_id: str
    """
    The dataset that the feature belongs to
    """
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


class FeatureInput5(FeatureInput2, FeatureInput3):
    dataset_id: str
    """
    The dataset that the feature belongs to
    """
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


class FeaturePatch4(FeaturePatch1, FeaturePatch3):
    dataset_id: NotRequired[str]
    """
    The dataset that the feature belongs to
    """
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """


class FeaturePatch5(FeaturePatch2, FeaturePatch3):
    dataset_id: NotRequired[str]
    """
    The dataset that the feature belongs to
    """
    geom: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    geometry: NotRequired[GeometryInput | None]
    """
    RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none
    """
    properties: NotRequired[dict[str, Any]]
    """
    Any JSON value; an object has names of at most 256 characters. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """
