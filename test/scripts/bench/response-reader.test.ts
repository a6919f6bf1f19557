import { describe, expect, it } from 'vitest';
import { ResponseReader } from '../../../scripts/bench/response-reader.ts';

const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello';
const CHUNKED =
  'HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel\r\n\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n';
const TRAILED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Sum: 1\r\n\r\n';
const UNCHANGED = 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n';
const EMPTY = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** The status and the bytes of the body of each answer in some parts of a connection. */
function read(parts: readonly string[]): [number, number][] {
  const answers: [number, number][] = [];
  const reader = new ResponseReader((status, bytes) => answers.push([status, bytes]));
  for (const part of parts) reader.push(Buffer.from(part));
  return answers;
}

describe('answers of a connection', () => {
  const all = PLAIN + CHUNKED + TRAILED + UNCHANGED + EMPTY + PLAIN;
  const expected = [
    [200, 5],
    [404, 15],
    [200, 1],
    [304, 0],
    [200, 0],
    [200, 5],
  ];

  it('are told apart where they come at once', () => {
    expect(read([all])).toEqual(expected);
  });

  it.each([1, 2, 3, 7, 16])('are read in parts of %i bytes too', (size) => {
    const parts = all.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(read(parts)).toEqual(expected);
  });

  it('are not told before their last byte', () => {
    expect(read([CHUNKED.slice(0, -1)])).toEqual([]);
    expect(read([PLAIN.slice(0, -1)])).toEqual([]);
  });

  it('are refused where they have no length', () => {
    expect(() => read(['HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'])).toThrow('no length');
  });
});
