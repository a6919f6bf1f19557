"""Answers with GeoPandas what the service answers about areas: counts of points, areas around a point, shares in a polygon.

usage: analysis.py <file of areas> < {"points": [[lon, lat]], "centre": [lon, lat], "polygon": <GeoJSON geometry>}
"""

import json
import sys

import geopandas
from shapely.geometry import Point, shape

asked = json.load(sys.stdin)
areas = geopandas.read_file(sys.argv[1])[["code", "geometry"]]
areas = areas[~areas.geometry.isna()]

points = geopandas.GeoDataFrame(geometry=[Point(*at) for at in asked["points"]], crs=4326)
joined = points.sjoin(areas, predicate="intersects").reset_index()
# On a border the area with the lowest code.
counts = joined.groupby("index")["code"].min().value_counts().to_dict()

# Edges are straight in longitudes and latitudes, so they get more positions before they are projected.
fine = areas.set_geometry(areas.geometry.segmentize(0.01))
lon, lat = asked["centre"]
around = fine.to_crs(f"+proj=aeqd +lat_0={lat} +lon_0={lon} +datum=WGS84")
distances = dict(zip(areas["code"], around.distance(Point(0, 0))))

polygon = geopandas.GeoDataFrame(geometry=[shape(asked["polygon"])], crs=4326)
polygon = polygon.set_geometry(polygon.geometry.segmentize(0.01)).to_crs(6933)
whole = fine.to_crs(6933)
whole["size"] = whole.area
parts = whole.overlay(polygon, how="intersection")
parts = parts[parts.area > 100]
overlaps = {code: [part.area / size, part.area / 1e6] for code, part, size in zip(parts["code"], parts.geometry, parts["size"])}
print(json.dumps({"counts": counts, "distances": distances, "overlaps": overlaps, "polygon": polygon.area.sum() / 1e6}))
