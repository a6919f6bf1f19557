"""Lists of records that become tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._frames import dataframe_of, geodataframe_of

if TYPE_CHECKING:
    import geopandas
    import pandas

Record = TypeVar("Record")


class Records(list[Record]):
    """A list of records, which also becomes a table."""

    def __init__(self, records: Iterable[Record], model: type) -> None:
        super().__init__(records)
        self._model = model

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each record, without boundaries. Needs pandas."""
        return dataframe_of(cast("list[Mapping[str, Any]]", self), self._model)

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """
        A row for each record with its boundary or shape. Needs GeoPandas.

        @raises ValueError where the records have none, or came without
        """
        return geodataframe_of(cast("list[Mapping[str, Any]]", self), self._model)


class Batch(Records[Record]):
    """
    The records of a list of codes, in its order. `missing` has the codes that name nothing, `abolished` what took the
    place of those that were abolished, `repeated` those that were asked for more than once.
    """

    def __init__(self, records: Iterable[Record], model: type) -> None:
        super().__init__(records, model)
        self.missing: list[str] = []
        self.abolished: dict[str, list[str]] = {}
        self.repeated: list[str] = []

    def note(self, headers: Mapping[str, str]) -> None:
        """Adds what the headers of an answer say."""
        self.missing += _listed(headers.get("X-Missing-Codes"))
        self.repeated += _listed(headers.get("X-Repeated-Codes"))
        for pair in _listed(headers.get("X-Abolished-Codes")):
            code, _, successors = pair.partition("=")
            self.abolished[code] = [each for each in successors.split("+") if each]


def _listed(header: str | None) -> list[str]:
    return [part.strip() for part in (header or "").split(",") if part.strip()]
