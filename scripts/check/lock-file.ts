import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

// Fails where npm would install a package without knowing its hash, and where the lock file is of another package.json. A
// registry that lacks a package of another platform leaves entries without a hash behind. "npm view NAME@VERSION
// dist.integrity" gives the hash.

interface Entry {
  version?: string;
  integrity?: string;
  /** A package of this repository. */
  link?: boolean;
}

const [manifest, { packages }] = await Promise.all([
  read<Record<string, unknown>>('package.json'),
  read<{ packages: Record<string, Entry> }>('package-lock.json'),
]);
const unknown = Object.entries(packages).filter(
  ([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity?.startsWith('sha512-'),
);
for (const [path, { version }] of unknown) console.error(`package-lock.json: ${path}@${version} has no SHA-512.`);
const root = packages[''] as Record<string, unknown>;
const other = ['dependencies', 'devDependencies', 'optionalDependencies', 'engines'].filter(
  (name) => !isDeepStrictEqual(root[name], manifest[name]),
);
for (const name of other) console.error(`package-lock.json: ${name} are not those of package.json: run npm install.`);
if (unknown.length + other.length > 0) process.exitCode = 1;

async function read<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8')) as T;
}
