"""Whole levels as files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Unpack, cast

from .._calls import Call, Level, Resolution, path_of
from .._files import KnownFile, announced_file, is_whole, listed_file, records_in, size_of
from .._frames import dataframe_of, geodataframe_of
from .._places import LEVELS
from ..errors import ConnectionFailed, IncompleteAnswer, NotFound, PsgcError
from ..models import Download, DownloadFilters, DownloadSession
from ..records import Records
from .transport import AsyncTransport

if TYPE_CHECKING:
    import geopandas
    import pandas

Progress = Callable[[int, int], None]


class AsyncDownloads:
    """Tables are free. Layers, which have boundaries, need a token, or a session in the address."""

    def __init__(self, transport: AsyncTransport, edition: str | None) -> None:
        self._transport = transport
        self._edition = edition

    async def list(self, **filters: Unpack[DownloadFilters]) -> Records[Download]:
        """The files with size and SHA-256."""
        params: Any = {"edition": self._edition, **filters}
        body = await self._transport.json(Call("GET", "/v1/downloads", params))
        return Records(cast("list[Download]", body["data"]), Download)

    async def session(self, ids: Iterable[str] | None = None, *, ttl_seconds: int = 3600) -> DownloadSession:
        """What opens layers to tools that send no headers: all of them, or those of `ids`. Needs a token."""
        wanted: dict[str, Any] = {"ttl_seconds": ttl_seconds} | ({} if ids is None else {"ids": [*ids]})
        return await self._transport.data(Call("POST", "/v1/downloads/sessions", json=wanted))

    async def fetch(
        self, file: Download | str, target: str | PathLike[str], *, progress: Progress | None = None
    ) -> Path:
        """
        Fetches a file, by its record or id, into a directory or to a path. What breaks off goes on where it was, also
        in a later call: until it is whole it has `.part` behind its name. `progress` is told bytes and all bytes.

        @raises IncompleteAnswer where its SHA-256 is not the announced one
        """
        known = await self._known(file)
        path = Path(target)
        path = path / known.id if path.is_dir() else path
        part = path.with_name(f"{path.name}.part")
        # What an earlier call has left may be of another publication of the release: then it is fetched anew.
        for _ in ("gone on with", "anew"):
            if size_of(part) > known.size:
                part.unlink()
            await self._fill(known, part, progress)
            if is_whole(part, known):
                return part.replace(path)
            part.unlink()
        raise IncompleteAnswer(f"{known.id} has other bytes than were announced.", "digest_mismatch")

    async def to_dataframe(self, level: Level, *, edition: str | None = None) -> pandas.DataFrame:
        """Every area of a level as a row, by the file of it. Needs pandas."""
        return dataframe_of(await self._records(level, "ndjson.gz", None, edition), LEVELS[level].model)

    async def to_geodataframe(
        self, level: Level, resolution: Resolution = "simple", *, edition: str | None = None
    ) -> geopandas.GeoDataFrame:
        """Every area of a level with its boundary, by the file of it. Needs GeoPandas and a token."""
        return geodataframe_of(await self._records(level, "geojson.gz", resolution, edition), LEVELS[level].model)

    async def _records(self, level: Level, format: str, resolution: str | None, edition: str | None) -> Any:
        filters: Any = {"level": level, "format": format, "resolution": resolution}
        files = await self.list(**filters, **({} if edition is None else {"edition": edition}))
        if not files:
            raise NotFound(f"No file of {level} as {format} is published here.", "download_not_found")
        with TemporaryDirectory() as directory:
            return records_in(await self.fetch(files[0], directory))

    async def _known(self, file: Download | str) -> KnownFile:
        if not isinstance(file, str):
            return listed_file(file)
        call = Call("HEAD", path_of("/v1/downloads/{}", file), headers={"Accept-Encoding": "identity"})
        return announced_file(file, (await self._transport.send(call)).headers)

    async def _fill(self, file: KnownFile, part: Path, progress: Progress | None) -> None:
        attempt = 0
        while (start := size_of(part)) < file.size:
            attempt += 1
            try:
                await self._go_on(file, part, start, progress)
                if size_of(part) <= start:
                    raise ConnectionFailed(f"{file.id} ended after {start} bytes.", "connection_failed")
            except PsgcError as error:
                if size_of(part) > start:
                    attempt = 1
                await self._transport.pause(attempt, error)

    async def _go_on(self, file: KnownFile, part: Path, start: int, progress: Progress | None) -> None:
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
        async with self._transport.stream(
            Call("GET", path_of("/v1/downloads/{}", file.id), headers=headers)
        ) as response:
            goes_on = response.status_code == 206
            done = start if goes_on else 0
            with part.open("ab" if goes_on else "wb") as opened:
                async for chunk in response.aiter_bytes():
                    opened.write(chunk)
                    done += len(chunk)
                    if progress is not None:
                        progress(done, file.size)
