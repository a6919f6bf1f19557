import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** The directory of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** The directory that DATA_DIR names. */
export function dataDirectory(): string {
  return resolve(ROOT, process.env.DATA_DIR || '.data');
}

/** A script of a package. Packages export their manifest, but not their commands. */
export function scriptOf(name: string, path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
}
