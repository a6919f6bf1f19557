"""Sends calls, again where that helps."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from anyio import sleep

from .._calls import Call, Retries, broken, json_of, refused
from .._tables import refuse_failed
from .._version import USER_AGENT
from ..errors import ConnectionFailed, PsgcError


class AsyncTransport:
    """The service's address, the token, and the connection."""

    def __init__(
        self, url: str, token: str | None, *, timeout: float, retries: Retries, http: httpx.AsyncClient | None
    ) -> None:
        self.url = url.rstrip("/")
        self.has_token = bool(token)
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._owns = http is None
        self._http = http or httpx.AsyncClient()

    async def send(self, call: Call) -> httpx.Response:
        """The whole answer. @raises PsgcError"""
        return await self._insist(call, whole=True)

    async def json(self, call: Call) -> Any:
        """The JSON of the answer. @raises PsgcError"""
        return json_of(await self.send(call))

    async def data(self, call: Call) -> Any:
        """The member `data` of the answer. @raises PsgcError"""
        return (await self.json(call))["data"]

    async def table(self, call: Call) -> tuple[httpx.Headers, bytes]:
        """A table of CSV with its headers. @raises PsgcError also what its last line says, with which it breaks off"""
        attempt = 0
        while True:
            attempt += 1
            began, body = False, bytearray()
            try:
                async with self.stream(call) as response:
                    began = True
                    async for chunk in response.aiter_bytes():
                        body += chunk
                refuse_failed(body)
                return response.headers, bytes(body)
            except ConnectionFailed as error:
                if not began:
                    raise
                refuse_failed(body)
                await self.pause(attempt, error)

    @asynccontextmanager
    async def stream(self, call: Call) -> AsyncGenerator[httpx.Response]:
        """The answer as it comes. It is asked for again until it has begun, and not afterwards. @raises PsgcError"""
        response = await self._insist(call, whole=False)
        try:
            yield response
        except httpx.RequestError as error:
            raise broken(error, call.path) from error
        finally:
            await response.aclose()

    async def close(self) -> None:
        if self._owns:
            await self._http.aclose()

    async def pause(self, attempt: int, error: PsgcError, *, repeatable: bool = True) -> None:
        """Waits before the next try. @raises PsgcError the error itself, where there is to be none"""
        wait = self._retries.wait_before(attempt, error, repeatable=repeatable)
        if wait is None:
            raise error
        await sleep(wait)

    async def _insist(self, call: Call, *, whole: bool) -> httpx.Response:
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._try(call, attempt, whole=whole)
            except PsgcError as error:
                await self.pause(attempt, error, repeatable=call.is_repeatable)

    async def _try(self, call: Call, attempt: int, *, whole: bool) -> httpx.Response:
        try:
            response = await self._http.send(self._request(call), stream=True, follow_redirects=False)
            try:
                if whole or not response.is_success:
                    await response.aread()
            except BaseException:
                await response.aclose()
                raise
        except httpx.RequestError as error:
            raise broken(error, f"{self.url}{call.path}") from error
        # A try whose answer was lost has deleted it.
        is_gone = call.method == "DELETE" and attempt > 1 and response.status_code == 404
        if not response.is_success and not is_gone:
            raise refused(response)
        return response

    def _request(self, call: Call) -> httpx.Request:
        headers = {"Accept-Encoding": "gzip", "User-Agent": USER_AGENT, **call.headers}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        read = max(self._timeout, call.read_timeout or 0)
        return self._http.build_request(
            call.method,
            f"{self.url}{call.path}",
            params=call.query() or None,
            json=call.json,
            content=None if call.body is None else _sent(call.body()),
            files=call.files,
            data=call.form,
            headers=headers,
            timeout=httpx.Timeout(self._timeout, read=read, write=read),
        )


async def _sent(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
