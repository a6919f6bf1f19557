import { readFile } from 'node:fs/promises';

// Fails where npm would install a package without knowing its hash. A registry that lacks a package of another platform
// leaves such entries behind. "npm view NAME@VERSION dist.integrity" gives the hash.

interface Entry {
  version?: string;
  integrity?: string;
  /** A package of this repository. */
  link?: boolean;
}

const lockFile = new URL('../../package-lock.json', import.meta.url);
const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as { packages: Record<string, Entry> };
const unknown = Object.entries(packages).filter(
  ([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity?.startsWith('sha512-'),
);
for (const [path, { version }] of unknown) console.error(`package-lock.json: ${path}@${version} has no SHA-512.`);
if (unknown.length > 0) process.exit(1);
