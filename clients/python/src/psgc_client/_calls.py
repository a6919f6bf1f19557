"""What a request consists of, when it is sent again, and what its answer means. Nothing here waits or connects."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import IO, Any, Literal
from urllib.parse import quote
from uuid import uuid4

import httpx

from .errors import ConnectionFailed, PsgcError, TimedOut, error_of

Param = str | int | float | bool | Sequence[str] | Sequence[float] | None

Level = Literal["region", "province", "municity", "barangay"]
Resolution = Literal["simple", "medium", "detailed"]

#: The largest page of lists of areas and changes. They are fetched with as few requests as there can be.
LARGEST_PAGE = 100

#: Codes of 503 that no waiting mends.
_LASTING = {"boundaries_not_loaded", "data_not_loaded", "setting_missing"}
_TRANSIENT = {429, 502, 503, 504}

#: Names and addresses of this machine.
_LOOPBACK = re.compile(r"127(\.\d+){3}|::1|(.+\.)?localhost", re.ASCII)


@dataclass(frozen=True)
class Call:
    """One request. `body` gives its bytes anew for every try."""

    method: str
    path: str
    params: Mapping[str, Param] = field(default_factory=dict[str, Param])
    json: object = None
    body: Callable[[], Iterable[bytes]] | None = None
    files: Mapping[str, tuple[str, IO[bytes]]] | None = None
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    read_timeout: float | None = None
    #: It does something each time that it is sent. Every other POST reads, or has an `Idempotency-Key`.
    acts: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.method != "PATCH" and not self.acts

    def with_params(self, **params: Param) -> Call:
        return replace(self, params={**self.params, **params})

    def query(self) -> dict[str, str]:
        """The parameters as they are sent; those that are `None` are not."""
        return {name: _text(value) for name, value in self.params.items() if value is not None}


def once() -> dict[str, str]:
    """With these headers a request that is sent again makes nothing twice."""
    return {"Idempotency-Key": f'"{uuid4()}"'}


def _text(value: str | int | float | bool | Sequence[str] | Sequence[float]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    return ",".join(str(part) for part in value)


def path_of(template: str, *parts: str) -> str:
    """A path with parts that are quoted: no part can leave its place in it."""
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{template}: the id or code is empty, or no name (got {parts!r}).")
    return template.format(*(quote(part, safe="") for part in parts))


def is_private(url: str) -> bool:
    """Whether nobody on the way reads what is sent: it is encrypted, or does not leave this machine."""
    address = httpx.URL(url)
    return address.scheme == "https" or _LOOPBACK.fullmatch(address.host) is not None


def is_code(text: str) -> bool:
    """Whether the text is a PSGC code, and no name."""
    return re.fullmatch(r"\d{1,15}", text.strip()) is not None


@dataclass(frozen=True)
class Retries:
    """How often a request is sent again after a failure that may pass, and the most seconds to wait each time."""

    times: int = 4
    longest_wait: float = 60.0

    def wait_before(self, attempt: int, error: PsgcError, *, repeatable: bool = True) -> float | None:
        """
        Seconds to wait before try number `attempt + 1`, from 1 for the second. `None` where it is not sent again. What
        is not `repeatable` is sent again only where a limit refused it, because it was not begun then.
        """
        if attempt > self.times or not _may_pass(error) or not (repeatable or error.status == 429):
            return None
        if error.retry_after is None:
            return random.uniform(0, min(self.longest_wait, 0.5 * 2 ** (attempt - 1)))
        if error.retry_after > self.longest_wait:
            return None
        # Clients that were refused together do not come again together.
        return error.retry_after + random.uniform(0, min(1.0, 0.1 + error.retry_after / 10))


def _may_pass(error: PsgcError) -> bool:
    if isinstance(error, ConnectionFailed):
        return True
    if error.code == "idempotency_key_in_use":
        return True
    return error.status in _TRANSIENT and error.code not in _LASTING


def retry_after_of(value: str | None) -> float | None:
    """The seconds of a header `Retry-After`, which has a number or a date."""
    if value is None:
        return None
    if re.fullmatch(r"\s*\d{1,9}\s*", value):
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())


def refused(response: httpx.Response) -> PsgcError:
    """The error of an answer that was read."""
    try:
        body: object = response.json()
    except ValueError:
        body = None
    return error_of(
        response.status_code,
        body,
        request_id=response.headers.get("X-Request-Id"),
        retry_after=retry_after_of(response.headers.get("Retry-After")),
    )


def broken(error: httpx.RequestError, url: str) -> PsgcError:
    """The error of a connection that failed."""
    said = str(error) or type(error).__name__
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"{url} did not answer in time: {said}", "timed_out")
    return ConnectionFailed(f"{url} could not be reached, or the connection broke: {said}", "connection_failed")


def json_of(response: httpx.Response) -> Any:
    """The JSON of an answer. @raises PsgcError where something in between has answered with another thing."""
    try:
        return response.json()
    except ValueError:
        kind = response.headers.get("Content-Type", "nothing")
        raise PsgcError(
            f"{response.url} answered with {kind} in place of JSON.",
            "unexpected_answer",
            status=response.status_code,
            request_id=response.headers.get("X-Request-Id"),
        ) from None
