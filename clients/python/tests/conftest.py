"""
The service that the tests ask: `PSGC_URL` with `PSGC_TOKEN`, which is the master token, and `PSGC_SESSION` of a user.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from faults import Faults

from psgc_client import Psgc

pytest_plugins = ["anyio"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def psgc() -> Iterator[Psgc]:
    with Psgc() as client:
        yield client


@pytest.fixture
def mine() -> Iterator[Psgc]:
    """A client of a user, who can have datasets."""
    with Psgc(token=os.environ["PSGC_SESSION"]) as client:
        yield client


@pytest.fixture
def faults() -> Iterator[Faults]:
    """A way to the service on which things go wrong."""
    with Faults(os.environ["PSGC_URL"]) as between:
        yield between
