import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in for both endpoints that the public boundary set comes from, with a few files of one's own. */
export interface PublicSetServer {
  baseUrl: string;
  manifestUrl: string;
  /** Paths of the files that were asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

type Answer = (path: string, content: string, ...args: Parameters<RequestListener>) => void;

/**
 * Serves files under a commit, and its trees as GitHub's API lists them.
 * @param files path from the repository's root → content
 * @param answer how a file's content is sent; by default as it is
 * @param truncated whether lists say of themselves that they are cut off
 */
export async function servePublicSet(
  commit: string,
  files: Record<string, string>,
  { answer, truncated = false }: { answer?: Answer; truncated?: boolean } = {},
): Promise<PublicSetServer> {
  const asked: string[] = [];
  const trees = treesOf(commit, files);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const [, kind, id = '', ...rest] = pathname.split('/');
    const tree = kind === 'trees' ? trees.get(id) : undefined;
    if (tree) return void response.end(JSON.stringify({ sha: id, truncated, tree: tree }));
    const path = rest.join('/');
    const content = kind === 'raw' && id === commit ? files[path] : undefined;
    if (content === undefined) return void response.writeHead(404).end();
    asked.push(path);
    if (answer) answer(path, content, request, response);
    else response.end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${address}/raw`,
    manifestUrl: `${address}/trees`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Every folder's tree by its name: of the first two levels their entries, of the folders below all files. */
function treesOf(commit: string, files: Record<string, string>) {
  const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
  const trees = new Map<string, unknown[]>([[commit, [{ path: '2023', type: 'tree', sha: sha1('2023') }]]]);
  const formats = ['geojson', 'topojson'].map((path) => ({ path, type: 'tree', sha: sha1(path) }));
  trees.set(sha1('2023'), formats);
  for (const { path: format, sha } of formats) {
    const folder = `2023/${format}/`;
    const blobs = Object.entries(files)
      .filter(([path]) => path.startsWith(folder))
      .map(([path, content]) => {
        const size = Buffer.byteLength(content);
        return { path: path.slice(folder.length), type: 'blob', sha: sha1(`blob ${size}\0${content}`), size };
      });
    trees.set(sha, [{ path: 'regions', type: 'tree', sha: sha1('regions') }, ...blobs]);
  }
  return trees;
}
