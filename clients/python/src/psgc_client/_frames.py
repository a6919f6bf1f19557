"""Records as tables of pandas and GeoPandas, which are imported when they are first needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from .models import Dataset, GeoJsonFeature

if TYPE_CHECKING:
    import geopandas
    import pandas
    from typing_extensions import TypeIs

#: The serial `id` of an area changes with every release. Codes do not.
_SERIAL = {"Region", "Province", "Municity", "Barangay"}
#: The columns of members of these types, which may be missing. Those of others have the type that their cells have.
_TYPES = {str: "string", bool: "boolean", int: "Int64", float: "Float64"}
#: The members that may have the shape of a record.
_SHAPES = ("geometry", "geom")
_PARTS = {"centroid": ("lon", "lat"), "bbox": ("west", "south", "east", "north")}
_AREAS = {"region", "province", "host_province", "municity", "sub_municipality", "submunicipality", "barangay"}
_ANCESTORS = ("region", "province", "municity", "submunicipality")


def library_of(name: str, extra: str) -> Any:
    """A package that only tables need. @raises ImportError with the extra that brings it"""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise ImportError(f'This needs more packages: pip install "psgc-client[{extra}]"') from None


def is_dataframe(value: object) -> TypeIs[pandas.DataFrame]:
    """Whether it is a DataFrame, also where pandas is not installed and there can be none."""
    return hasattr(value, "columns") and hasattr(value, "iloc")


def dataframe_of(records: Iterable[Mapping[str, Any]], model: type) -> pandas.DataFrame:
    """
    Records as a DataFrame. Columns have the types of their members, nullable: text, whole numbers, numbers, booleans. A
    centroid is `lon` and `lat`, a bbox `west`, `south`, `east`, `north`, and an area in a record its code and name.
    Shapes are left out.
    """
    library = library_of("pandas", "pandas")
    rows = [_flat(record, model) for record in records]
    # A record without any value has the columns of its model, so that an empty table has its columns.
    columns = dict.fromkeys(column for row in rows or [_flat(_empty(model), model)] for column in row)
    types = _types_of(model)
    return library.DataFrame(
        {column: _column([row.get(column) for row in rows], types.get(column)) for column in columns}
    )


def shape_member(model: type) -> str:
    """The member of records that has their shape. @raises ValueError where they have none"""
    member = next((name for name in _SHAPES if name in model.__annotations__), None)
    if member is None:
        of_features = " Features of a dataset are read by datasets.to_geodataframe(id)." * (model is Dataset)
        raise ValueError(f"A {model.__name__} has no shape: use to_dataframe().{of_features}")
    return member


def geodataframe_of(records: Sequence[Mapping[str, Any]], model: type) -> geopandas.GeoDataFrame:
    """
    The same with the shape of each record as its geometry, in WGS 84 degrees (EPSG:4326).

    @raises ValueError where the records have no shapes, or came without them
    """
    library = library_of("geopandas", "geo")
    member = shape_member(model)
    if records and not any(member in record for record in records):
        raise ValueError('The records came without their boundaries: ask for them with geometry="simple".')
    shapes = _shapes([record.get(member) for record in records])
    return library.GeoDataFrame(dataframe_of(records, model), geometry=shapes)


def layer_of(collection: Mapping[str, Any]) -> geopandas.GeoDataFrame:
    """
    Features of people's own data, in WGS 84 degrees (EPSG:4326). Each property is a column as it is: whole numbers,
    numbers, booleans and text have nullable types, and anything else, or a mixture, is of Python's own. The ids are the
    index, where features have any. A property that is called `geometry` becomes `property_geometry`.
    """
    library, pandas_ = library_of("geopandas", "geo"), library_of("pandas", "pandas")
    features = cast("Sequence[GeoJsonFeature]", collection["features"])
    rows = [each.get("properties") or {} for each in features]
    columns = {
        _own_column(name, rows): _column([row.get(name) for row in rows])
        for name in dict.fromkeys(name for row in rows for name in row)
    }
    shapes = _shapes([each.get("geometry") for each in features])
    layer = library.GeoDataFrame(pandas_.DataFrame(columns, index=shapes.index), geometry=shapes)
    if any("id" in each for each in features):
        layer.index = pandas_.Index([each.get("id") for each in features], name="id")
    return layer


def records_of(collection: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Features of GeoJSON as records with a geometry."""
    features = cast("Sequence[Mapping[str, Any]]", collection["features"])
    return [{**each["properties"], "geometry": each["geometry"]} for each in features]


def _shapes(geometries: Sequence[Mapping[str, Any] | None]) -> geopandas.GeoSeries:
    shape = library_of("shapely.geometry", "geo").shape
    column = [None if each is None else shape(each) for each in geometries]
    return library_of("geopandas", "geo").GeoSeries(column, crs="EPSG:4326")


def _empty(model: type) -> dict[str, None]:
    return dict.fromkeys(name for name in model.__annotations__ if name != "requested_code")


def _flat(record: Mapping[str, Any], model: type) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in record.items():
        if name in _SHAPES or (name == "id" and model.__name__ in _SERIAL):
            continue
        if name in _PARTS:
            row.update(zip(_PARTS[name], value or (None,) * len(_PARTS[name]), strict=True))
        elif name in _AREAS:
            row |= {f"{name}_code": value and value["code"], f"{name}_name": value and value["name"]}
        elif name == "ancestors":
            found = {each["level"]: each for each in value or ()}
            for level in _ANCESTORS:
                area = found.get(level, {})
                row |= {f"{level}_code": area.get("code"), f"{level}_name": area.get("name")}
        else:
            row[name] = value
    return row


def _own_column(name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    if name != "geometry":
        return name
    taken = {other for row in rows for other in row}
    column = f"property_{name}"
    while column in taken:
        column += "_"
    return column


def _column(cells: Sequence[Any], kind: str | None = None) -> pandas.Series[Any]:
    """Cells of JSON as a column of a type, or of the type that all of them have."""
    # Lists of the same length would become a table of their own as an array.
    return library_of("pandas", "pandas").Series(cells, dtype=kind or _common_type(cells))


def _common_type(cells: Sequence[Any]) -> str:
    kinds: set[type[Any]] = {type(cell) for cell in cells if cell is not None}
    if kinds == {str}:
        return "string"
    if kinds == {bool}:
        return "boolean"
    whole = [cell for cell in cells if type(cell) is int]
    if kinds == {int} and all(abs(cell) < 2**63 for cell in whole):
        return "Int64"
    # Beyond this a whole number may be no double.
    return "Float64" if kinds in ({float}, {int, float}) and all(abs(cell) <= 2**53 for cell in whole) else "object"


def _types_of(model: type) -> dict[str, str]:
    """The types of columns that the members of a model decide."""
    types = {column: "Float64" for parts in _PARTS.values() for column in parts}
    types |= {f"{area}_{part}": "string" for area in _AREAS for part in ("code", "name")}
    for name, hint in get_type_hints(model).items():
        kind, *others = _kinds_of(hint)
        if not others and kind in _TYPES:
            types[name] = _TYPES[kind]
    return types


def _kinds_of(hint: Any) -> set[Any]:
    """The types that a member may have, but for None. A member that is one of some words is text."""
    if get_origin(hint) is Literal:
        return {type(word) for word in get_args(hint)}
    if get_origin(hint) in (Union, UnionType):
        return {kind for each in get_args(hint) for kind in _kinds_of(each)} - {NoneType}
    return {hint}
