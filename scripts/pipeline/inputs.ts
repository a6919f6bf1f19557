import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A file that data in the repository was made of, so that whoever makes it again knows whether they have the same one. */
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
