import { rm } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { findBoundaryFiles } from '../../../../scripts/pipeline/boundaries/read/files.ts';
import { readBoundarySource } from '../../../../scripts/pipeline/boundaries/read/source.ts';
import { directoryOf } from '../country.ts';

let directory = '';
afterEach(() => rm(directory, { recursive: true, force: true }));

it.each(['source.json', 'Source.JSON'])('is read from %s, which is no file of boundaries', async (name) => {
  directory = await directoryOf({ 'a.geojson': '', [name]: '{"licence":"CC0","gaps":["0100000000"]}' });
  expect((await findBoundaryFiles(directory)).map((file) => file.name)).toEqual(['a.geojson']);
  expect(await readBoundarySource(directory, directory)).toMatchObject({
    source: { licence: 'CC0', part: 'boundaries' },
    gaps: ['0100000000'],
  });
});
