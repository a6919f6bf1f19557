import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import { SUB_MUNICIPALITIES, writeSmallRelease } from '../downloads/small-release.ts';

it('finds sub-municipalities by name in what was published without keys of their names', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-earlier-'));
  try {
    await writeSmallRelease(directory);
    const bytes = gunzipSync(await readFile(join(directory, 'areas')));
    const name = 'key_submunicipality';
    const at = bytes.indexOf(`"${name}"`);
    expect(at).toBeGreaterThan(0);
    bytes.write('nothing'.padEnd(name.length, '_'), at + 1);
    const opened = new OpenedAreas(bytes);
    const named = opened.keysOf('submunicipality').rowsNamed('district 1');
    expect(named.map((row) => opened.codeOf(row))).toEqual(SUB_MUNICIPALITIES.slice(1));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
