import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A file as a commit of its repository records it. */
export interface Blob {
  path: string;
  /**
   * SHA-1 of `blob <size>\0` and the content, in hexadecimal: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
   */
  sha: string;
  /** Bytes. */
  size: number;
}

/** The part that is read here of an answer of https://docs.github.com/en/rest/git/trees. */
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
 * Lists the files below a folder of a commit, with paths relative to the folder.
 *
 * The tree of the folder is found by walking down to it, because GitHub truncates a recursive listing of a whole large
 * repository at 7 MB.
 * @param input `treesUrl`: URL to which `/<sha>` is added and, to list everything below, `?recursive=1`
 * @param get fetches the text at a URL
 * @throws Error where an answer is no list or is truncated, or the folder doesn't exist
 */
export async function listFilesBelow(
  { treesUrl, commit, folder }: { treesUrl: string; commit: string; folder: string },
  get: (url: string) => Promise<string>,
): Promise<Blob[]> {
  let sha = commit;
  for (const name of folder.split('/')) {
    const entries = await listTree(`${treesUrl}/${sha}`, get);
    const found = entries.find(({ path, type }) => path === name && type === 'tree');
    if (!found) throw new Error(`Commit ${commit} has no folder ${folder}`);
    sha = found.sha;
  }
  const entries = await listTree(`${treesUrl}/${sha}?recursive=1`, get);
  return entries.flatMap(({ path, type, sha: blob, size }) =>
    type === 'blob' && size !== undefined ? [{ path, sha: blob, size }] : [],
  );
}

async function listTree(url: string, get: (url: string) => Promise<string>) {
  const text = await get(url);
  const parsed = await new Promise((resolve) => resolve(JSON.parse(text))).then(treeSchema.safeParse, () => undefined);
  if (!parsed?.success) throw new Error(`${url} answers with something that is no list of files`);
  if (parsed.data.truncated) throw new Error(`${url} answers with a list that is cut off`);
  return parsed.data.tree;
}

/** Whether these bytes are what the commit records. */
export function isBlob(content: Uint8Array, { sha, size }: Blob): boolean {
  if (content.length !== size) return false;
  return createHash('sha1').update(`blob ${size}\0`).update(content).digest('hex') === sha;
}
