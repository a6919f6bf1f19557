import { expect, it } from 'vitest';
import { textStream } from '../../src/http/stream.ts';

/** A stream of one text and then one that is made when `make` is called, and the failures that it told. */
function streamOf(made: Promise<string>) {
  const failures: unknown[] = [];
  async function* texts() {
    yield 'a';
    yield await made;
  }
  const stream = textStream(texts(), { onPull: () => undefined, onFailure: (error) => failures.push(error) });
  return { reader: stream.getReader(), failures };
}

it('tells why a body broke off', async () => {
  const { reader, failures } = streamOf(Promise.reject(new Error('lost')));
  await reader.read();
  await expect(reader.read()).rejects.toThrow('lost');
  expect(failures).toEqual([new Error('lost')]);
});

it.each([
  ['is made', () => Promise.resolve('b')],
  ['fails', () => Promise.reject(new Error('lost'))],
])('tells nothing where the reader has left before the next text %s', async (_, end) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { reader, failures } = streamOf(promise.then(end));
  await reader.read();
  // The stream asks for the next text by itself.
  await new Promise((done) => setTimeout(done));
  const left = reader.cancel();
  resolve();
  await left;
  expect(failures).toEqual([]);
});
