# Generated from the module of the same name in _async by generate.py.
"""The client."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack, cast, overload

import httpx

from .. import models
from .._calls import LARGEST_PAGE, Call, Level, Param, Resolution, Retries, is_code, is_private, path_of
from .._frames import is_dataframe
from .._places import LEVELS, Named
from .._tables import points_of
from ..records import Records
from .areas import Barangays, Municities, Provinces, Regions
from .datasets import Datasets, Features
from .downloads import Downloads
from .pages import Pages, code_of
from .releases import Releases
from .tables import appended, matched_rows, parsed_texts, placed_points, sent_file
from .transport import Transport
from .webhook_endpoints import WebhookEndpoints

if TYPE_CHECKING:
    import pandas

Progress = Callable[[int, int], None]


class Psgc:
    """
    The Philippine Geographic Data Service.

    `url` and `token` are the environment variables `PSGC_URL` and `PSGC_TOKEN` unless given; without a token only what
    is free can be read. `edition` is that of all reads which name none. `timeout` and `longest_wait` are seconds:
    a request that fails in a way that may pass is sent again up to `retries` times, after what `Retry-After` says,
    unless that is longer than `longest_wait`. `http` is a client of httpx with settings of your own.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        edition: str | None = None,
        timeout: float = 30.0,
        retries: int = 4,
        longest_wait: float = 60.0,
        http: httpx.Client | None = None,
    ) -> None:
        address = url or os.environ.get("PSGC_URL")
        if not address:
            raise ValueError("url: give the address of the service, or set PSGC_URL.")
        if not address.startswith(("http://", "https://")):
            raise ValueError(f"url: must begin with http:// or https:// (got {address!r}).")
        again = Retries(retries, longest_wait)
        given = token or os.environ.get("PSGC_TOKEN")
        if given and not is_private(address):
            raise ValueError(
                f"url: must begin with https:// where a token is given (got {address!r}): others on the way could read it."
            )
        self._transport = Transport(address, given, timeout=timeout, retries=again, http=http)
        self._edition = edition
        self.regions = Regions(self._transport, edition, LEVELS["region"])
        self.provinces = Provinces(self._transport, edition, LEVELS["province"])
        self.municities = Municities(self._transport, edition, LEVELS["municity"])
        self.barangays = Barangays(self._transport, edition, LEVELS["barangay"])
        self.downloads = Downloads(self._transport, edition)
        self.releases = Releases(self._transport)
        self.datasets = Datasets(self._transport)
        self.features = Features(self._transport)
        self.webhook_endpoints = WebhookEndpoints(self._transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transport.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connections."""
        self._transport.close()

    def search(self, q: str, **options: Unpack[models.SearchOptions]) -> Records[models.SearchHit]:
        """Places of all levels by names as people type them, best first. `parent` is a code or a name."""
        params = cast("dict[str, Param]", {"edition": self._edition, **options})
        parent = options.get("parent")
        if parent is not None and not is_code(parent):
            params["parent"] = code_of(self._transport, Named("parent", parent), params["edition"])
        data = self._transport.data(Call("GET", "/v1/search", {"q": q, **params}))
        return Records(data, models.SearchHit)

    def suggest(
        self, q: str, *, near: tuple[float, float] | None = None, **options: Unpack[models.SuggestOptions]
    ) -> Records[models.Suggestion]:
        """Places while a name is typed, best first. `near` is a latitude and a longitude; places there come first."""
        params = cast("dict[str, Param]", {"edition": self._edition, **options})
        if near is not None:
            params["near"] = f"{near[0]:.6f},{near[1]:.6f}"
        data = self._transport.data(Call("GET", "/v1/suggest", {"q": q, **params}))
        return Records(data, models.Suggestion)

    def postal_code(self, zip_code: str, *, edition: str | None = None) -> models.PostalCode:
        """The areas of a ZIP code of four digits."""
        path = path_of("/v1/postal-codes/{}", zip_code)
        return self._transport.data(Call("GET", path, {"edition": edition or self._edition}))

    def parse(self, texts: str | Sequence[str], *, edition: str | None = None) -> Records[models.ParsedAddress]:
        """
        The parts of addresses with their codes, in the order of the texts. Up to 1000 go in one request, 20 without a
        token.
        """
        all_texts = [texts] if isinstance(texts, str) else texts
        return parsed_texts(self._transport, all_texts, {"edition": edition or self._edition})

    def boundary(
        self, code: str, *, resolution: Resolution = "simple", edition: str | None = None
    ) -> models.AreaFeature:
        """An area of any level as a Feature of GeoJSON. Needs a token."""
        level = self._level_of(code, edition)
        areas = {
            "region": self.regions,
            "province": self.provinces,
            "municity": self.municities,
            "barangay": self.barangays,
        }
        return areas[level].boundary(code, resolution=resolution, edition=edition)

    @overload
    def match(
        self,
        places: pandas.DataFrame,
        *,
        progress: Progress | None = None,
        **columns: Unpack[models.MatchColumns],
    ) -> pandas.DataFrame: ...

    @overload
    def match(
        self, places: Sequence[models.MatchRow], **columns: Unpack[models.MatchColumns]
    ) -> Records[models.MatchedRow]: ...

    def match(
        self,
        places: pandas.DataFrame | Sequence[models.MatchRow],
        *,
        progress: Progress | None = None,
        **columns: Unpack[models.MatchColumns],
    ) -> pandas.DataFrame | Records[models.MatchedRow]:
        """
        Codes for typed places.

        A DataFrame comes back with the columns `psgc_code`, `psgc_level`, `psgc_name`, `psgc_match`, `psgc_score` and
        `psgc_candidates`. Its columns of places are known by their headings, or named: `municity="Town"`; `""` leaves
        one out. Only cells of these are sent, and each combination of them once; `progress` is told how many of these
        are done, and how many there are. Needs a token. A DataFrame that has a column of the name of a new one is
        refused: rename or remove it.

        A list of rows such as `{"province": "Cebu", "municity": "Argaw"}` comes back as a list of what each means.
        """
        params = cast("dict[str, Param]", {"edition": self._edition, **columns})
        if is_dataframe(places):
            return appended(self._transport, "/v1/match", places, params, progress)
        return matched_rows(self._transport, places, columns.get("level"), {"edition": params["edition"]})

    def match_file(
        self,
        source: str | PathLike[str],
        target: str | PathLike[str],
        **columns: Unpack[models.MatchColumns],
    ) -> Path:
        """A CSV file of any size, with the codes as columns behind its own. Nothing of it is held in memory."""
        params = cast("dict[str, Param]", {"edition": self._edition, **columns})
        return sent_file(self._transport, source, target, params)

    @overload
    def reverse(self, lat: float, lon: float, **options: Unpack[models.ReverseOptions]) -> models.Place: ...

    @overload
    def reverse(
        self, lat: Iterable[tuple[float, float]], lon: None = None, **options: Unpack[models.ReverseOptions]
    ) -> Records[models.Place]: ...

    @overload
    def reverse(
        self,
        lat: pandas.DataFrame,
        lon: None = None,
        *,
        columns: tuple[str, str] | None = None,
        progress: Progress | None = None,
        **options: Unpack[models.ReverseOptions],
    ) -> pandas.DataFrame: ...

    def reverse(
        self,
        lat: float | Iterable[tuple[float, float]] | pandas.DataFrame,
        lon: float | None = None,
        *,
        columns: tuple[str, str] | None = None,
        progress: Progress | None = None,
        **options: Unpack[models.ReverseOptions],
    ) -> models.Place | Records[models.Place] | pandas.DataFrame:
        """
        What lies at a point, at each of many `(lat, lon)`, or at those of a DataFrame, in WGS 84 degrees. Needs a
        token.

        A DataFrame comes back with columns of codes and names, `match` and `distance_m`; one that has a column of such
        a name is refused: rename or remove it. Its columns of coordinates are known by their headings, or
        `columns=("North", "East")`; a GeoDataFrame has its points. `within` is the distance in metres in which the
        nearest area is looked for.
        """
        given = cast("dict[str, Param]", {"edition": self._edition, **options})
        edition: dict[str, Param] = {"edition": given.pop("edition")}
        if isinstance(lat, int | float):
            point: dict[str, Param] = {"lat": lat, "lon": lon, **given, **edition}
            return self._transport.data(Call("GET", "/v1/geocode/reverse", point))
        if not is_dataframe(lat):
            return placed_points(self._transport, list(lat), given, edition)
        frame, where = points_of(lat, *(columns or (None, None)))
        params = {**given, **where, **edition}
        return appended(self._transport, "/v1/geocode/reverse", frame, params, progress, onto=lat)

    def changes(self, code: str) -> Records[models.AreaChange]:
        """What happened to an area between the editions there are."""
        data = self._transport.data(Call("GET", path_of("/v1/changes/{}", code)))
        return Records(data, models.AreaChange)

    def list_changes(
        self, from_: str | None = None, to: str | None = None, **filters: Unpack[models.ChangeFilters]
    ) -> Pages[models.AreaChange]:
        """What happened between two editions, such as `2023-4q` and `2026-3q`."""
        params = cast("dict[str, Param]", {"limit": LARGEST_PAGE, "from": from_, "to": to, **filters})
        return Pages(self._transport, Call("GET", "/v1/changes", params), models.AreaChange)

    def crosswalk(self, from_: str, to: str, *, level: Level | None = None) -> Records[models.CrosswalkRow]:
        """The codes of one edition in another, with weights that add up to 1 for each code of `from_`."""
        params = {"from": from_, "to": to, "level": level}
        data = self._transport.data(Call("GET", "/v1/crosswalk", params))
        return Records(data, models.CrosswalkRow)

    def editions(self) -> Records[models.Edition]:
        """The editions of the PSGC."""
        return Records(self._transport.data(Call("GET", "/v1/editions")), models.Edition)

    def sources(self, *, edition: str | None = None) -> models.Sources:
        """Where what is served comes from, and its licences."""
        params = {"edition": edition or self._edition}
        return self._transport.data(Call("GET", "/v1/sources", params))

    def _level_of(self, code: str, edition: str | None) -> str:
        # Digits do not tell a province from a highly urbanized city.
        params: dict[str, Param] = {"q": code, "limit": 1, "edition": edition or self._edition}
        hits: Any = self._transport.data(Call("GET", "/v1/search", params))
        return "municity" if not hits else str(hits[0]["level"])
