# Generated from the module of the same name in _async by generate.py.
"""What published releases consist of."""

from __future__ import annotations

from .. import models
from .._calls import Call, path_of
from .transport import Transport


class Releases:
    """Documents of releases, with the SHA-256 of each file, and their signatures."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, id: str) -> models.ReleaseDocument:
        return self._transport.json(Call("GET", path_of("/v1/releases/{}", id)))

    def document(self, id: str) -> bytes:
        """The same document, byte for byte what is signed."""
        return (self._transport.send(Call("GET", path_of("/v1/releases/{}", id)))).content

    def signature(self, id: str) -> bytes:
        """
        The signature of the document, for `minisign -V`.

        @raises NotFound where the operator signs no releases
        """
        return (self._transport.send(Call("GET", path_of("/v1/releases/{}/signature", id)))).content
