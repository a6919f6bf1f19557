# Generated from the module of the same name in _async by generate.py.
"""Where an account is told of events."""

from __future__ import annotations

from .. import models
from .._calls import LARGEST_PAGE, Call, once, path_of
from ..records import Records
from .pages import Pages
from .transport import Transport

_PATH = "/v1/webhook-endpoints"
_ONE = "/v1/webhook-endpoints/{}"


class WebhookEndpoints:
    """Webhook endpoints of one's own account. Needs a session, or a key without scopes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> Records[models.WebhookEndpoint]:
        """All of them, oldest first. They come in one answer."""
        return Records(self._transport.data(Call("GET", _PATH)), models.WebhookEndpoint)

    def get(self, id: str) -> models.WebhookEndpoint:
        return self._transport.data(Call("GET", path_of(_ONE, id)))

    def create(self, endpoint: models.WebhookEndpointInput) -> models.CreatedWebhookEndpoint:
        """A new endpoint. Only this answer has its secret."""
        return self._transport.data(Call("POST", _PATH, json=endpoint, headers=once()))

    def update(self, id: str, changes: models.WebhookEndpointPatch) -> models.WebhookEndpoint:
        return self._transport.data(Call("PATCH", path_of(_ONE, id), json=changes))

    def delete(self, id: str) -> None:
        self._transport.send(Call("DELETE", path_of(_ONE, id)))

    def rotate_secret(self, id: str, *, grace_seconds: int = 86_400) -> models.CreatedWebhookEndpoint:
        """Replaces the secret. Only this answer has the new one; for the grace time the old one signs too."""
        path = path_of(f"{_ONE}/rotate-secret", id)
        return self._transport.data(Call("POST", path, json={"grace_seconds": grace_seconds}, headers=once()))

    def test(self, id: str) -> models.WebhookDelivery:
        """Sends the event `endpoint.test`, once in ten seconds at most. The delivery is not sent yet."""
        return self._transport.data(Call("POST", path_of(f"{_ONE}/test", id), acts=True))

    def deliveries(self, id: str) -> Pages[models.WebhookDelivery]:
        """The log of the last 30 days, newest first."""
        call = Call("GET", path_of(f"{_ONE}/deliveries", id), {"limit": LARGEST_PAGE})
        return Pages(self._transport, call, models.WebhookDelivery)

    def replay(self, id: str, delivery_id: str) -> models.WebhookDelivery:
        """Sends a delivery again, with the same id and body. It counts as ten requests."""
        path = path_of(f"{_ONE}/deliveries/{{}}/replay", id, delivery_id)
        return self._transport.data(Call("POST", path, acts=True))
