import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A file of a repository as its commit records it. */
export interface Blob {
  path: string;
  /** SHA-1 of `blob <size>\0` and the content, in hexadecimal: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
  sha: string;
  /** Bytes. */
  size: number;
}

/** An answer of https://docs.github.com/en/rest/git/trees, as far as it is read here. */
const treeSchema = z.object({
  truncated: z.boolean(),
  tree: z.array(
    z.object({
      path: z.string(),
      type: z.string(),
      sha: z.string().regex(/^[0-9a-f]{40}$/),
      size: z.int().nonnegative().optional(),
    }),
  ),
});

/**
 * The files below a folder of a commit, with paths relative to it.
 *
 * The folder's tree is found by walking down to it, because a recursive listing of a whole large repository is cut off
 * (at 7 MB).
 * @param treesUrl address that takes `/<sha>` and, to list what is below, `?recursive=1`
 * @param get fetches the text at an address
 * @throws where an answer is no list, is cut off, or the folder isn't there
 */
export async function filesBelow(
  treesUrl: string,
  commit: string,
  folder: string,
  get: (url: string) => Promise<string>,
): Promise<Blob[]> {
  let sha = commit;
  for (const name of folder.split('/')) {
    const entries = await list(`${treesUrl}/${sha}`, get);
    const found = entries.find(({ path, type }) => path === name && type === 'tree');
    if (!found) throw new Error(`Commit ${commit} has no folder ${folder}`);
    sha = found.sha;
  }
  const entries = await list(`${treesUrl}/${sha}?recursive=1`, get);
  return entries.flatMap(({ path, type, sha: blob, size }) =>
    type === 'blob' && size !== undefined ? [{ path, sha: blob, size }] : [],
  );
}

async function list(url: string, get: (url: string) => Promise<string>) {
  const text = await get(url);
  const parsed = await new Promise((resolve) => resolve(JSON.parse(text))).then(treeSchema.safeParse, () => undefined);
  if (!parsed?.success) throw new Error(`${url} answers with something that is no list of files`);
  if (parsed.data.truncated) throw new Error(`${url} answers with a list that is cut off`);
  return parsed.data.tree;
}

/** Whether these bytes are what a commit records. */
export function isBlob(content: Uint8Array, { sha, size }: Blob): boolean {
  if (content.length !== size) return false;
  return createHash('sha1').update(`blob ${size}\0`).update(content).digest('hex') === sha;
}
