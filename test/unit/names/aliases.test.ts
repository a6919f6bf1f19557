import { beforeAll, expect, it } from 'vitest';
import { aliases } from '../../../src/names/aliases.ts';
import { fold } from '../../../src/names/fold.ts';
import { formerParents } from '../../../src/names/former-parents.ts';
import { searchNames } from '../../../src/names/search.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

it('names the area of each alias as it is published, says where it is from, and has none twice', () => {
  const names = new Map(country.release.areas.map(({ code, name }) => [code, name]));
  const seen = new Set<string>();
  for (const [alias, code, name, source] of aliases) {
    expect([alias, names.get(code)]).toEqual([alias, name]);
    expect(source.length, alias).toBeGreaterThan(3);
    expect(fold(alias), alias).not.toBe('');
    const key = `${fold(alias)} ${code}`;
    expect(seen, alias).not.toContain(key);
    seen.add(key);
  }
});

it('names both areas of each former parent as they are published, and the law that parted them', () => {
  const names = new Map(country.release.areas.map(({ code, name }) => [code, name]));
  for (const [code, name, parent, parentName, source] of formerParents) {
    expect([names.get(code), names.get(parent)]).toEqual([name, parentName]);
    expect(source, name).toMatch(/^(?:RA|PD|EO|BP) \d+/);
  }
});

it('finds the area of every alias, former name and published name by it', () => {
  const { index, release } = country;
  const former = release.formerNames.map(({ code, name }) => [name, code] as const);
  const published = release.areas.filter((_, i) => i % 97 === 0).map(({ code, name }) => [name, code] as const);
  const missed = [...aliases.map(([alias, code]) => [alias, code] as const), ...former, ...published].filter(
    ([name, code]) => !searchNames(index, { q: name, limit: 1000 }).some((hit) => hit.code === code),
  );
  // Sub-municipalities are found as Manila.
  expect(missed.filter(([, code]) => !/^13806\d\d000$/.test(code))).toEqual([]);
});
