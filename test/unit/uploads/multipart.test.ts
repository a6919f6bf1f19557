import { expect, it } from 'vitest';
import { partsOf } from '../../../src/uploads/multipart.ts';

it.each([
  ['as browsers write it', 'a%22b', 'a"b'],
  ['as curl writes it', 'a\\"b\\\\c', 'a"b\\c'],
  ['with a backslash that stands for itself', 'a\\b', 'a\\b'],
  ['with one at its end', 'a\\', 'a\\'],
])('the name of a field is read %s', async (_, written, name) => {
  const form = `--b\r\nContent-Disposition: form-data; name="${written}"\r\n\r\nvalue\r\n--b--\r\n`;
  const body = new Response(form).body as ReadableStream<Uint8Array>;
  const names: string[] = [];
  for await (const part of partsOf(body, 'b')) {
    names.push(part.name);
    for await (const chunk of part.chunks) expect(new TextDecoder().decode(chunk)).toBe('value');
  }
  expect(names).toEqual([name]);
});
