"""A client for the Philippine Geographic Data Service: PSGC codes, boundaries, matching of lists."""

from ._async.client import AsyncPsgc
from ._async.pages import AsyncPages
from ._sync.client import Psgc
from ._sync.pages import Pages
from ._version import __version__
from .errors import (
    AmbiguousName,
    AreaAbolished,
    AuthenticationFailed,
    BadRequest,
    Conflict,
    ConnectionFailed,
    IncompleteAnswer,
    InvalidInput,
    Issue,
    NotFound,
    PermissionDenied,
    PsgcError,
    PsgcWarning,
    RateLimited,
    ServiceFailed,
    TimedOut,
    TooLarge,
)
from .records import Batch, Records

__all__ = [
    "AmbiguousName",
    "AreaAbolished",
    "AsyncPages",
    "AsyncPsgc",
    "AuthenticationFailed",
    "BadRequest",
    "Batch",
    "Conflict",
    "ConnectionFailed",
    "IncompleteAnswer",
    "InvalidInput",
    "Issue",
    "NotFound",
    "Pages",
    "PermissionDenied",
    "Psgc",
    "PsgcError",
    "PsgcWarning",
    "RateLimited",
    "Records",
    "ServiceFailed",
    "TimedOut",
    "TooLarge",
    "__version__",
]
