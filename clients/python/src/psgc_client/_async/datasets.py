"""Data of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from .. import models
from .._calls import Call, Param, once, path_of
from .._frames import layer_of
from .pages import AsyncPages
from .transport import AsyncTransport

if TYPE_CHECKING:
    import geopandas

#: The longest that an upload is waited for, seconds.
_UPLOAD = 300.0


class AsyncDatasets:
    """Datasets with features of any kind. Needs a token of a user."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[models.DatasetFilters]) -> AsyncPages[models.Dataset]:
        """Datasets of one's own, and public ones."""
        params = cast("dict[str, Param]", {"limit": 100, **filters})
        return AsyncPages(self._transport, Call("GET", "/v1/datasets", params), models.Dataset)

    async def get(self, id: str) -> models.Dataset:
        return await self._transport.data(Call("GET", path_of("/v1/datasets/{}", id)))

    async def create(self, dataset: models.DatasetInput) -> models.Dataset:
        return await self._transport.data(Call("POST", "/v1/datasets", json=dataset, headers=once()))

    async def update(self, id: str, changes: models.DatasetPatch) -> models.Dataset:
        return await self._transport.data(Call("PATCH", path_of("/v1/datasets/{}", id), json=changes))

    async def delete(self, id: str) -> None:
        await self._transport.send(Call("DELETE", path_of("/v1/datasets/{}", id)))

    async def upload(
        self, file: str | PathLike[str], *, name: str | None = None, **fields: str | int
    ) -> models.Dataset:
        """A file of any format that the service reads, as a dataset. `fields` are the others of the form."""
        path = Path(file)
        form = {key: str(value) for key, value in {"name": name, **fields}.items() if value is not None}
        with path.open("rb") as opened:
            files = {"file": (path.name, opened)}
            call = Call("POST", "/v1/datasets/upload", files=files, form=form, headers=once(), read_timeout=_UPLOAD)
            return await self._transport.data(call)

    async def export(self, id: str, target: str | PathLike[str], *, format: str = "geojson") -> Path:
        """All features as a file: `geojson`, `ndjson`, `csv`, `fgb` or `parquet`."""
        path = Path(target)
        part = path.with_name(f"{path.name}.part")
        async with self._transport.stream(self._export(id, format)) as response:
            with part.open("wb") as opened:
                async for chunk in response.aiter_bytes():
                    opened.write(chunk)
        return part.replace(path)

    async def to_geodataframe(self, id: str) -> geopandas.GeoDataFrame:
        """
        All features with their properties as columns, as they are: nothing is renamed but a property `geometry`, which
        becomes `property_geometry`. Their ids are the index, where they have any. Needs GeoPandas.
        """
        return layer_of(await self._transport.json(self._export(id, "geojson")))

    def _export(self, id: str, format: str) -> Call:
        return Call("GET", path_of("/v1/datasets/{}/export", id), {"format": format}, read_timeout=_UPLOAD)


class AsyncFeatures:
    """Single features of datasets. Needs a token of a user."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, dataset_id: str | None = None, *, bbox: Sequence[float] | None = None) -> AsyncPages[models.Feature]:
        """Those of a dataset or of all, which meet `bbox`: west, south, east, north in degrees."""
        path = "/v1/features" if dataset_id is None else path_of("/v1/features/dataset/{}", dataset_id)
        return AsyncPages(self._transport, Call("GET", path, {"limit": 1000, "bbox": bbox}), models.Feature)

    async def get(self, id: str) -> models.Feature:
        return await self._transport.data(Call("GET", path_of("/v1/features/{}", id)))

    async def create(self, feature: models.FeatureInput) -> models.Feature:
        return await self._transport.data(Call("POST", "/v1/features", json=feature, headers=once()))

    async def update(self, id: str, changes: models.FeaturePatch) -> models.Feature:
        return await self._transport.data(Call("PATCH", path_of("/v1/features/{}", id), json=changes))

    async def delete(self, id: str) -> None:
        await self._transport.send(Call("DELETE", path_of("/v1/features/{}", id)))
