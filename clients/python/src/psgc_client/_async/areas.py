"""The four levels of geography."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar, Unpack, cast

from .. import models
from .._calls import LARGEST_PAGE, Call, Resolution, path_of
from .._places import AreaNames, with_codes
from ..records import Batch, Records
from .pages import AsyncPages
from .transport import AsyncTransport

Record = TypeVar("Record")
Detail = TypeVar("Detail")
Shape = TypeVar("Shape")


class AsyncAreas(Generic[Record, Detail, Shape]):
    """What all levels have in common. Codes are text; those that are out of date lead to the area of today."""

    def __init__(self, transport: AsyncTransport, edition: str | None, names: AreaNames) -> None:
        self._transport = transport
        self._edition = edition
        self._names = names
        self._path = f"/v1/{names.path}"

    def _listed(self, filters: Mapping[str, Any]) -> AsyncPages[Record]:
        params = with_codes({"limit": LARGEST_PAGE, "edition": self._edition, **filters})
        return AsyncPages(self._transport, Call("GET", self._path, params), self._names.model)

    async def get(self, code: str, *, geometry: Resolution | None = None, edition: str | None = None) -> Detail:
        """
        One area. `geometry` adds its boundary: `simple`, `medium` or `detailed`, which needs a token.

        @raises AreaAbolished with the areas that took its place
        @raises NotFound where no area of this level has or had the code
        """
        return await self._single("", code, edition, geometry=geometry)

    async def boundary(self, code: str, *, resolution: Resolution = "simple", edition: str | None = None) -> Shape:
        """The area as a Feature of GeoJSON, longitude before latitude in WGS 84 degrees. Needs a token."""
        params = {"format": "geojson", "geometry": resolution, "edition": edition or self._edition}
        call = Call("GET", path_of(self._path + "/{}", code), params)
        return cast("Shape", await self._transport.json(call))

    async def hierarchy(self, code: str, *, edition: str | None = None) -> models.Hierarchy:
        """The area and what it lies in."""
        return await self._single("/hierarchy", code, edition)

    async def neighbors(self, code: str, *, edition: str | None = None) -> Records[Record]:
        """The areas of this level that touch it."""
        return Records(await self._single("/neighbors", code, edition), self._names.model)

    async def search(self, q: str, *, limit: int = 20, edition: str | None = None, **within: str) -> Records[Record]:
        """The areas of this level by name, best first. Barangays take `municity_code` and `province_code` too."""
        params = {"q": q, "limit": limit, "edition": edition or self._edition, **within}
        body = await self._transport.json(Call("GET", f"{self._path}/search", params))
        return Records(cast("list[Record]", body["data"]), self._names.model)

    async def batch(
        self, codes: Iterable[str], *, geometry: Resolution | None = None, edition: str | None = None
    ) -> Batch[Record]:
        """
        The areas of many codes, in their order. `geometry` adds boundaries: `simple`, `medium` or `detailed`. Needs a
        token. Codes beyond what one request takes are asked for in several.
        """
        asked = list(codes)
        found: Batch[Record] = Batch([], self._names.model)
        params = {"edition": edition or self._edition}
        for start in range(0, len(asked), self._names.most):
            wanted = {self._names.member: asked[start : start + self._names.most], "geometry": geometry or "simple"}
            response = await self._transport.send(Call("POST", f"{self._path}/search", params, json=wanted))
            records = cast("list[dict[str, Any]]", response.json())
            for record in records:
                if geometry is None:
                    record.pop("geometry", None)
            found.extend(cast("list[Record]", records))
            found.note(response.headers)
        return found

    async def _single(self, below: str, code: str, edition: str | None, *, geometry: Resolution | None = None) -> Any:
        params = {"geometry": geometry, "edition": edition or self._edition}
        return await self._transport.data(Call("GET", path_of(f"{self._path}/{{}}{below}", code), params))


class AsyncRegions(AsyncAreas[models.Region, models.RegionDetail, models.RegionDetailFeature]):
    """Regions."""

    def list(self, **filters: Unpack[models.RegionFilters]) -> AsyncPages[models.Region]:
        """The regions that the filters let through."""
        return self._listed(filters)


class AsyncProvinces(AsyncAreas[models.Province, models.ProvinceDetail, models.ProvinceDetailFeature]):
    """Provinces."""

    def list(self, **filters: Unpack[models.ProvinceFilters]) -> AsyncPages[models.Province]:
        """The provinces that the filters let through. `region` is a code or a name."""
        return self._listed(filters)


class AsyncMunicities(AsyncAreas[models.Municity, models.MunicityDetail, models.MunicityDetailFeature]):
    """Cities and municipalities."""

    def list(self, **filters: Unpack[models.MunicityFilters]) -> AsyncPages[models.Municity]:
        """The cities and municipalities of a `province` or `region`, each a code or a name."""
        return self._listed(filters)


class AsyncBarangays(AsyncAreas[models.Barangay, models.BarangayDetail, models.BarangayDetailFeature]):
    """Barangays."""

    def list(self, **filters: Unpack[models.BarangayFilters]) -> AsyncPages[models.Barangay]:
        """The barangays of a `municity`, `province` or `region`, each a code or a name."""
        return self._listed(filters)
