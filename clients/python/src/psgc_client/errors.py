"""Everything that can go wrong, as classes. All of them are a `PsgcError`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True)
class Issue:
    """What is wrong with one parameter or member of a body."""

    path: tuple[str | int, ...]
    message: str


class PsgcError(Exception):
    """
    A failure. `code` is stable, `message` is for people. `status` is that of the answer, and `None` where there was no
    answer that says it. `fields` has the other members of the error, such as `successors` or `candidates`.
    `retry_after` has the seconds after which the service wants to be asked again.
    """

    def __init__(
        self,
        message: str,
        code: str = "client_error",
        *,
        status: int | None = None,
        request_id: str | None = None,
        fields: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.fields: Mapping[str, Any] = fields or {}
        self.retry_after = retry_after

    def __str__(self) -> str:
        said = ", ".join(part for part in (self.code, self.request_id and f"request {self.request_id}") if part)
        return f"{self.message} [{said}]"

    @property
    def issues(self) -> list[Issue]:
        """What is wrong with each parameter, where the service refused the parameters or the body."""
        found: Any = self.fields.get("issues", [])
        return [Issue(tuple(issue["path"]), str(issue["message"])) for issue in found]


class ConnectionFailed(PsgcError):
    """The service could not be reached, or the connection broke."""


class TimedOut(ConnectionFailed):
    """The service did not answer in time."""


class IncompleteAnswer(PsgcError):
    """An answer ended before it was whole, or has other bytes than were announced."""


class BadRequest(PsgcError):
    """400: the service did not understand what was asked."""


class AmbiguousName(BadRequest):
    """Several places have the name. `candidates` lists them."""

    @property
    def candidates(self) -> list[dict[str, str]]:
        """`code` and `name` of each, best first."""
        return cast("list[dict[str, str]]", self.fields.get("candidates", []))


class InvalidInput(BadRequest):
    """Parameters, a body or a table that is not as it must be. `issues` says what is wrong with which."""


class AuthenticationFailed(PsgcError):
    """401: a token is missing, unknown, expired or revoked."""


class PermissionDenied(PsgcError):
    """403: the token may not do this."""


class NotFound(PsgcError):
    """404: nothing is there, or nothing that this token may see."""


class AreaAbolished(NotFound):
    """The area no longer exists. `successors` lists what took its place."""

    @property
    def successors(self) -> list[dict[str, str]]:
        """`code` and `href` of each."""
        return cast("list[dict[str, str]]", self.fields.get("successors", []))


class Conflict(PsgcError):
    """409 or 412: what is there is in another state than the request needs."""


class TooLarge(PsgcError):
    """413: more than the service takes, or more than the account may store."""


class RateLimited(PsgcError):
    """429: too many requests in a minute. `retry_after` has the seconds to wait."""


class ServiceFailed(PsgcError):
    """5xx: the service can not answer at the moment, or has a fault."""


class PsgcWarning(UserWarning):
    """An answer is empty for a reason, such as a parent that was abolished."""


_BY_CODE: Mapping[str, type[PsgcError]] = {
    "ambiguous_name": AmbiguousName,
    "area_abolished": AreaAbolished,
    "validation_failed": InvalidInput,
}
_BY_STATUS: Mapping[int, type[PsgcError]] = {
    400: BadRequest,
    401: AuthenticationFailed,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    412: Conflict,
    413: TooLarge,
    422: InvalidInput,
    429: RateLimited,
}


def error_of(
    status: int, body: object, *, request_id: str | None = None, retry_after: float | None = None
) -> PsgcError:
    """The error that an answer says. `body` is its JSON, and anything else where it has none."""
    said = dict(cast("Mapping[str, Any]", body)) if isinstance(body, Mapping) else {}
    nested: Any = said.get("error")
    if isinstance(nested, Mapping):
        issues = cast("Sequence[Mapping[str, Any]]", cast("Mapping[str, Any]", nested).get("issues", []))
        message = "; ".join(str(issue["message"]) for issue in issues) or "The request is not valid."
        code, facts = "validation_failed", dict[str, Any](issues=issues)
    else:
        message = str(said.pop("message", f"The service answered {status}."))
        code, facts = str(said.pop("code", f"http_{status}")), said
    other = ServiceFailed if status >= 500 else PsgcError
    made = _BY_CODE.get(code) or _BY_STATUS.get(status, other)
    return made(message, code, status=status, request_id=request_id, fields=facts, retry_after=retry_after)
