from __future__ import annotations

import os

import pytest
from faults import Answer, Cut, Faults

from psgc_client import ConnectionFailed, NotFound, Psgc

URL = "https://hooks.example/psgc"


def test_an_endpoint_from_its_creation_to_its_end(mine: Psgc) -> None:
    made = mine.webhook_endpoints.create({"url": URL, "events": ["dataset.processed"]})
    id = made["id"]
    assert made["secret"].startswith("whsec_")
    assert id in [each["id"] for each in mine.webhook_endpoints.list()]
    followed = mine.webhook_endpoints.update(id, {"events": ["area.changed"], "areas": ["0702200000"]})
    assert followed == {**mine.webhook_endpoints.get(id)} and followed["areas"] == ["0702200000"]
    assert mine.webhook_endpoints.rotate_secret(id, grace_seconds=0)["secret"] not in ("", made["secret"])
    assert mine.webhook_endpoints.deliveries(id).count() == 0
    sent = mine.webhook_endpoints.test(id)
    assert sent["type"] == "endpoint.test"
    assert mine.webhook_endpoints.replay(id, sent["id"])["id"] == sent["id"]
    assert [each["id"] for each in mine.webhook_endpoints.deliveries(id)] == [sent["id"]]
    mine.webhook_endpoints.delete(id)
    with pytest.raises(NotFound):
        mine.webhook_endpoints.get(id)


def test_a_secret_is_made_once_and_what_sends_an_event_is_not_sent_again(mine: Psgc, faults: Faults) -> None:
    with Psgc(faults.url, os.environ["PSGC_SESSION"]) as client:
        faults.plan = [Cut(10)]
        made = client.webhook_endpoints.create({"url": URL, "events": ["dataset.processed"]})
        id = made["id"]
        faults.plan = [Cut(10)]
        rotated = client.webhook_endpoints.rotate_secret(id)
        created, again, replaced, once = [seen.headers["idempotency-key"] for seen in faults.seen]
        assert created == again != replaced == once and made["secret"] != rotated["secret"]
        assert [each["id"] for each in mine.webhook_endpoints.list()].count(id) == 1
        refused = Answer(429, {"Retry-After": "0"})
        faults.seen.clear()
        faults.plan = [Cut(10)]
        with pytest.raises(ConnectionFailed):
            client.webhook_endpoints.test(id)
        (sent,) = client.webhook_endpoints.deliveries(id)
        faults.plan = [Cut(10)]
        with pytest.raises(ConnectionFailed):
            client.webhook_endpoints.replay(id, sent["id"])
        faults.plan = [refused]
        assert client.webhook_endpoints.replay(id, sent["id"])["id"] == sent["id"]
    acts = [seen.path.rsplit("/", 1)[1] for seen in faults.seen if seen.method == "POST"]
    assert acts == ["test", "replay", "replay", "replay"]
    mine.webhook_endpoints.delete(id)
