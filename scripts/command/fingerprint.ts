import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A text that changes whenever a source is added, removed, written or renamed: 64 hex digits. No file is read for it.
 *
 * @param root the repository
 * @param sources files and directories in it
 */
export async function fingerprintOf(root: string, sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    // One that is no directory stands for itself.
    const entries = await readdir(join(root, source), { recursive: true }).catch(() => ['']);
    for (const entry of entries.sort()) {
      const found = await stat(join(root, source, entry)).catch(() => undefined);
      if (found) hash.update(`${source}/${entry} ${found.size} ${found.mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
