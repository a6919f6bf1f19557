"""Codes for lists of typed places, and what lies at points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import models
from .._calls import Call, Param
from .._tables import CSV, READ_TIMEOUT, Table, added_columns, refuse_failed
from ..errors import ConnectionFailed
from ..records import Records
from .transport import AsyncTransport

if TYPE_CHECKING:
    import pandas

Progress = Callable[[int, int], None]

#: The most rows of a request as JSON, with a token and without one, and the most points.
_ROWS, _FREE_ROWS, _POINTS = 1000, 20, 100


async def appended(
    transport: AsyncTransport,
    path: str,
    frame: pandas.DataFrame,
    params: Mapping[str, Param],
    progress: Progress | None,
    onto: pandas.DataFrame | None = None,
) -> pandas.DataFrame:
    """
    A DataFrame, or `onto` of the same rows, with the columns that the service appends to it as CSV.

    @raises InvalidInput where it has a column of the name of one of them
    """
    table = Table(frame, onto)
    call = Call("POST", path, params, headers=CSV, read_timeout=READ_TIMEOUT)
    headers, empty = await transport.table(replace(call, body=lambda: iter([table.header()])))
    table.choose(headers.get("X-Columns", ""))
    width = len(table.headings)
    headings, _ = added_columns(empty, width, 0)
    table.refuse_taken(headings)
    answers: list[list[str]] = []
    parts = list(table.parts())
    total = sum(len(part) for part in parts)
    for part in parts:
        _, answer = await transport.table(replace(call, body=lambda part=part: table.body(part)))
        answers += added_columns(answer, width, len(part))[1]
        if progress is not None:
            progress(len(answers), total)
    return table.joined(headings, answers)


async def matched_rows(
    transport: AsyncTransport, rows: Sequence[models.MatchRow], level: str | None, params: Mapping[str, Param]
) -> Records[models.MatchedRow]:
    """Typed places as JSON."""
    more = {"level": level} if level else {}
    return Records(await _in_parts(transport, "/v1/match", {"rows": rows}, params, **more), models.MatchedRow)


async def parsed_texts(
    transport: AsyncTransport, texts: Sequence[str], params: Mapping[str, Param]
) -> Records[models.ParsedAddress]:
    """Addresses as JSON."""
    return Records(await _in_parts(transport, "/v1/parse", {"texts": texts}, params), models.ParsedAddress)


async def placed_points(
    transport: AsyncTransport,
    points: Sequence[tuple[float, float]],
    options: Mapping[str, Any],
    params: Mapping[str, Param],
) -> Records[models.Place]:
    """Points as JSON."""
    asked = [{"lat": lat, "lon": lon} for lat, lon in points]
    more = {name: value for name, value in options.items() if value is not None}
    return Records(await _in_parts(transport, "/v1/geocode/reverse", {"points": asked}, params, **more), models.Place)


async def _in_parts(
    transport: AsyncTransport, path: str, items: Mapping[str, Sequence[Any]], params: Mapping[str, Param], **more: Any
) -> list[Any]:
    """What is answered to many items, which are the one member of `items`: as many at once as a request may have."""
    [(name, every)] = items.items()
    most = _POINTS if name == "points" else _ROWS if transport.has_token else _FREE_ROWS
    found: list[Any] = []
    for start in range(0, len(every), most):
        wanted = {name: list(every[start : start + most]), **more}
        found += await transport.data(Call("POST", path, params, json=wanted))
    return found


async def sent_file(
    transport: AsyncTransport,
    source: str | PathLike[str],
    target: str | PathLike[str],
    params: Mapping[str, Param],
) -> Path:
    """A CSV file of any size through `POST /v1/match`, without holding it in memory."""
    whole, part = Path(target), Path(f"{target}.part")
    call = Call("POST", "/v1/match", params, headers={**CSV, "Content-Type": "text/csv"}, read_timeout=READ_TIMEOUT)
    tail = b""
    try:
        async with transport.stream(replace(call, body=lambda: _bytes_of(Path(source)))) as response:
            with part.open("wb") as file:
                async for chunk in response.aiter_bytes():
                    tail = (tail + chunk)[-4096:]
                    file.write(chunk)
        refuse_failed(tail)
        return part.replace(whole)
    except ConnectionFailed:
        refuse_failed(tail)
        raise
    finally:
        part.unlink(missing_ok=True)


def _bytes_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(1 << 16):
            yield chunk
