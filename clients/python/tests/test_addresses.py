"""To which addresses a client with a token can be made. Without one it can be made for any."""

from __future__ import annotations

import pytest

from psgc_client import AsyncPsgc, Psgc


@pytest.mark.parametrize(
    "url",
    ["http://geo.example", "http://127.0.0.1.geo.example", "http://localhost@geo.example", "http://10.0.0.1:8787"],
)
@pytest.mark.parametrize("client", [Psgc, AsyncPsgc])
def test_a_token_is_not_sent_where_others_can_read_it(client: type[Psgc | AsyncPsgc], url: str) -> None:
    with pytest.raises(ValueError, match=r"^url: must begin with https:// where a token is given \(got 'http:"):
        client(url, "svc_sk_live_secret")


def test_nor_is_the_token_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSGC_TOKEN", "svc_sk_live_secret")
    with pytest.raises(ValueError, match="^url: must begin with https:// where a token is given"):
        Psgc("http://geo.example")


@pytest.mark.parametrize("url", ["http://127.0.0.1:8787", "http://[::1]:8787", "http://api.localhost", "https://geo.example"])
def test_a_token_is_sent_encrypted_or_to_this_machine(url: str) -> None:
    Psgc(url, "svc_sk_live_secret")


def test_without_a_token_no_encryption_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PSGC_TOKEN", raising=False)
    Psgc("http://geo.example")
