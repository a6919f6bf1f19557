import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Offers files to tests that run where there is no file system. Vitest would hand them to every test file anew, as text.
 *
 * @param files their bytes, by names that can stand in a path
 */
export async function offerFiles(files: Map<string, Uint8Array>): Promise<{ url: string; close(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const bytes = files.get(url.slice(1));
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
