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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
    """
    type: str
    """
    City, Municipality, SubMun: a sub-municipality of Manila, or SGU: a Special Government Unit of an older edition
    """
    city_class: str | None
    """
    HUC (highly urbanized), ICC (independent component) or CC (component city); null for others
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
    Province that geographically contains a city or municipality that belongs to none
    """
    r_code: str | None
    """
    PSGC code
    """
    zip_codes: list[str]
    """
    ZIP codes of the post office, ascending; empty if none is known, several in large cities
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
    """
    r_code: str | None
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
    """
    municity_count: int
    """
    Number of cities and municipalities that belong to the province
    """
    hosted_municity_count: int
    """
    Number of cities and municipalities that lie in the province but do not belong to it
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    r_code: str | None
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
    """
    municity_count: int
    """
    Number of cities and municipalities that belong to the province
    """
    hosted_municity_count: int
    """
    Number of cities and municipalities that lie in the province but do not belong to it
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
    """
    type: str
    """
    City, Municipality, SubMun: a sub-municipality of Manila, or SGU: a Special Government Unit of an older edition
    """
    city_class: str | None
    """
    HUC (highly urbanized), ICC (independent component) or CC (component city); null for others
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
    Province that geographically contains a city or municipality that belongs to none
    """
    r_code: str | None
    """
    PSGC code
    """
    zip_codes: list[str]
    """
    ZIP codes of the post office, ascending; empty if none is known, several in large cities
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    type: str
    """
    City, Municipality, SubMun: a sub-municipality of Manila, or SGU: a Special Government Unit of an older edition
    """
    city_class: str | None
    """
    HUC (highly urbanized), ICC (independent component) or CC (component city); null for others
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
    Province that geographically contains a city or municipality that belongs to none
    """
    r_code: str | None
    """
    PSGC code
    """
    former_names: list[str]
    """
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
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
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
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
    Former names and other spellings of the area, or of a predecessor
    """
    population_history: list[PopulationHistoryItem]
    """
    Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none
    """
    notes: list[str]
    """
    Footnotes of the edition about it, with their marks
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
    Similarity, 0 to 1; 1 if every letter is the same
    """
    match: Literal['exact', 'alias', 'prefix', 'word', 'contains', 'fuzzy']
    """
    exact: the name, in any spelling of case and accents; alias: another or a former name; prefix, word, contains: the text is at the start of the name, at the start of one of its words, or anywhere in it; fuzzy: a few letters differ
    """
    matched_name: str
    """
    The name or alias that matched
    """
    ancestors: list[Ancestor]
    """
    Ancestors, from the region down. For an independent city, with the province that it lies in
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
    Parts of the label that match the text: start and end, in UTF-16 code units, end exclusive
    """
    match: Literal['exact', 'alias', 'prefix', 'word', 'contains', 'fuzzy']
    """
    exact: a whole name, alone or followed by names of ancestors; prefix, word: the text is at the start of the name or of one of its words; alias: at the start of another or a former name; contains, fuzzy: nothing starts with the text, and this is similar
    """
    matched_name: str
    """
    The name or alias that matched
    """
    ancestors: list[Ancestor]
    """
    Ancestors, from the region down. For an independent city, with the province that it lies in
    """


class Area(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    level: Literal['municity', 'submunicipality']
    name: str
    type: str | None
    """
    City, Municipality or SGU; null at other levels
    """
    label: str
    """
    The name as the line of an address
    """
    ancestors: list[Ancestor]
    """
    Ancestors, from the region down. For an independent city, with the province that it lies in
    """


class PostalCode(TypedDict):
    zip_code: str
    areas: list[Area]


class Ancestor3(TypedDict):
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
    Similarity to the text, three decimals
    """
    since: str | None
    """
    For a name that was given up or moved between places: the first edition in which this place has it; null if it always had it, no longer has it, or nothing is known
    """
    until: str | None
    """
    The last edition in which this place, or a part of it, had the name; null if it has it today or nothing is known
    """
    ancestors: list[Ancestor3]
    """
    From the region down, including the province that geographically contains an independent city
    """


class MatchedRow(TypedDict):
    id: str | float | None
    """
    That of the row
    """
    match: Literal['exact', 'likely', 'ambiguous', 'none']
    """
    exact: the published spelling, or another name with its ancestors, nothing in the row contradicts it, and no other place has this name; likely: one place is clearly the best; ambiguous: several are equally good, or nothing of the level was found in a place, whose code is then given; none: nothing is similar
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
    Expected share of correct rows among rows like this one, three decimals; for an ambiguous row, that its place lies in the code, or else is the first candidate
    """
    ancestors: list[Ancestor3]
    """
    From the region down, including the province that geographically contains an independent city
    """
    candidates: list[Candidate]
    """
    Candidates, best first
    """
    notes: list[str]
    """
    What was ignored, and what would decide
    """


class MatchRow(TypedDict):
    id: NotRequired[str | float | None]
    """
    Returned unchanged with the answer
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
    code: NotRequired[str | None]
    """
    PSGC code of the place that the others name, of any edition, with ten digits or nine. It decides among several places. Where the others mean another place, the row is ambiguous with both; where it is no known code, they alone are read
    """
    zip: NotRequired[str | None]
    """
    ZIP code; it only chooses among equally good places
    """


class Candidate1(TypedDict):
    code: str
    """
    PSGC code
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay']
    name: str
    score: float
    """
    Similarity to the text, three decimals
    """
    since: str | None
    """
    For a name that was given up or moved between places: the first edition in which this place has it; null if it always had it, no longer has it, or nothing is known
    """
    until: str | None
    """
    The last edition in which this place, or a part of it, had the name; null if it has it today or nothing is known
    """
    ancestors: list[Ancestor3]
    """
    From the region down, including the province that geographically contains an independent city
    """


class AddressPart(TypedDict):
    part: Literal['unit', 'floor', 'building', 'house_number', 'block', 'lot', 'phase', 'street', 'subdivision', 'sitio', 'purok', 'barangay', 'district', 'municity', 'province', 'region', 'zip_code', 'country', 'other']
    """
    Kind of the part. district: a sub-municipality of Manila, or a place in a city without a code of its own; other: anything else
    """
    text: str
    """
    The words as they stand in the address
    """
    value: str
    """
    The words without their marker: 4 for Blk 4
    """
    start: int
    """
    Start in the address, in UTF-16 code units
    """
    end: int
    """
    End in the address, exclusive
    """
    code: str | None
    """
    PSGC code of an area; null for other parts, and if it is not certain which area is meant
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
    Attribution to show with the data
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
    Day of publication; null if its list does not say
    """
    as_of: str
    """
    Reference date of the edition: the last day of its quarter, or a day of its month
    """
    age_days: int
    """
    Age of the list today (UTC), days
    """
    newer_likely: bool
    """
    Set for the newest edition here from its fourth month on: the PSA has probably published a newer list
    """
    newer_edition: str | None
    """
    The newest edition here, if this one is older
    """
    notice: str
    """
    The same, as a sentence
    """
    release: str
    """
    The data release that serves it
    """
    active: bool
    """
    Whether it is the default edition
    """
    counts: dict[str, int]
    """
    Number of areas of each kind
    """
    boundary_set: Literal['none', 'display', 'full']
    previous: str | None
    """
    The previous available edition
    """


class FromItem(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    name: str
    share: float | None
    """
    In `from`: share of the new area that came from this one. In `to`: share of the old area that went to this one. Null without boundaries
    """


class ToItem(TypedDict):
    code: str
    """
    PSGC code, ten digits
    """
    name: str
    share: float | None
    """
    In `from`: share of the new area that came from this one. In `to`: share of the old area that went to this one. Null without boundaries
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
    What `from_code` became; a part of it if there are several rows. `same`: an area with the same code and name, which may also have gained land from others. `none`: no successor is known
    """
    weight_area: float | None
    """
    Share of the land of from_code; shares of one code add up to 1
    """
    weight_population: float | None
    """
    Share of the residents of from_code; shares of one code add up to 1
    """
    basis: Literal['correspondence', 'code', 'name', 'note']
    estimated: Literal['area', 'population', 'both'] | None
    """
    Weights without a measurement: the parts, or the barangays in them, count equally
    """


class Download(TypedDict):
    id: str
    """
    Name of a file: its release, level, resolution and format
    """
    level: Literal['region', 'province', 'municity', 'submunicipality', 'barangay', 'country']
    """
    country: all levels in one file
    """
    resolution: Literal['simple', 'medium', 'detailed'] | None
    """
    Null for a table without boundaries
    """
    format: Literal['csv', 'csv.gz', 'ndjson.gz', 'geojson.gz', 'fgb', 'parquet', 'topojson', 'gpkg']
    """
    csv RFC 4180 in UTF-8; ndjson an object a line; fgb FlatGeobuf with its index; parquet GeoParquet 1.1 with a covering column bbox; gpkg GeoPackage 1.3, a SQLite database; .gz compressed with gzip
    """
    edition: str
    release: str
    size_bytes: int
    sha256: str
    """
    SHA-256 of its bytes, hexadecimal
    """
    rows: int
    """
    Rows or features: areas of the level, in a layer those with a boundary; of the country all areas
    """
    href: str
    media_type: str
    licence: str
    attribution: str
    """
    Attribution to show with the data
    """
    created_at: str


class Codes(TypedDict):
    licence: str
    attribution: str


class Boundaries(TypedDict):
    licence: str
    attribution: str


class File(TypedDict):
    id: str
    size_bytes: int
    sha256: str
    """
    SHA-256 of its bytes, hexadecimal
    """
    rows: int | None


class Object(TypedDict):
    name: str
    size_bytes: int
    sha256: str
    """
    SHA-256 of its bytes, hexadecimal
    """


class ReleaseDocument(TypedDict):
    schema_version: int
    """
    Version of these members
    """
    release: str
    version: str
    """
    Identifies this load of the release
    """
    edition: str
    created_at: str
    codes: Codes
    boundaries: Boundaries | None
    files: list[File]
    """
    The files of GET /v1/downloads
    """
    objects: list[Object]
    """
    The objects that the service answers geography from
    """


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
    Display name
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
    Description for people
    """
    is_public: NotRequired[bool]
    """
    Whether others may read it: true turns private into accounts, false means private; default false
    """
    visibility: NotRequired[Literal['private', 'accounts', 'everyone']]
    """
    Who may read it. private: its owner; accounts: everybody with an account; everyone: also callers without a key, and any site may embed it. Default: as is_public says. If a change has both, the one that differs from before counts, this one first
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
    Null: derived from the features
    """
    status: NotRequired[str]
    """
    Any word. Default: ready, or draft without features; a draft becomes ready with its first features or its file
    """
    metadata: NotRequired[Any]
    """
    Any JSON value, at most 65536 characters. A text `map_style` of an object is how the map draws the dataset: the query of an address of `/explore`, such as `color=cases&method=natural`. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """
    storage_ref: NotRequired[str | None]
    """
    Location of its file. The service sets it when a file is stored; afterwards only an upload changes it
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


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    description: str | None
    events: list[Literal['release.activated', 'area.changed', 'dataset.processed']]
    areas: list[str]
    enabled: bool
    disabled_reason: str | None
    """
    Why the service disabled it; null if it did not
    """
    failing_since: str | None
    """
    Time of the first failed delivery since one succeeded, the URL was changed or the endpoint was enabled; null if none failed since
    """
    created_at: str
    updated_at: str


class CreatedWebhookEndpoint(TypedDict):
    id: str
    url: str
    description: str | None
    events: list[Literal['release.activated', 'area.changed', 'dataset.processed']]
    areas: list[str]
    enabled: bool
    disabled_reason: str | None
    """
    Why the service disabled it; null if it did not
    """
    failing_since: str | None
    """
    Time of the first failed delivery since one succeeded, the URL was changed or the endpoint was enabled; null if none failed since
    """
    created_at: str
    updated_at: str
    secret: str
    """
    Secret that deliveries are signed with; shown only once
    """


Area1: TypeAlias = str


class WebhookEndpointInput(TypedDict):
    url: str
    """
    URL that receives events: https, a public host name, port 443 or 8443
    """
    description: NotRequired[str | None]
    """
    Description for people
    """
    events: list[Literal['release.activated', 'area.changed', 'dataset.processed']]
    """
    Types of events to send
    """
    areas: NotRequired[list[Area1]]
    """
    PSGC codes: `area.changed` reports changes of these areas and of all areas that are or were in them; it requires at least one code
    """
    enabled: NotRequired[bool]
    """
    Whether events are sent
    """


class WebhookEndpointPatch(TypedDict):
    url: NotRequired[str]
    """
    URL that receives events: https, a public host name, port 443 or 8443
    """
    description: NotRequired[str | None]
    """
    Description for people
    """
    events: NotRequired[list[Literal['release.activated', 'area.changed', 'dataset.processed']]]
    """
    Types of events to send
    """
    areas: NotRequired[list[Area1]]
    """
    PSGC codes: `area.changed` reports changes of these areas and of all areas that are or were in them; it requires at least one code
    """
    enabled: NotRequired[bool]
    """
    Whether events are sent
    """


class WebhookDelivery(TypedDict):
    id: str
    """
    The `webhook-id` of every attempt
    """
    type: str
    status: Literal['pending', 'delivered', 'failed']
    attempts: int
    """
    Number of attempts since it was created or replayed
    """
    next_attempt_at: str | None
    last_attempt_at: str | None
    delivered_at: str | None
    last_status: int | None
    """
    Status of the last answer; null if there was none
    """
    last_error: str | None
    response_excerpt: str | None
    """
    The beginning of the last answer, as text
    """
    data: NotRequired[dict[str, Any]]
    """
    The member `data` of what is sent
    """
    created_at: str


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
    Filter by island group
    """
    population_min: NotRequired[int]
    """
    Minimum number of residents
    """
    population_max: NotRequired[int]
    """
    Maximum number of residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    Sort key; areas without a value come last
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
    Edition of the PSGC; default: the served one. See GET /v1/editions
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
    Income classification; 4th includes 4th*
    """
    island_group: NotRequired[Literal['luzon', 'visayas', 'mindanao']]
    """
    Filter by island group
    """
    population_min: NotRequired[int]
    """
    Minimum number of residents
    """
    population_max: NotRequired[int]
    """
    Maximum number of residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    Sort key; areas without a value come last
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
    Edition of the PSGC; default: the served one. See GET /v1/editions
    """


class MunicityFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    province: NotRequired[str]
    """
    Exact name of the province; ignored if province_code is given
    """
    province_code: NotRequired[str]
    """
    PSGC code, preferably ten digits; old codes lead to the area that they named
    """
    region: NotRequired[str]
    """
    Region, by code or exact name
    """
    scope: NotRequired[Literal['geographic', 'admin']]
    """
    geographic: includes cities that lie in the province but do not belong to it; admin: only those that belong to it
    """
    name: NotRequired[str]
    """
    Beginning of the name
    """
    type: NotRequired[Literal['City', 'Municipality', 'SGU', 'SubMun']]
    """
    Filter by type. Sub-municipalities of Manila are listed only with SubMun
    """
    city_class: NotRequired[Literal['HUC', 'ICC', 'CC']]
    """
    Filter by city class
    """
    income_class: NotRequired[str]
    """
    Income classification; 4th includes 4th*
    """
    island_group: NotRequired[Literal['luzon', 'visayas', 'mindanao']]
    """
    Filter by island group
    """
    population_min: NotRequired[int]
    """
    Minimum number of residents
    """
    population_max: NotRequired[int]
    """
    Maximum number of residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    Sort key; areas without a value come last
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
    Edition of the PSGC; default: the served one. See GET /v1/editions
    """


class BarangayFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    municity: NotRequired[str]
    """
    Exact name of the city, municipality or sub-municipality; ignored if municity_code is given
    """
    municity_code: NotRequired[str]
    """
    PSGC code, preferably ten digits; old codes lead to the area that they named
    """
    province: NotRequired[str]
    """
    Exact name of the province; ignored if province_code is given
    """
    province_code: NotRequired[str]
    """
    PSGC code, preferably ten digits; old codes lead to the area that they named
    """
    region: NotRequired[str]
    """
    Region, by code or exact name
    """
    scope: NotRequired[Literal['geographic', 'admin']]
    """
    geographic: includes cities that lie in the province but do not belong to it; admin: only those that belong to it
    """
    name: NotRequired[str]
    """
    Beginning of the name
    """
    island_group: NotRequired[Literal['luzon', 'visayas', 'mindanao']]
    """
    Filter by island group
    """
    population_min: NotRequired[int]
    """
    Minimum number of residents
    """
    population_max: NotRequired[int]
    """
    Maximum number of residents
    """
    sort: NotRequired[Literal['code', 'name', 'population', 'area_km2']]
    """
    Sort key; areas without a value come last
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
    Edition of the PSGC; default: the served one. See GET /v1/editions
    """


class SearchOptions(TypedDict):
    level: NotRequired[list[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]]
    """
    Levels to search, as level=a&level=b or level=a,b; default all
    """
    parent: NotRequired[str]
    """
    PSGC code of an area that must contain the results, of any level; old codes too
    """
    limit: NotRequired[int]
    """
    Maximum number of hits
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC; default: the served one. See GET /v1/editions
    """


class SuggestOptions(TypedDict):
    level: NotRequired[list[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]]
    """
    Levels to search, as level=a&level=b or level=a,b; default all
    """
    within: NotRequired[str]
    """
    PSGC code of an area that must contain the results, of any level; old codes too
    """
    limit: NotRequired[int]
    """
    Maximum number of suggestions
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC; default: the served one. See GET /v1/editions
    """


class MatchColumns(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]
    """
    The level that is wanted; by default that of the finest column which is filled, or of a code its own. A row that names none of it is ambiguous, with the code of what it names. A JSON body can have it too, and then the body decides
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
    code: NotRequired[str]
    """
    With text/csv: the heading of the column of PSGC codes; empty for none
    """
    zip: NotRequired[str]
    """
    With text/csv: the heading of the column of ZIP codes; empty for none
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC; default: the served one. See GET /v1/editions
    """


class ReverseOptions(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]
    """
    Finest level of the answer. A JSON body can have it too, and then the body decides
    """
    within: NotRequired[int]
    """
    Radius in which to look for the nearest area, metres. A JSON body can have it too, and then the body decides
    """
    edition: NotRequired[str]
    """
    Edition of the PSGC; default: the served one. See GET /v1/editions
    """


class ChangeFilters(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay']]
    """
    Filter by level
    """
    kind: NotRequired[Literal['created', 'abolished', 'renamed', 'recoded', 'moved', 'merged', 'split', 'reclassified', 'redrawn']]
    """
    Filter by kind
    """
    code: NotRequired[str]
    """
    Filter by code, before or after the change
    """
    within: NotRequired[str]
    """
    Filter by area: changes of the area with this code and of everything in it, now or then; or of up to 50 areas, their codes separated by commas
    """
    limit: NotRequired[int]
    """
    Records per page
    """


class DownloadFilters(TypedDict):
    level: NotRequired[Literal['region', 'province', 'municity', 'submunicipality', 'barangay', 'country']]
    """
    Filter by level; country: all levels in one file
    """
    format: NotRequired[Literal['csv', 'csv.gz', 'ndjson.gz', 'geojson.gz', 'fgb', 'parquet', 'topojson', 'gpkg']]
    """
    Filter by format
    """
    resolution: NotRequired[Literal['simple', 'medium', 'detailed']]
    """
    Filter by resolution of the boundaries
    """
    edition: NotRequired[str]
    """
    Filter by edition of the PSGC; see GET /v1/editions
    """


class DatasetFilters(TypedDict):
    limit: NotRequired[int]
    """
    Records per page
    """
    includeFeatures: NotRequired[Literal['0', '1', 'true', 'yes', 'false', 'no']]
    """
    Whether to include the features of each dataset
    """
    user_email: NotRequired[str]
    """
    Filter by owner; administrators only
    """
    visibility: NotRequired[Literal['public', 'private', 'all', 'mine', 'accounts', 'everyone']]
    """
    Which of the datasets that you may read; public: those with visibility accounts or everyone
    """
    debug: NotRequired[Literal['0', '1', 'true', 'yes', 'false', 'no']]
    """
    Whether meta describes how the list was scoped
    """


class File1(TypedDict):
    id: str
    """
    Name of a file: its release, level, resolution and format
    """
    href: str


class DownloadSession(TypedDict):
    session: str
    expires_at: str
    files: list[File1]


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
    Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato
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
    Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it
    """
    density_km2: float | None
    """
    Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area
    """
    iso_3166_2: str | None
    """
    ISO 3166-2 code of a region or province
    """
    island_group: Literal['luzon', 'visayas', 'mindanao'] | None
    pcode: str
    """
    P-code of humanitarian datasets (COD-AB)
    """
    centroid: tuple[float, float] | None
    """
    A point on the largest part of the area; its centre if that lies inside
    """
    bbox: tuple[float, float, float, float] | None
    """
    West, south, east, north in degrees (WGS 84)
    """
    requested_code: NotRequired[str]
    """
    The requested code, if it differs from the current one
    """
    geometry: NotRequired[AreaGeometry | None]
    """
    Present only on request
    """


class Hierarchy(TypedDict):
    region: Region | None
    province: Province | None
    host_province: Province | None
    """
    Province that geographically contains a city or municipality that belongs to none
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
    Distance to the area, metres; 0 if it contains the point
    """
    region: Region | None
    province: Province | None
    host_province: Province | None
    """
    Province that the place lies in but does not belong to
    """
    municity: Municity | None
    submunicipality: Municity | None
    """
    Sub-municipality of Manila in which the barangay lies; null elsewhere, and above barangays
    """
    barangay: Barangay | None


class ParsedAddress(TypedDict):
    match: Literal['exact', 'likely', 'ambiguous', 'none']
    """
    exact: the published spelling, or another name with its ancestors, nothing in the row contradicts it, and no other place has this name; likely: one place is clearly the best; ambiguous: several are equally good, or nothing of the level was found in a place, whose code is then given; none: nothing is similar
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
    Expected share of correct rows among rows like this one, three decimals; for an ambiguous row, that its place lies in the code, or else is the first candidate
    """
    ancestors: list[Ancestor3]
    """
    From the region down, including the province that geographically contains an independent city
    """
    candidates: list[Candidate1]
    """
    Candidates, best first
    """
    notes: list[str]
    """
    What was ignored, and what would decide
    """
    text: str
    """
    The address
    """
    parts: list[AddressPart]
    """
    In the order of the text
    """


class Sources(TypedDict):
    release: str
    edition: str
    """
    Edition of the PSGC
    """
    as_of: str
    """
    Reference date of the edition: the last day of its quarter, or a day of its month
    """
    age_days: int
    """
    Age of the list today (UTC), days
    """
    newer_likely: bool
    """
    Set for the newest edition here from its fourth month on: the PSA has probably published a newer list
    """
    newer_edition: str | None
    """
    The newest edition here, if this one is older
    """
    notice: str
    """
    The same, as a sentence
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
    Email address of the owner; null for other callers, except administrators who filter by it
    """
    name: str
    description: str | None
    is_public: bool
    """
    Whether visibility is accounts or everyone
    """
    visibility: Literal['private', 'accounts', 'everyone']
    """
    Who may read it besides its owner
    """
    visibility_chosen: bool
    """
    False for a dataset that was public before `everyone` existed, until its visibility is set
    """
    data_type: Literal['vector', 'raster', 'data']
    srid: int
    """
    EPSG code of the input; features are stored in WGS 84
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
    Size of the stored file, or of the features if there is none
    """
    stored_bytes: float
    """
    What it counts in the storage quota of its owner
    """
    created_at: str
    updated_at: str
    features: list[Feature]
    """
    Empty unless requested
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
    Display name
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
    Description for people
    """
    is_public: NotRequired[bool]
    """
    Whether others may read it: true turns private into accounts, false means private; default false
    """
    visibility: NotRequired[Literal['private', 'accounts', 'everyone']]
    """
    Who may read it. private: its owner; accounts: everybody with an account; everyone: also callers without a key, and any site may embed it. Default: as is_public says. If a change has both, the one that differs from before counts, this one first
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
    Null: derived from the features
    """
    status: NotRequired[str]
    """
    Any word. Default: ready, or draft without features; a draft becomes ready with its first features or its file
    """
    metadata: NotRequired[Any]
    """
    Any JSON value, at most 65536 characters. A text `map_style` of an object is how the map draws the dataset: the query of an address of `/explore`, such as `color=cases&method=natural`. Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)
    """
    storage_ref: NotRequired[str | None]
    """
    Location of its file. The service sets it when a file is stored; afterwards only an upload changes it
    """
    features: NotRequired[list[Feature1]]
    """
    Initial features: either all are stored or none
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
