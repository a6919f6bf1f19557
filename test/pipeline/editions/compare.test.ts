import { describe, expect, it } from 'vitest';
import { listChanges } from '../../../scripts/pipeline/editions/changes.ts';
import { compareAll, compareEditions, reverse } from '../../../scripts/pipeline/editions/compare.ts';
import type { Edition } from '../../../scripts/pipeline/editions/edition.ts';
import { inherit } from '../../../scripts/pipeline/editions/inherit.ts';
import { readNote } from '../../../scripts/pipeline/editions/notes.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import { CODE_CHANGES, checkCodeChanges } from '../../../scripts/pipeline/psgc/code-changes.ts';
import { isOtherName } from '../../../scripts/pipeline/psgc/spelling.ts';
import { compose, type Link, relationsOf } from '../../../src/editions/link.ts';
import { publication, row } from '../psgc/rows.ts';
import { AFTER, BEFORE, BY_HAND, editionOf } from './twenty.ts';

const [before, after] = [editionOf('2024-1q', BEFORE), editionOf('2024-2q', AFTER)];
const compared = compareEditions(before, after, { changes: BY_HAND });
const backwards = reverse(compared.links, before);

function rowsOf(links: readonly Link[], pair = { from: before, to: after }) {
  const nameIn = ({ areas }: Edition, code: string) => areas.get(code)?.name ?? '';
  const hasOtherName = (code: string) => isOtherName(nameIn(pair.from, code), nameIn(pair.to, code));
  return relationsOf(links, hasOtherName).map(
    ({ link, relation }) => `${link.from}>${link.to} ${relation} ${link.population.toFixed(3)} ${link.basis}`,
  );
}

function sums(links: readonly Link[]) {
  return [...Map.groupBy(links, ({ from }) => from).values()].flatMap((group) =>
    (['area', 'population'] as const).map((weight) => group.reduce((sum, link) => sum + link[weight], 0)),
  );
}

describe('two editions', () => {
  it.each([
    ['a division', '0102801001>0102801012 split 0.333 name'],
    ['its other part', '0102801001>0102801013 split 0.667 name'],
    ['a merger that the names tell', '0102801002>0102801014 merged 1.000 name'],
    ['a merger that a footnote tells', '0102801009>0102801016 merged 1.000 note'],
    ['another name', '0102801004>0102801004 renamed 1.000 code'],
    ['a code that went to another area', '0102801005>0102801015 recoded 1.000 correspondence'],
    ['another code', '0102801011>0102801017 recoded 1.000 correspondence'],
    ['a move to another municipality', '0102801006>0102802006 recoded 1.000 name'],
    ['what a part was taken from', '0102802001>0102802001 split 0.750 code'],
    ['the part, by a footnote', '0102802001>0102802004 split 0.250 note'],
    ['a division that keeps the code', '0102802002>0102802002 split 0.250 code'],
    ['its new part, by the name', '0102802002>0102802005 split 0.750 name'],
    ['a change that is kept by hand', '0102802003>0102802007 recoded 1.000 note'],
    ['a barangay of a province that was divided', '0102901001>0103001001 recoded 1.000 name'],
    ['a province that was divided', '0102900000>0103000000 split 0.250 code'],
    ['its other half', '0102900000>0103200000 split 0.750 code'],
    ['a municipality that lost a barangay', '0102801000>0102802000 partial 0.034 code'],
    ['a province in another region', '0203100000>0903100000 recoded 1.000 code'],
    ['a barangay in it', '0203101001>0903101001 recoded 1.000 code'],
    ['a region that lost a province', '0200000000>0900000000 split 0.750 code'],
  ])('show %s', (_, row) => {
    expect(rowsOf(compared.links)).toContain(row);
  });

  it('have weights that add up to 1 for each code, forwards, backwards and by way of a third', () => {
    const round = compose(compared.links, backwards);
    // Nothing is known of a part of Divided in a third edition.
    const lost = compose(
      compared.links,
      backwards.filter(({ from }) => from !== '0102801013'),
    );
    for (const links of [compared.links, backwards, round, lost]) {
      for (const sum of sums(links)) expect(sum).toBeCloseTo(1, 12);
    }
    expect(rowsOf(round, { from: before, to: before })).toContain('0102801004>0102801004 same 1.000 code');
  });

  it('leave out only what nothing explains', () => {
    const linked = new Set([...compared.unchanged, ...compared.links.flatMap(({ from, to }) => [from, to])]);
    const unexplained = [...BEFORE, ...AFTER].filter(({ code }) => !linked.has(code)).map(({ name }) => name);
    expect(unexplained).toEqual(['Vanished', 'From Nowhere']);
  });

  it('have these changes', () => {
    const changes = listChanges(compared).map(
      ({ kind, from, to }) => `${kind} ${from.map(({ code }) => code)}>${to.map(({ code }) => code)}`,
    );
    expect(changes).toEqual(
      expect.arrayContaining([
        'split 0102801001>0102801012,0102801013',
        'merged 0102801002,0102801003>0102801014',
        'merged 0102801008,0102801009>0102801016',
        'renamed 0102801004>0102801004',
        'recoded 0102801005>0102801015',
        'created >0102801005',
        'moved 0102801006>0102802006',
        'abolished 0102801010>',
        'split 0102802001>0102802001,0102802004',
        'renamed 0102802003>0102802007',
        'reclassified 0102801000>0102801000',
        'redrawn 0102801000>0102801000,0102802000',
        'split 0102900000>0103000000,0103200000',
        'moved 0203100000>0903100000',
        'recoded 0203101000>0903101000',
      ]),
    );
    expect(changes.filter((change) => change.includes('0102801007'))).toEqual([]);
  });

  it('share land where both are measured', () => {
    const km2 = (code: string) => (code === '0102801012' ? 3 : code === '0102801013' ? 1 : 4);
    const drawn = [editionOf('2024-1q', BEFORE, km2), editionOf('2024-2q', AFTER, km2)] as const;
    const found = compareEditions(...drawn, { changes: [] });
    const links = found.links.filter(({ from }) => from === '0102801001');
    expect(links.map(({ to, area, areaEstimated, basis }) => [to, area, areaEstimated, basis])).toEqual([
      ['0102801012', 0.75, false, 'name'],
      ['0102801013', 0.25, false, 'name'],
    ]);
    const split = listChanges(found).find(({ kind, from }) => kind === 'split' && from[0]?.code === '0102801001');
    expect(split?.to.map(({ share }) => share)).toEqual([0.75, 0.25]);
    for (const { kind, from, to } of listChanges(found)) {
      for (const side of [from, to]) {
        const sum = side.reduce((total, { share }) => total + (share ?? 0), 0);
        expect(sum, `${kind} ${from.map(({ code }) => code)}>${to.map(({ code }) => code)}`).toBeLessThanOrEqual(
          1 + 2e-6,
        );
      }
    }
    // Two barangays of four square kilometres each became one.
    const merged = listChanges(found).find(({ kind, to }) => kind === 'merged' && to[0]?.code === '0102801014');
    expect([merged?.from, merged?.to].map((side) => side?.map(({ share }) => share))).toEqual([[0.5, 0.5], [1]]);
  });
});

it('a province that is divided is measured by its residents, although some barangays have no number', () => {
  const country = (second: string, unknown: number) =>
    editionOf('2024-1q', [
      row('Reg', '0100000000', 'Region One'),
      row('Prov', '0102800000', 'Ilocos Norte'),
      row('Mun', '0102801000', 'Adams'),
      ...(second === '01028' ? [] : [row('Prov', `${second}00000`, 'Ilocos Bago')]),
      row('Mun', `${second}02000`, 'Bacarra'),
      ...Array.from({ length: 200 }, (_, i) => {
        const code = `${i < 100 ? '0102801' : `${second}02`}${String(i + 1).padStart(3, '0')}`;
        return row('Bgy', code, `Barangay ${i}`, { population: i < unknown ? null : i < 100 ? 30 : 10 });
      }),
    ]);
  const shareOf = (unknown: number) => {
    const { links } = compareEditions(country('01028', unknown), country('01030', unknown), { changes: [] });
    return links.find(({ from, to }) => from === '0102800000' && to === '0102800000')?.population;
  };
  expect(shareOf(0)).toBeCloseTo(0.75, 6);
  expect(shareOf(2)).toBeCloseTo(0.746, 3);
  expect(shareOf(3)).toBeCloseTo(0.5, 6);
});

it('areas that only their parts show to be one are linked as one, with each of their changes', () => {
  const country = (town: string, name: string, level: 'Mun' | 'City', ...barangays: string[]) => [
    row('Reg', '0100000000', 'Region One'),
    row('Prov', '0102800000', 'Ilocos Norte'),
    row(level, `${town}000`, name, level === 'City' ? { cityClass: 'HUC' } : {}),
    ...barangays.map((barangay, i) =>
      row('Bgy', `${town}00${i + 1}`, barangay, { correspondence: `01280200${i + 1}` }),
    ),
  ];
  const then = editionOf('2024-1q', country('0102802', 'Bacarra', 'Mun', 'Palañogan', 'Lobe-lobe'));
  const now = editionOf('2024-2q', country('0130200', 'Lungsod ng Silangan', 'City', 'Palanogan', 'Lobe-lobe'));
  const pair = compareEditions(then, now, { changes: [] });
  const told = listChanges(pair).map(({ kind, from, to }) => `${kind} ${from[0]?.code}>${to[0]?.code}`);
  expect(told).toEqual([
    'recoded 0102802000>0130200000',
    'renamed 0102802000>0130200000',
    'reclassified 0102802000>0130200000',
    'recoded 0102802001>0130200001',
    'recoded 0102802002>0130200002',
  ]);
});

it.each([
  '3/ including the population count of Barangay San Rafael',
  '3/ Barangay San Rafael was merged into Barangay Dacanlao per City Ordinance No. 8',
  '3/ merged with Barangay San Rafael',
])('an area that is gone went into the neighbour whose footnote names it: %s', (note) => {
  const country = (...barangays: (readonly [string, string, string[]])[]) => [
    row('Reg', '0400000000', 'Region Four'),
    row('Prov', '0401000000', 'Batangas'),
    row('Mun', '0401007000', 'Calaca'),
    ...barangays.map(([code, name, notes]) => row('Bgy', code, name, { notes })),
  ];
  const rows = country(['0401007019', 'Dacanlao', [note]]);
  const pair = compareEditions(
    editionOf('2025-4q', country(['0401007019', 'Dacanlao', []], ['0401007038', 'San Rafael', []])),
    editionOf('2026-1q', rows),
    { changes: [] },
  );
  expect(listChanges(pair).map(({ kind, from, to }) => [kind, from.map(({ name }) => name), to[0]?.name])).toEqual([
    ['merged', ['Dacanlao', 'San Rafael'], 'Dacanlao'],
  ]);
  const { aliases, formerNames } = inherit(toRelease(publication(rows)), [pair]);
  expect(aliases.filter(({ alias }) => alias === '0401007038')).toEqual([
    { level: 'barangay', alias: '0401007038', code: '0401007019', change: 'abolished' },
  ]);
  expect(formerNames).toEqual([{ code: '0401007019', name: 'San Rafael', until: '2025-4q', since: null }]);
});

it('the correction of a letter is no other name', () => {
  const [then, now] = ['Palañogan', 'Palanogan'].map((name, i) =>
    editionOf(`2024-${i + 1}q`, [
      row('Reg', '0100000000', 'Region One'),
      row('Prov', '0102800000', 'Ilocos Norte'),
      row('Mun', '0102802000', 'Bacarra'),
      row('Bgy', '0102802001', name),
    ]),
  ) as [typeof before, typeof before];
  const pair = compareEditions(then, now, { changes: [] });
  expect(listChanges(pair)).toEqual([]);
  expect(rowsOf(pair.links, { from: then, to: now })).toEqual(['0102802001>0102802001 same 1.000 code']);
});

it('a former code that was given to another area leads to where that is now', () => {
  const list = (...codes: string[]) => [
    row('Reg', '0100000000', 'Region One'),
    row('Prov', '0102800000', 'Ilocos Norte'),
    row('Mun', '0102802000', 'Bacarra'),
    ...codes.map((code, i) => row('Bgy', code, ['Uno', 'Dos'][i] ?? '', { correspondence: `01280200${i + 1}` })),
  ];
  const [code, first, second] = ['0102802011', '0102802012', '0102802013'];
  const lists = [list(code), list(first), list(first, code), list(first, second)].map((rows, i) => ({
    rows,
    edition: editionOf(`2024-${i + 1}q`, rows),
  }));
  const release = toRelease(publication(lists[3]?.rows ?? []));
  const { aliases } = inherit(release, compareAll(lists.map(({ edition }) => edition)));
  expect(aliases.filter(({ alias }) => alias === code).map((it) => [it.code, it.change])).toEqual([
    [second, 'renumbered'],
  ]);
});

describe('a footnote', () => {
  it.each([
    [
      'ac/ sum of the population of the merged barangays per City Ordinance No. 275-2023 (Barangays Aniban I, III, and V)',
      { kind: 'merged', names: ['aniban i', 'aniban iii', 'aniban v'] },
    ],
    [
      'u/ sum of the population of the merged barangays per Prov. Ord. No. 2009-6-044 (Barangays 9, 10 and 28)',
      { kind: 'merged', names: ['barangay 9', 'barangay 10', 'barangay 28'] },
    ],
    [
      'z/ including the population count of Barangay Muzon East, Muzon South, and Muzon West',
      { kind: 'created', names: ['muzon east', 'muzon south', 'muzon west'] },
    ],
    [
      'd/ including the population count of Barangay Naibuan which was created in 1Q of 2018',
      { kind: 'created', names: ['naibuan'] },
    ],
    [
      'e/ including the population count of Barangay Dos which was merged with this barangay',
      { kind: 'merged', names: ['dos'] },
    ],
    [
      '3/ Barangay San Rafael was merged into Barangay Dacanlao per City Ordinance No. 8',
      { kind: 'merged', names: ['san rafael', 'dacanlao'] },
    ],
    ['3/ San Rafael merged with Dacanlao', { kind: 'merged', names: ['san rafael', 'dacanlao'] }],
    ['f/ Merged barangays of Uno and Dos per Ordinance No. 5', { kind: 'merged', names: ['uno', 'dos'] }],
    ['g/ merged with Barangay Dos', { kind: 'merged', names: ['dos'] }],
    ['h/ created from Barangays Javier and Minoyho per RA 11986', { kind: 'parted', names: ['javier', 'minoyho'] }],
    ['3/ Renamed from Barangay Rizal per RA 12000', { kind: 'renamed', names: ['rizal'] }],
    ['4/ changed its name from Barangay Uno to Barangay Dos', { kind: 'renamed', names: ['uno'] }],
    ['i/ created per RA 11986', null],
    ['aa/ including the population count of 10 barangays transferred to City of Taguig', null],
    ['r/ population count was based on the then ARMM territorial jurisdiction', null],
  ])('reads %j', (note, change) => {
    expect(readNote(note)).toEqual(change);
  });
});

describe('the manually recorded changes', () => {
  it('are sound', () => {
    expect(checkCodeChanges(CODE_CHANGES)).toHaveLength(CODE_CHANGES.length);
  });

  it.each([
    [[{ from: ['010280100'], to: ['0102801002'], note: 'Ordinance 1 of 2024' }], 'must be a code of ten digits'],
    [[{ from: ['0102801001'], to: ['0102802000'], note: 'Ordinance 1 of 2024' }], 'are of several levels'],
    [[{ from: ['0102801001'], to: ['0102801002'] }], '0.note'],
    [[BY_HAND[0], BY_HAND[0]], 'stands twice'],
  ])('are refused where %j', (changes, message) => {
    expect(() => checkCodeChanges(changes)).toThrow(message);
  });
});
