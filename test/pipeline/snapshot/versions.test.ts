import { expect, it } from 'vitest';
import type { SnapshotArea } from '../../../scripts/pipeline/snapshot/areas.ts';
import { AreaVersions, type EditionMember } from '../../../scripts/pipeline/snapshot/versions.ts';
import { NO_ROW } from '../../../src/areas/snapshot/layout.ts';
import { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';

function region(changes: Partial<SnapshotArea>): SnapshotArea {
  return {
    ...{ id: 1, level: 'region', code: '0100000000', name: 'One', type: null, city_class: null, r_code: null },
    ...{ p_code: null, host_province_code: null, m_code: null, sm_code: null, urban_rural: null, population: 5 },
    ...{ population_year: 2020, population_history: null, income_class: null, area_km2: null, density_km2: null },
    ...{ notes: null, correspondence: null, lon: 121, lat: 14, bbox: [120, 13, 122, 15], province_count: 0 },
    ...{ municity_count: 0, hosted_municity_count: 0, barangay_count: 0, ...changes },
  };
}

/** A boundary whose text is as long as a number says. */
function drawn(length: number): NonNullable<EditionMember['drawn']> {
  const text = () => new TextEncoder().encode('x'.repeat(length));
  return { bytes: { simple: length, medium: length, detailed: length }, text } as unknown as NonNullable<
    EditionMember['drawn']
  >;
}

const member = (changes: Partial<SnapshotArea>, land = 'a', own?: EditionMember['drawn']): EditionMember => ({
  ...{ area: region(changes), land, drawnBy: own ? NO_ROW : 0, drawn: own },
});

const FACTS = { release: 'r', version: 'v', edition: '3Q 2026', publishedOn: null, sources: [] };

function versionsOf(editions: Record<string, EditionMember[]>) {
  const versions = new AreaVersions();
  for (const [id, members] of Object.entries(editions)) versions.add({ id, day: `${id.slice(0, 4)}-06-30` }, members);
  const { areas, boundaries } = versions.encode({ ...FACTS, boundarySet: 'full' });
  const opened = new OpenedAreas(areas, new OpenedAreas(areas));
  const rows = Array.from({ length: opened.size }, (_, row) => {
    const { code, name, validity } = opened.area(row, 'simple');
    return [code, name, validity?.from, validity?.to, validity?.firstEdition, validity?.lastEdition];
  });
  return { opened, rows, boundaries };
}

it('begins a version where the name, the class, a parent or the land is another', () => {
  const parents = [
    member({ level: 'province', code: '0100100000' }),
    member({ level: 'province', code: '0100200000' }),
  ];
  const town = (changes: Partial<SnapshotArea>) => member({ level: 'municity', p_code: '0100100000', ...changes });
  for (const change of [
    ...[{ name: 'Two' }, { income_class: '1st' }, { urban_rural: 'U' }, { city_class: 'CC' }, { type: 'City' }],
    { p_code: '0100200000' },
  ]) {
    const { rows } = versionsOf({ '2024-2q': [...parents, town({})], '2025-2q': [...parents, town(change)] });
    expect(rows.slice(2)).toEqual([
      ['0100000000', 'One', '2024-06-30', '2025-06-29', '2024-2q', '2024-2q'],
      ['0100000000', 'name' in change ? 'Two' : 'One', '2025-06-30', null, '2025-2q', '2025-2q'],
    ]);
  }
  const { opened, rows, boundaries } = versionsOf({
    '2023-2q': [member({}, 'b', drawn(3))],
    '2024-2q': [member({}, 'b', drawn(3))],
    '2025-2q': [member({}, 'a')],
  });
  expect(rows.map(([, , from, to]) => [from, to])).toEqual([
    ['2023-06-30', '2025-06-29'],
    ['2025-06-30', null],
  ]);
  expect(boundaries).toHaveLength(3);
  expect(opened.boundaries.placeOf(0, 'medium')).toEqual({ object: 'edition-versions-boundaries', offset: 0 });
  expect([opened.boundaries.bytesOf(0, 'medium'), opened.boundaries.bytesOf(0, 'simple')]).toEqual([3, 0]);
});

it('has the boundary of the edition that has one, and another version of the release where anything is another', () => {
  const undrawn = { area: region({ bbox: null }), land: undefined, drawnBy: NO_ROW, drawn: undefined };
  const own = { area: region({}), land: undefined, drawnBy: 0, drawn: undefined };
  const { opened } = versionsOf({ '2023-2q': [undrawn], '2024-2q': [own], '2025-2q': [undrawn] });
  expect(opened.size).toBe(1);
  expect(opened.area(0, undefined)).toMatchObject({ bbox: [120, 13, 122, 15], validity: { to: null } });
  const versionOf = (editions: Record<string, EditionMember[]>) => versionsOf(editions).opened.facts.version;
  const one = versionOf({ '2023-2q': [own] });
  expect(one).toMatch(/^v-versions-[0-9a-f]{8}$/);
  expect(versionOf({ '2023-2q': [own] })).toBe(one);
  expect(versionOf({ '2023-2q': [own], '2024-2q': [own] })).not.toBe(one);
  expect(versionOf({ '2023-2q': [member({ name: 'Two' })] })).not.toBe(one);
});

it('goes on where only the residents are others, and ends where an edition has no such area', () => {
  const { rows } = versionsOf({
    '2023-2q': [member({}), member({ code: '0200000000' })],
    '2024-2q': [member({ population: 9, population_year: 2024 })],
    '2025-2q': [member({}), member({ code: '0200000000' })],
  });
  expect(rows.map(([code, , from, to]) => [code, from, to])).toEqual([
    ['0100000000', '2023-06-30', null],
    ['0200000000', '2023-06-30', '2024-06-29'],
    ['0200000000', '2025-06-30', null],
  ]);
});
