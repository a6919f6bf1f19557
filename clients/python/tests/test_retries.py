from __future__ import annotations

import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from faults import Answer, Cut, Faults

from psgc_client import ConnectionFailed, NotFound, Psgc, PsgcError, RateLimited, ServiceFailed, TimedOut
from psgc_client._calls import Retries, retry_after_of


def test_what_may_pass_is_asked_again(faults: Faults) -> None:
    with Psgc(faults.url) as client:
        faults.plan = [Answer(429, {"Retry-After": "1"}), Answer(502), Cut(5)]
        began = time.monotonic()
        assert client.regions.list().count() == 18
        assert time.monotonic() - began >= 1
    assert len(faults.seen) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 500])
def test_what_does_not_pass_is_not_asked_again(faults: Faults, status: int) -> None:
    faults.plan = [Answer(status, {"X-Request-Id": "r1"}, b'{"message":"no","code":"some_code"}')]
    with Psgc(faults.url) as client, pytest.raises(PsgcError) as caught:
        client.regions.list().all()
    assert (caught.value.code, caught.value.status, caught.value.request_id) == ("some_code", status, "r1")
    assert len(faults.seen) == 1


def test_a_wait_that_is_too_long_is_an_error_at_once(faults: Faults) -> None:
    faults.plan = [Answer(429, {"Retry-After": "61"})]
    with Psgc(faults.url) as client, pytest.raises(RateLimited) as caught:
        client.regions.list().all()
    assert caught.value.retry_after == 61


def test_tries_end(faults: Faults) -> None:
    faults.plan = [Answer(503, {"Retry-After": "0"}) for _ in range(9)]
    with Psgc(faults.url, retries=2) as client, pytest.raises(ServiceFailed):
        client.regions.list().all()
    assert len(faults.seen) == 3
    faults.plan = [Answer(503, {"Retry-After": "0"}, b'{"message":"no","code":"boundaries_not_loaded"}')]
    with Psgc(faults.url) as client, pytest.raises(ServiceFailed):
        client.regions.list().all()
    assert len(faults.seen) == 4


def test_what_was_deleted_by_a_try_whose_answer_was_lost_is_deleted(faults: Faults) -> None:
    gone = Answer(404, {}, b'{"message":"no","code":"dataset_not_found"}')
    with Psgc(faults.url) as client:
        for delete in (client.datasets.delete, client.features.delete):
            faults.plan = [Answer(503, {"Retry-After": "0"}), gone]
            delete("one")
            faults.plan = [gone]
            with pytest.raises(NotFound):
                delete("one")
        faults.plan = [Answer(503, {"Retry-After": "0"}), gone]
        with pytest.raises(NotFound):
            client.datasets.get("one")
    assert [seen.method for seen in faults.seen] == ["DELETE"] * 6 + ["GET"] * 2


@pytest.mark.parametrize("fault", [Answer(502), Answer(503, {"Retry-After": "0"}), Answer(504)])
def test_a_change_is_sent_again_only_where_it_was_not_begun(faults: Faults, fault: Answer) -> None:
    with Psgc(faults.url) as client:
        for update in (client.datasets.update, client.features.update):
            faults.plan = [Answer(429, {"Retry-After": "0"}), fault]
            with pytest.raises(ServiceFailed) as caught:
                update("one", {})
            assert caught.value.status == fault.status
    assert [seen.method for seen in faults.seen] == ["PATCH"] * 4
    began = time.monotonic()
    with Psgc("http://127.0.0.1:9", retries=9) as client, pytest.raises(ConnectionFailed):
        client.datasets.update("one", {})
    assert time.monotonic() - began < 1


def test_nobody_there_and_nobody_answering() -> None:
    with Psgc("http://127.0.0.1:9", retries=0) as client, pytest.raises(ConnectionFailed, match="127.0.0.1:9"):
        client.regions.list().all()
    # Connections are taken, and nothing is ever said.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Psgc(url, retries=0, timeout=0.1) as client, pytest.raises(TimedOut):
            client.regions.list().all()


def test_a_page_of_something_else_is_an_error(faults: Faults) -> None:
    faults.plan = [Answer(200, {"Content-Type": "text/html"}, b"<p>Sign in")]
    with Psgc(faults.url) as client, pytest.raises(PsgcError, match="text/html"):
        client.regions.list().all()


def test_waits_grow_to_a_limit_and_differ() -> None:
    error = PsgcError("", status=503)
    waits = [[Retries(9, 5).wait_before(attempt, error) or 0 for _ in range(200)] for attempt in (1, 3, 9)]
    assert [max(each) <= top for each, top in zip(waits, (0.5, 2, 5), strict=True)] == [True] * 3
    assert max(waits[2]) > 2 and len(set(waits[2])) > 100
    told = PsgcError("", status=429, retry_after=3)
    assert all(3 <= (Retries().wait_before(1, told) or 0) <= 4 for _ in range(50))


def test_retry_after_is_seconds_or_a_date() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after_of("7") == 7 and 28 < (retry_after_of(later) or 0) <= 30
    assert retry_after_of(None) is None and retry_after_of("soon") is None


def test_the_token_is_told_to_nobody(faults: Faults) -> None:
    faults.plan = [Answer(302, {"Location": "http://127.0.0.1:9/"})]
    with Psgc(faults.url, "a-secret-token") as client:
        assert "secret" not in repr(client)
        with pytest.raises(PsgcError, match="302") as caught:
            client.regions.list().all()
        assert "secret" not in str(caught.value)
    assert faults.seen[0].headers["authorization"] == "Bearer a-secret-token"
