"""What published releases consist of."""

from __future__ import annotations

from .. import models
from .._calls import Call, path_of
from .transport import AsyncTransport


class AsyncReleases:
    """Documents of releases, with the SHA-256 of each file, and their signatures."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, id: str) -> models.ReleaseDocument:
        return await self._transport.json(Call("GET", path_of("/v1/releases/{}", id)))

    async def document(self, id: str) -> bytes:
        """The same document, byte for byte what is signed."""
        return (await self._transport.send(Call("GET", path_of("/v1/releases/{}", id)))).content

    async def signature(self, id: str) -> bytes:
        """
        The signature of the document, for `minisign -V`.

        @raises NotFound where the operator signs no releases
        """
        return (await self._transport.send(Call("GET", path_of("/v1/releases/{}/signature", id)))).content
