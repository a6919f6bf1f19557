"""What a program does with the client of openapi-python-client. Prints what it found.

The generator knows the first media type of an answer, which is JSON; another is read from the response itself.
"""

import io
import json
import os
import pkgutil
from importlib import import_module

import psgc
from psgc import AuthenticatedClient
from psgc.api.datasets import create_dataset, delete_dataset, export_dataset, get_dataset
from psgc.api.features import create_feature, delete_feature
from psgc.api.match import match_places
from psgc.api.provinces import get_province, list_provinces
from psgc.api.regions import list_regions
from psgc.models import (
    CreateDatasetResponse200,
    CreateFeatureResponse200,
    DatasetInput,
    Error,
    ExportDatasetFormat,
    FeatureInput,
    GetProvinceResponse200,
    ListProvincesResponse200,
    ListRegionsFormat,
    ListRegionsResponse200,
    Point,
    RegionFeatureCollection,
)
from psgc.types import File

for module in pkgutil.walk_packages(psgc.__path__, "psgc."):
    import_module(module.name)

BASE = os.environ["BASE"]
client = AuthenticatedClient(base_url=BASE, token=os.environ["TOKEN"])


def raw(arguments):
    """An answer of another media type."""
    return client.get_httpx_client().request(**arguments).raise_for_status()


listed: list[str] = []
total = 0
page: int | None = 1
while page is not None:
    answer = list_provinces.sync(client=client, page=page, limit=30)
    assert isinstance(answer, ListProvincesResponse200)
    listed += [province.code for province in answer.data]
    total = answer.meta.total
    page = answer.meta.next_

record = get_province.sync("0702200000", client=client)
assert isinstance(record, GetProvinceResponse200)
missing = get_province.sync("0799900000", client=client)
assert isinstance(missing, Error)
batch = list_regions.sync(client=client, codes=["0700000000", "1300000000"])
assert isinstance(batch, ListRegionsResponse200)
collection = RegionFeatureCollection.from_dict(
    raw(list_regions._get_kwargs(format_=ListRegionsFormat.GEOJSON)).json()
)

created = create_dataset.sync(client=client, body=DatasetInput(name="Wells"))
assert isinstance(created, CreateDatasetResponse200)
dataset = created.data
point = Point.from_dict({"type": "Point", "coordinates": [121, 14.5]})
properties = {"name": "Well 7", "depth_m": 42}
made = create_feature.sync(client=client, body=FeatureInput(dataset_id=dataset.id, geom=point, properties=properties))
assert isinstance(made, CreateFeatureResponse200)
feature = made.data
table = raw(export_dataset._get_kwargs(dataset.id, format_=ExportDatasetFormat.CSV)).text
matched = raw(match_places._get_kwargs(body=File(payload=io.BytesIO(b"province\nCebu\n")))).text
deleted = delete_feature.sync_detailed(str(feature.id), client=client)
delete_dataset.sync_detailed(dataset.id, client=client)
gone = get_dataset.sync_detailed(dataset.id, client=client)

print(
    json.dumps(
        {
            "listed": len(set(listed)) == total,
            "name": record.data.name,
            "code": missing.code,
            "batch": [region.code for region in batch.data],
            "features": [
                len(feature.properties.code) + (feature.geometry is None) for feature in collection.features
            ],
            "table": table,
            "matched": matched,
            "statuses": [deleted.status_code, gone.status_code],
        }
    )
)
