import { expect, it } from 'vitest';
import { rebindingOf } from '../../../src/mcp/local-names.ts';

it.each<[url: string, origin: string | undefined, isLetIn: boolean]>([
  ['https://geo.example/mcp', undefined, true],
  ['https://geo.example/mcp', 'https://agent.example', true],
  ['https://geo.example/mcp', 'null', true],
  ['https://geo.example/mcp', 'nowhere', false],
  ['https://geo.example/mcp', 'https://agent.example/page', false],
  ['http://127.0.0.1:8787/mcp', undefined, true],
  ['http://localhost:8787/mcp', 'http://localhost:6274', true],
  ['http://[::1]:8787/mcp', 'http://127.0.0.1:6274', true],
  ['http://192.168.1.5:8787/mcp', undefined, true],
  ['http://evil.example:8787/mcp', undefined, false],
  ['http://localhost.evil.example:8787/mcp', undefined, false],
  ['http://127.0.0.1.evil.example/mcp', undefined, false],
  ['http://127.0.0.1:8787/mcp', 'http://evil.example', false],
  ['http://127.0.0.1:8787/mcp', 'https://evil.example', false],
])('a request to %s of the origin %s is let in: %s', (url, origin, isLetIn) => {
  expect(rebindingOf(new URL(url), origin) === undefined).toBe(isLetIn);
});
