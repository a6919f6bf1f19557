"""Lists, as iterators over their pages."""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .._calls import Call, Param, Resolution, is_code
from .._frames import geodataframe_of, records_of, shape_member
from .._places import CODE_PARAMETER, Named, nearest_above, only_hit, unknown_name
from ..errors import PsgcWarning
from ..records import Records
from .transport import AsyncTransport

if TYPE_CHECKING:
    import geopandas
    import pandas

Record = TypeVar("Record")


class AsyncPages(Generic[Record]):
    """The records of a list. They are fetched page by page while they are iterated over, and again the next time."""

    def __init__(self, transport: AsyncTransport, call: Call, model: type) -> None:
        self._transport = transport
        self._call = call
        self._model = model

    async def __aiter__(self) -> AsyncIterator[Record]:
        async for page in self.pages():
            for record in page:
                yield record

    async def pages(self) -> AsyncIterator[Records[Record]]:
        """One page after the other."""
        number: int | None = 1
        while number is not None:
            body = await self._page(number)
            yield Records(cast("list[Record]", body["data"]), self._model)
            number = body["meta"]["next"]

    async def all(self) -> Records[Record]:
        """Every record of the list."""
        return Records([record async for record in self], self._model)

    async def first(self) -> Record | None:
        """The first record, or `None` where the list is empty."""
        body = await self._page(1, limit=1)
        records = cast("list[Record]", body["data"])
        return records[0] if records else None

    async def count(self) -> int:
        """How many records the list has."""
        return int((await self._page(1, limit=1))["meta"]["total"])

    async def to_dataframe(self) -> pandas.DataFrame:
        """Every record of the list as a row, without boundaries. Needs pandas."""
        return (await self.all()).to_dataframe()

    async def to_geodataframe(self, resolution: Resolution = "simple") -> geopandas.GeoDataFrame:
        """
        Every record of the list as a row with its boundary: `simple`, `medium` or `detailed`. Needs GeoPandas and a
        token. It is one request, however long the list is. Features have the one shape that they are stored with.

        @raises ValueError where the records of the list have no shapes
        """
        if shape_member(self._model) == "geom":
            return (await self.all()).to_geodataframe()
        collection = await self._transport.json(self._geojson(resolution))
        if not collection["features"]:
            # GeoJSON does not say why it is empty, and the list does.
            known = self._call
            await self._page(1, limit=1)
            if self._call is not known:
                collection = await self._transport.json(self._geojson(resolution))
        return geodataframe_of(records_of(collection), self._model)

    def _geojson(self, resolution: str) -> Call:
        return self._call.with_params(format="geojson", geometry=resolution, limit=None)

    async def _page(self, number: int, **params: Param) -> Any:
        """A page as it was answered. A name that no place has is looked for once, and its code is used from then on."""
        while True:
            body = await self._transport.json(self._call.with_params(page=number, **params))
            notices = cast("Sequence[Mapping[str, Any]]", body["meta"].get("notices", ()))
            unknown = unknown_name(self._call.params, notices)
            if unknown is None:
                for notice in notices:
                    warnings.warn(str(notice["message"]), PsgcWarning, stacklevel=4)
                return body
            parameter, name = unknown
            named = Named(parameter, name, (parameter,), await self._parent_of(parameter))
            code = await code_of(self._transport, named, self._call.params.get("edition"))
            self._call = self._call.with_params(**{parameter: None, CODE_PARAMETER[parameter]: code})

    async def _parent_of(self, parameter: str) -> str | None:
        """The code of the nearest place that is given above a parameter."""
        given = nearest_above(parameter, self._call.params)
        if given is None:
            return None
        level, place = given
        if is_code(place):
            return place
        # The National Capital Region counts as a province.
        named = Named(level, place, (level, "region"), await self._parent_of(level))
        return await code_of(self._transport, named, self._call.params.get("edition"))


async def code_of(transport: AsyncTransport, named: Named, edition: Param) -> str:
    """The code of the place that a name clearly means. @raises AmbiguousName, NotFound"""
    params: dict[str, Param] = {"q": named.name, "level": named.levels, "parent": named.parent}
    body = await transport.json(Call("GET", "/v1/search", {**params, "limit": 5, "edition": edition}))
    return only_hit(named, body["data"])["code"]
