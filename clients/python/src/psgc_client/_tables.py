"""Tables of places and points, as CSV on their way there and back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

from ._frames import library_of
from .errors import IncompleteAnswer, InvalidInput, PsgcError, error_of

if TYPE_CHECKING:
    import pandas

#: Rows of one request. One that fails is sent again, and not all of a long table with it.
ROWS_OF_REQUEST = 20_000
_ROWS_OF_CHUNK = 500

#: The answer stands still while the limit of requests is used up, seconds.
READ_TIMEOUT = 180.0

#: More than a line with an error has, bytes.
_LONGEST_LINE = 4096

_NUMBERS = {"psgc_score", "distance_m"}

CSV = {"Content-Type": "text/csv; charset=utf-8", "Accept": "text/csv"}


class Table:
    """
    A DataFrame on its way. All headings are sent, because they tell which columns are of places, but of the cells only
    those of the columns that the service reads, and each combination of them once. `onto` is the DataFrame that the new
    columns are added to, where that is another one of the same rows.
    """

    def __init__(self, frame: pandas.DataFrame, onto: pandas.DataFrame | None = None) -> None:
        self._frame: Any = frame
        self._onto: Any = frame if onto is None else onto
        self.headings = [str(name) for name in frame.columns]
        self._reads: list[int] = []
        self._rows: list[tuple[str, ...]] = []
        self._row_of: list[int] = []

    def header(self) -> bytes:
        """The row of headings. All are quoted: the service takes what separates cells from those that are not."""
        return _csv_of([self.headings], quoting=csv.QUOTE_ALL)

    def refuse_taken(self, headings: Sequence[str]) -> None:
        """
        Looks for columns of the DataFrame that are called as new ones.

        @raises InvalidInput with the first of them, as the service refuses a table
        """
        own = {str(name).strip() for name in self._onto.columns}
        taken = next((heading for heading in headings if heading in own), None)
        if taken is not None:
            said = f"The table has a column {taken}, which the answer adds: rename or remove it."
            raise InvalidInput(said, "invalid_csv")

    def choose(self, columns: str) -> None:
        """Takes the cells of the columns that a header `X-Columns` names."""
        named = {unquote(name).strip() for part in columns.split(";") for name in part.partition("=")[2].split(",")}
        self._reads = [at for at, name in enumerate(self.headings) if _said(name) in named]
        cells = [_texts(self._frame.iloc[:, at]) for at in self._reads]
        first: dict[tuple[str, ...], int] = {}
        self._row_of = [first.setdefault(row, len(first)) for row in zip(*cells, strict=True)]
        self._rows = list(first)

    def parts(self) -> Iterator[Sequence[tuple[str, ...]]]:
        """The different rows, in parts that are requests of their own."""
        for start in range(0, len(self._rows), ROWS_OF_REQUEST):
            yield self._rows[start : start + ROWS_OF_REQUEST]

    def body(self, rows: Sequence[tuple[str, ...]]) -> Iterator[bytes]:
        """The rows of a part below the headings, in chunks."""
        yield self.header()
        width = len(self.headings)
        for start in range(0, len(rows), _ROWS_OF_CHUNK):
            yield _csv_of([self._spread(row, width) for row in rows[start : start + _ROWS_OF_CHUNK]])

    def joined(self, headings: Sequence[str], answers: Sequence[Sequence[str]]) -> pandas.DataFrame:
        """The DataFrame with the columns that were added row by row, its index and other columns as they were."""
        library = library_of("pandas", "pandas")
        joined = self._onto.copy()
        for at, heading in enumerate(headings):
            cells = [answers[row][at] for row in self._row_of]
            if heading in _NUMBERS:
                numbers = [float(cell) if cell else None for cell in cells]
                joined[heading] = library.array(numbers, dtype="Float64")
            else:
                joined[heading] = library.array([cell or None for cell in cells], dtype="string")
        return joined

    def _spread(self, row: tuple[str, ...], width: int) -> list[str]:
        cells = [""] * width
        for at, cell in zip(self._reads, row, strict=True):
            cells[at] = cell
        return cells


def added_columns(table: bytes, width: int, rows: int) -> tuple[list[str], list[list[str]]]:
    """
    The headings and cells behind the first `width` columns of an answer with so many rows.

    @raises IncompleteAnswer where it has another number of rows
    """
    reader = csv.reader(io.StringIO(table.decode("utf-8"), newline=""))
    headings = next(reader, list[str]())[width:]
    found = [row[width:] for row in reader]
    if len(found) != rows:
        raise IncompleteAnswer(f"The table came back with {len(found)} rows in place of {rows}.", "incomplete_answer")
    return headings, found


def failed(row: Sequence[str]) -> PsgcError:
    """The error that the last line of a table says: `#error,code,message`."""
    _, code, *message = [*row, "", ""]
    said = ", ".join(part for part in message if part) or "The table could not be read to its end."
    if not code:
        return IncompleteAnswer(said, "incomplete_answer")
    status = 422 if code == "invalid_csv" else 401 if code.startswith("api_key_") else 503
    return error_of(status, {"code": code, "message": said})


def refuse_failed(table: bytes | bytearray) -> None:
    """Looks at the end of a table. @raises PsgcError where its last line says one"""
    line = table[-_LONGEST_LINE:].rstrip(b"\r\n").rpartition(b"\n")[2].decode("utf-8", "replace")
    if line.startswith("#error"):
        # Cells are separated as those of the table are.
        raise failed(next(csv.reader([line], delimiter=line[6:7] or ",")))


def points_of(
    frame: pandas.DataFrame, lat: str | None, lon: str | None
) -> tuple[pandas.DataFrame, Mapping[str, str | None]]:
    """
    A DataFrame with columns of coordinates, and what they are called. Of a GeoDataFrame without named columns they are
    those of its points, turned into WGS 84 degrees.
    """
    shaped: Any = frame
    if lat is not None or lon is not None or not hasattr(frame, "to_crs"):
        return frame, {"lat": lat, "lon": lon}
    points: Any = shaped.geometry if shaped.crs is None else shaped.geometry.to_crs("EPSG:4326")
    if not (points.geom_type.dropna() == "Point").all():
        raise ValueError("reverse() takes points: use .representative_point() of other geometries.")
    return library_of("pandas", "pandas").DataFrame({"lat": points.y, "lon": points.x}, index=frame.index), {}


def _csv_of(rows: Sequence[Sequence[str]], quoting: Literal[0, 1] = csv.QUOTE_MINIMAL) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n", quoting=quoting).writerows(rows)
    return text.getvalue().encode("utf-8")


def _said(heading: str) -> str:
    """A heading as the header says it, which has 80 characters of it in UTF-16."""
    begins = heading.strip().encode("utf-16-le", "surrogatepass")[:160]
    return begins.decode("utf-16-le", "replace").strip()


def _texts(column: pandas.Series[Any]) -> list[str]:
    missing = column.isna()
    return ["" if gone else _cell(value) for value, gone in zip(column, missing, strict=True)]


def _cell(value: Any) -> str:
    # A column of codes with an empty cell is one of floats to pandas.
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
