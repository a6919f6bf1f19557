import { resolve } from 'node:path';

/** The directory of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** The directory that DATA_DIR names. */
export function dataDirectory(): string {
  return resolve(ROOT, process.env.DATA_DIR || '.data');
}
