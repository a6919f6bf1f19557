import { beforeAll, expect, it } from 'vitest';
import { aliases, districts } from '../../../src/names/aliases.ts';
import { fold } from '../../../src/names/fold.ts';
import { formerParents } from '../../../src/names/former-parents.ts';
import { searchNames } from '../../../src/names/search.ts';
import { SPELLING_KINDS, spellings } from '../../../src/names/spellings.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

/** A source that somebody can look up: what it is, and of which year. */
const DATED = /^[A-Za-z].{3,}\b(?:19|20)\d\d\b|^(?:RA|PD|EO|MMA Act) \d+ \((?:19|20)\d\d\)/;

it('names the area of each alias as it is published, says where it is from, and has none twice', () => {
  const names = new Map(country.release.areas.map(({ code, name }) => [code, name]));
  const seen = new Set<string>();
  for (const [alias, code, name, source] of [...aliases, ...districts]) {
    expect([alias, names.get(code)]).toEqual([alias, name]);
    expect(source, alias).toMatch(DATED);
    expect(fold(alias), alias).not.toBe('');
    const key = `${fold(alias)} ${code}`;
    expect(seen, alias).not.toContain(key);
    seen.add(key);
  }
});

it('gives each spelling a kind, words that folding has, and a source', () => {
  const seen = new Set<string>();
  for (const [kind, written, full, source] of spellings) {
    const line = `${kind} ${written} ${full}`;
    expect(SPELLING_KINDS, line).toContain(kind);
    expect(seen, line).not.toContain(line);
    seen.add(line);
    if (kind.endsWith('province')) expect(`${written} ${full}`, line).toMatch(/^[A-Z][a-z]* [A-Z][a-z]+$/);
    else expect(`${written} ${full}`, line).toMatch(/^[a-z]+ (?:[a-z]*|[1-9]\d*)$/);
    if (kind.startsWith('mistyped')) expect(source, line).toBe('');
    else expect(source, line).toMatch(DATED);
    // What is written out is not written out further.
    if (/^(?:mistyped|anywhere)$|before$/.test(kind)) expect(fold(`${written} xyz`), line).toBe(`${fold(full)} xyz`);
  }
});

it('finds provinces by their short forms', () => {
  const found = (q: string) => searchNames(country.index, { q, levels: ['province'], limit: 1 })[0];
  const typed: [string, string][] = [
    ['CamSur', 'Camarines Sur'],
    ['Mis. Or.', 'Misamis Oriental'],
    ['NegOcc', 'Negros Occidental'],
    ['Davao Norte', 'Davao del Norte'],
    ['Zambo Sur', 'Zamboanga del Sur'],
    ['No. Samar', 'Northern Samar'],
    ['W. Samar', 'Samar'],
    ['SoCot', 'South Cotabato'],
    ['N. Cotabato', 'Cotabato'],
    ['Mt. Province', 'Mountain Province'],
    ['Or. Mindoro', 'Oriental Mindoro'],
    ['Maguindanao Sur', 'Maguindanao del Sur'],
    ['ADN', 'Agusan del Norte'],
    ['N. Vizcaya', 'Nueva Vizcaya'],
  ];
  for (const [text, name] of typed) {
    const hit = found(text);
    expect([text, hit && country.index.source.nameOf(hit.row), hit?.match]).toEqual([text, name, 'alias']);
  }
});

it('names both areas of each former parent as they are published, and the law that parted them', () => {
  const names = new Map(country.release.areas.map(({ code, name }) => [code, name]));
  for (const [code, name, parent, parentName, source] of formerParents) {
    expect([names.get(code), names.get(parent)]).toEqual([name, parentName]);
    expect(source, name).toMatch(/^(?:RA|PD|EO|BP|CA) \d+/);
  }
});

it('finds the area of every alias, and of former and published names, by it', () => {
  const { index, release } = country;
  const former = release.formerNames.filter((_, i) => i % 25 === 0).map(({ code, name }) => [name, code] as const);
  const published = release.areas.filter((_, i) => i % 397 === 0).map(({ code, name }) => [name, code] as const);
  const missed = [
    ...[...aliases, ...districts].map(([alias, code]) => [alias, code] as const),
    ...former,
    ...published,
  ].filter(([name, code]) => !searchNames(index, { q: name, limit: 1000 }).some((hit) => hit.code === code));
  expect(missed).toEqual([]);
});
