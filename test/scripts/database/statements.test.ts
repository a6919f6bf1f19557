import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { openStatements } from '../../../scripts/database/statements.ts';

const FORMATS = '-c timezone=UTC -c datestyle=ISO,MDY -c intervalstyle=postgres -c bytea_output=hex';

it.each([
  ['without options', 'application_name=x', FORMATS],
  // Of two options of the same name the last one counts.
  [
    'with options',
    'options=-c%20search_path%3Dgeo%20-c%20timezone%3DAsia/Manila',
    `-c search_path=geo -c timezone=Asia/Manila ${FORMATS}`,
  ],
])('a server is asked for the formats of Neon, by a connection string %s', async (_, given, options) => {
  const { promise, resolve } = Promise.withResolvers<Record<string, string | undefined>>();
  const server = createServer((socket) => {
    socket.once('data', (message) => {
      // The first message has a length, a version, and pairs of texts that end with NUL.
      const texts = message.subarray(8).toString().split('\0');
      resolve(Object.fromEntries(texts.flatMap((text, i) => (i % 2 === 0 ? [[text, texts[i + 1]]] : []))));
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statements = openStatements(`postgres://p:s%40+@127.0.0.1:${port}/geo?${given}`, { singleSession: false });
  await expect(statements.run({ query: 'SELECT 1' }, false, new AbortController().signal)).rejects.toThrow();
  expect(await promise).toMatchObject({ user: 'p', database: 'geo', options });
  await statements.close();
  server.close();
});
