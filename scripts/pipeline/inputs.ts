import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** An input file of data in the repository, identified by its hash for later runs. */
export interface Input {
  readonly file: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

export async function inputOf({ name, path }: { readonly name: string; readonly path: string }): Promise<Input> {
  return { file: name, sha256: hashOf(await readFile(path)) };
}

/** The SHA-256 of some bytes, 64 hex digits. */
export function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
