import { type Schema, Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import { type Answer, type Asking, api, type Body } from './api.ts';
import type { Headers } from './people.ts';

/** The version of the protocol without a handshake. */
export const NEWEST = '2026-07-28';

/** What every request of the newest version says of its client. */
const CLIENT = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Headers that the protocol asks of every POST. */
export const MCP = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

type Send = typeof api;

/** One POST of a body to /mcp, as JSON where it is no text. */
export function postMcp(body: unknown, headers: Headers = {}, send: Send = api, init: Asking = {}): Promise<Answer> {
  return send('/mcp', {
    ...init,
    method: 'POST',
    undeclared: true,
    headers: { ...MCP, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A request of an earlier version; gives the message that answers it. */
export async function ask(method: string, params: object = {}, headers: Headers = {}, send: Send = api): Promise<Body> {
  const { status, body, text } = await postMcp({ jsonrpc: '2.0', id: 1, method, params }, headers, send);
  expect([method, status, text.slice(0, 300)]).toEqual([method, 200, expect.any(String)]);
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 1 });
  return body;
}

/** A request of the newest version. */
export function askNewest(method: string, params: Body = {}, headers: Headers = {}): Promise<Answer> {
  const name = params.name ?? params.uri;
  return postMcp(
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: CLIENT } },
    { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': method, ...(name ? { 'Mcp-Name': name } : {}), ...headers },
  );
}

const validators = new Map<string, Validator>();

/** Calls a tool that succeeds; gives its structured answer, which is held against what the tool declares. */
export async function call(name: string, given: object, headers: Headers = {}, send: Send = api): Promise<Body> {
  const { result } = await ask('tools/call', { name, arguments: given }, headers, send);
  expect(result?.isError, `${name} ${JSON.stringify(given).slice(0, 200)}: ${result?.content[0].text}`).toBeUndefined();
  const { content, structuredContent } = result;
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  if (validators.size === 0) {
    for (const { name: each, outputSchema } of (await ask('tools/list')).result.tools) {
      validators.set(each, new Validator(outputSchema as Schema, '2020-12', false));
    }
  }
  expect(validators.get(name)?.validate(structuredContent).errors).toEqual([]);
  return structuredContent;
}

/** Calls a tool that fails; gives what it says. */
export async function failure(name: string, given: unknown, headers: Headers = {}, send: Send = api): Promise<string> {
  const { result, error } = await ask('tools/call', { name, arguments: given }, headers, send);
  expect([error, result?.isError]).toEqual([undefined, true]);
  expect(result).not.toHaveProperty('structuredContent');
  return result.content[0].text;
}
