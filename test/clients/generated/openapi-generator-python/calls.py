"""What a program does with the client of openapi-generator for Python. Prints what it found."""

import json
import os
import pkgutil
from importlib import import_module

import psgc
from psgc.exceptions import NotFoundException
from psgc.models import Error, MatchRequest, MatchRow, MatchRowId, Region

for module in pkgutil.walk_packages(psgc.__path__, "psgc."):
    import_module(module.name)

configuration = psgc.Configuration(host=os.environ["BASE"], access_token=os.environ["API_KEY"])
client = psgc.ApiClient(configuration)

regions: list[Region] = []
page: int | None = 1
while page is not None:
    answer = psgc.RegionsApi(client).list_regions(page=page, limit=7)
    regions += answer.data
    page = answer.meta.next

record = psgc.ProvincesApi(client).get_province("0702200000", geometry="simple")

rows = [
    MatchRow(id=MatchRowId(7), province="Cebu"),
    MatchRow(id=MatchRowId("b"), text="Brgy. Poblacion, Makati"),
]
matched = psgc.MatchApi(client).match_places(MatchRequest(rows=rows))

try:
    psgc.ProvincesApi(client).get_province("0799900000")
    raise SystemExit("The province exists.")
except NotFoundException as failure:
    missing = failure

assert isinstance(missing.data, Error)
print(
    json.dumps(
        {
            "regions": [region.to_dict() for region in regions],
            "province": record.data.to_dict(),
            "matched": [row.to_dict() for row in matched.data],
            "status": missing.status,
            "error": missing.data.to_dict(),
        }
    )
)
