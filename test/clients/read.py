"""Reads files as a client does and prints a line for each with what it found: rows, a hash of the codes, the area in square
degrees.

usage: read.py <how> <address> [<how> <address> ...]
"""

import hashlib
import json
import sys


def told(codes, area=None):
    text = "\n".join(sorted(codes)).encode()
    print(json.dumps({"rows": len(codes), "codes": hashlib.sha256(text).hexdigest(), "area": area}))


def geopandas_file(address):
    import geopandas

    frame = geopandas.read_file(address)
    told(list(frame["code"]), planar(frame))


def geopandas_parquet(address):
    import geopandas

    frame = geopandas.read_parquet(address)
    told(list(frame["code"]), planar(frame))


def planar(frame):
    import shapely

    # TopoJSON says nothing of it: coordinates are those of GeoJSON.
    assert frame.crs is None or frame.crs.to_epsg() == 4326 or frame.crs.to_string() == "OGC:CRS84", frame.crs
    return float(shapely.area(frame.geometry.values).sum())


def duckdb_parquet(address):
    import duckdb
    import shapely

    rows = duckdb.sql(f"select code, geometry from read_parquet('{address}')").fetchall()
    areas = shapely.area(shapely.from_wkb([bytes(geometry) for _, geometry in rows]))
    told([code for code, _ in rows], float(areas.sum()))


def duckdb_csv(address):
    import duckdb

    told([code for (code,) in duckdb.sql(f"select code from read_csv('{address}', all_varchar = true)").fetchall()])


def duckdb_json(address):
    import duckdb

    rows = duckdb.sql(f"select code from read_json('{address}', columns = {{code: 'VARCHAR'}})").fetchall()
    told([code for (code,) in rows])


def pandas_csv(address):
    import pandas

    told(list(pandas.read_csv(address, dtype={"code": str})["code"]))


def geoparquet(address):
    """Holds a file against the specification of GeoParquet 1.1, by its validator, and every row against its bbox."""
    import geoparquet_validator
    import pyarrow.parquet
    import shapely

    file = pyarrow.parquet.ParquetFile(address)
    geo = json.loads(file.schema_arrow.metadata[b"geo"])
    column = geo["columns"][geo["primary_column"]]
    faults = geoparquet_validator.failed(geoparquet_validator.check(address))
    if geo["version"] != "1.1.0" or column["encoding"] != "WKB":
        faults.append("version or encoding")
    table = file.read()
    geometries = shapely.from_wkb(table.column("geometry").to_pylist())
    if not shapely.is_valid(geometries).all():
        faults.append("invalid geometry")
    types = {kind.geom_type for kind in geometries}
    if types != set(column["geometry_types"]):
        faults.append(f"geometry types {types}")
    if [round(side, 9) for side in shapely.total_bounds(geometries)] != [round(side, 9) for side in column["bbox"]]:
        faults.append("bbox of the column")
    boxes = table.column("bbox").to_pylist()
    for box, bounds in zip(boxes, shapely.bounds(geometries)):
        if [box[side] for side in ("xmin", "ymin", "xmax", "ymax")] != list(bounds):
            faults.append(f"bbox {box} is not {bounds}")
            break
    if column["covering"]["bbox"]["xmin"] != ["bbox", "xmin"]:
        faults.append("covering")
    wrong = 0
    for geometry in geometries:
        for polygon in geometry.geoms:
            wrong += not polygon.exterior.is_ccw or any(ring.is_ccw for ring in polygon.interiors)
    if column["orientation"] == "counterclockwise" and wrong:
        faults.append(f"{wrong} polygons are not oriented as said")
    print(json.dumps({"faults": faults, "groups": file.metadata.num_row_groups}))


for how, address in zip(sys.argv[1::2], sys.argv[2::2]):
    globals()[how](address)
