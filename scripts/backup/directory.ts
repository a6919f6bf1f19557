import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FileToPut, ListedObject, Store } from './store.ts';

/** The suffix of a file that is being written. */
const UNFINISHED = '.unfinished';

/** A store whose objects are files below a directory, which is made with the first one. Keys are paths. */
export function directoryStore(root: string): Store {
  const pathOf = (key: string) => join(root, ...key.split('/'));
  return {
    name: root,
    list: (prefix) => filesBelow(root, prefix),
    get: async (key) => {
      const found = await stat(pathOf(key)).catch(ignoreMissing);
      return found?.isFile() ? { body: createReadStream(pathOf(key)), etag: '', contentType: undefined } : undefined;
    },
    put: async (key, file) => putFile(pathOf(key), file),
    create: async (key, text) => {
      const path = pathOf(key);
      const whole = `${path}.${randomUUID()}${UNFINISHED}`;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(whole, text);
      try {
        await link(whole, path);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return false;
      } finally {
        await rm(whole);
      }
    },
    delete: async (keys) => {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    close: async () => undefined,
  };
}

async function* filesBelow(root: string, prefix: string): AsyncGenerator<ListedObject> {
  // The deepest directory that all keys with the prefix are in.
  const from = join(root, ...prefix.split('/').slice(0, -1));
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  for (const entry of entries ?? []) {
    const path = join(entry.parentPath, entry.name);
    const key = relative(root, path).split(sep).join('/');
    if (!entry.isFile() || !key.startsWith(prefix) || key.endsWith(UNFINISHED)) continue;
    const found = await stat(path).catch(ignoreMissing);
    if (found) yield { key, bytes: found.size, etag: '' };
  }
}

/** Copies a file to where it is whole from the first moment on, also when the machine stops. */
async function putFile(path: string, file: FileToPut): Promise<void> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await copyFile(file.path, unfinished);
    const handle = await open(unfinished, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
