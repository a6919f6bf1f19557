import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { hashOf } from '../../../scripts/pipeline/inputs.ts';
import { decisions } from '../../../scripts/pipeline/postal-codes/decisions.ts';
import type { Line, Lists } from '../../../scripts/pipeline/postal-codes/lists.ts';
import { packed } from '../../../scripts/pipeline/postal-codes/packed.ts';
import { placed } from '../../../scripts/pipeline/postal-codes/place.ts';
import { allZipCodes, zipCodesOf } from '../../../src/zip-codes.ts';
import { namedCountry } from '../../unit/names/country.ts';

const PACKED = new URL('../../../data/postal-codes/areas.json', import.meta.url);
const SOURCE = new URL('../../../data/postal-codes/source.json', import.meta.url);

it('the file is what its source says', async () => {
  const source = JSON.parse(await readFile(SOURCE, 'utf8'));
  expect(hashOf(await readFile(PACKED))).toBe(source.sha256['areas.json']);
});

it('every area with a ZIP code is one of the newest edition, and packing what is read gives the file again', async () => {
  const { index } = await namedCountry();
  const zips = new Map<string, readonly string[]>();
  for (const level of ['municity', 'submunicipality'] as const) {
    const { first, end } = index.source.rowsOf(level);
    for (let row = first; row < end; row += 1) {
      const own = zipCodesOf(index.codeOf(row));
      if (own.length > 0) zips.set(index.codeOf(row), own);
    }
  }
  expect(packed(zips)).toEqual(JSON.parse(await readFile(PACKED, 'utf8')));
  expect(zips.size).toBe(1603);
  expect(allZipCodes()).toHaveLength(new Set([...zips.values()].flat()).size);
  expect(allZipCodes().every((zip) => /^\d{4}$/.test(zip))).toBe(true);
});

it.each([
  ['1381300000', 'City of Quezon', '1100'],
  ['0730600000', 'City of Cebu', '6000'],
  ['0402106000', 'City of Dasmariñas', '4114'],
  ['1430300000', 'City of Baguio', '2600'],
  ['1380600000', 'City of Manila', '1002'],
  ['1380609000', 'Intramuros', '1002'],
  ['1381200000', 'City of Pasig', '1605'],
  ['1130700000', 'City of Davao', '8000'],
  ['0630200000', 'City of Bacolod in the editions before the Negros Island Region', '6100'],
])('%s %s has %s', (code, _, zip) => {
  expect(zipCodesOf(code)).toContain(zip);
});

it('decides by hand only of areas that there are, by the names that they have', async () => {
  const { index } = await namedCountry();
  const named = decisions.flatMap(({ areas }) => areas);
  const found = named.map(({ code }) => {
    const row = (['municity', 'submunicipality'] as const)
      .map((level) => index.rowOf(level, code))
      .find((it) => it !== -1);
    return { code, name: row === undefined ? '' : index.source.nameOf(row) };
  });
  expect(found).toEqual(named);
});

const line = (zip: string, place: string, province: string, city = ''): Line => ({ zip, place, province, city });
const lists = (post: Line[], community: Line[]): Lists => ({ post, community });

it('places the lines of both lists, and keeps what the post office says where they disagree', async () => {
  const { zips, unplaced, contradictions } = placed(
    lists(
      [
        line('3806', 'Flora', 'Apayao'),
        line('2109', 'Nowhere at all', 'Bataan'),
        line('1299', 'Nowhere', 'Metro Manila'),
      ],
      [
        line('3806', 'Conner', 'Kalinga-Apayao'),
        line('1605', 'Ortigas', 'NCR', 'Pasig City'),
        line('1002', 'Intramuros', 'NCR', 'Manila'),
      ],
    ),
    (await namedCountry()).index,
  );
  expect(zips.get('1408104000') ?? zips.get('1408103000')).toEqual(['3806']);
  expect(zips.get('1381200000')).toEqual(['1605']);
  expect([zips.get('1380609000'), zips.get('1380600000')]).toEqual([['1002'], expect.arrayContaining(['1002'])]);
  expect(unplaced).toEqual(['phzipcodes: 2109 Nowhere at all, Bataan', 'phzipcodes: 1299 Nowhere, Metro Manila']);
  expect(contradictions).toEqual(['3806: Flora; psgc also has Conner']);
});
