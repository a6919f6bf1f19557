"""Where an account is told of events."""

from __future__ import annotations

from .. import models
from .._calls import LARGEST_PAGE, Call, once, path_of
from ..records import Records
from .pages import AsyncPages
from .transport import AsyncTransport

_PATH = "/v1/webhook-endpoints"
_ONE = "/v1/webhook-endpoints/{}"


class AsyncWebhookEndpoints:
    """Webhook endpoints of one's own account. Needs a session, or a key without scopes."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> Records[models.WebhookEndpoint]:
        """All of them, oldest first. They come in one answer."""
        return Records(await self._transport.data(Call("GET", _PATH)), models.WebhookEndpoint)

    async def get(self, id: str) -> models.WebhookEndpoint:
        return await self._transport.data(Call("GET", path_of(_ONE, id)))

    async def create(self, endpoint: models.WebhookEndpointInput) -> models.CreatedWebhookEndpoint:
        """A new endpoint. Only this answer has its secret."""
        return await self._transport.data(Call("POST", _PATH, json=endpoint, headers=once()))

    async def update(self, id: str, changes: models.WebhookEndpointPatch) -> models.WebhookEndpoint:
        return await self._transport.data(Call("PATCH", path_of(_ONE, id), json=changes))

    async def delete(self, id: str) -> None:
        await self._transport.send(Call("DELETE", path_of(_ONE, id)))

    async def rotate_secret(self, id: str, *, grace_seconds: int = 86_400) -> models.CreatedWebhookEndpoint:
        """Replaces the secret. Only this answer has the new one; for the grace time the old one signs too."""
        path = path_of(f"{_ONE}/rotate-secret", id)
        return await self._transport.data(Call("POST", path, json={"grace_seconds": grace_seconds}, headers=once()))

    async def test(self, id: str) -> models.WebhookDelivery:
        """Sends the event `endpoint.test`, once in ten seconds at most. The delivery is not sent yet."""
        return await self._transport.data(Call("POST", path_of(f"{_ONE}/test", id), acts=True))

    def deliveries(self, id: str) -> AsyncPages[models.WebhookDelivery]:
        """The log of the last 30 days, newest first."""
        call = Call("GET", path_of(f"{_ONE}/deliveries", id), {"limit": LARGEST_PAGE})
        return AsyncPages(self._transport, call, models.WebhookDelivery)

    async def replay(self, id: str, delivery_id: str) -> models.WebhookDelivery:
        """Sends a delivery again, with the same id and body. It counts as ten requests."""
        path = path_of(f"{_ONE}/deliveries/{{}}/replay", id, delivery_id)
        return await self._transport.data(Call("POST", path, acts=True))
