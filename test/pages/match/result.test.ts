import { describe, expect, it } from 'vitest';
import {
  coarserOf,
  columnsSentence,
  countStates,
  countsOf,
  groupsOf,
  type Outcome,
  optionsOf,
  type Place,
  placeOf,
  stateOf,
} from '../../../pages/match/groups.ts';
import { csvParts, mapRows, resultRows, takenColumns } from '../../../pages/match/result.ts';
import { coarserSentences, levelsSentence, summaryOf } from '../../../pages/match/summary.ts';
import { tableOf } from '../../../pages/match/table.ts';

const CEBU = { code: '0702200000', level: 'province', name: 'Cebu' } as const;
const VII = { code: '0700000000', level: 'region', name: 'Region VII (Central Visayas)' } as const;

function place(code: string, name: string): Place {
  return { code, level: 'municity', name, ancestors: [VII, CEBU] };
}

const ARGAO = place('0702206000', 'Argao');
const NONE: Outcome = {
  match: 'none',
  code: null,
  level: null,
  name: null,
  score: 0,
  ancestors: [],
  candidates: [],
  notes: [],
};

describe('the rows of a table', () => {
  const table = tableOf(
    {
      name: '',
      rows: [
        ['No', 'Prov', 'Town'],
        [1, 'Cebu', 'Argaw'],
        [2, ' Cebu', 'ARGAW '],
        [3, '', '  '],
        ['=4', 'Cebu', 'Nowhere'],
        [5, 'Cebu', 'San Juan'],
      ],
    },
    0,
  );
  const groups = groupsOf(table, { province: [1], municity: [2] });
  const [argaw, nowhere, sanJuan] = groups;
  if (!argaw || !nowhere || !sanJuan) throw new Error('Three groups are expected.');

  it('are asked for once if they say the same but for case and spaces, and not at all if they say nothing', () => {
    expect(groups.map(({ fields, rows }) => [fields, rows])).toEqual([
      [{ province: 'Cebu', municity: 'Argaw' }, [0, 1]],
      [{ province: 'Cebu', municity: 'Nowhere' }, [3]],
      [{ province: 'Cebu', municity: 'San Juan' }, [4]],
    ]);
    expect(countStates(groups)).toMatchObject({ waiting: 4, none: 0 });
  });

  it('come back as they were, with what was found and what was chosen', () => {
    const candidate = { ...ARGAO, score: 0.91239, since: null, until: null };
    argaw.outcome = { ...NONE, ...ARGAO, match: 'likely', score: 0.91239, candidates: [candidate] };
    nowhere.outcome = { ...NONE, notes: ['text "by the river" was passed over.'] };
    sanJuan.outcome = NONE;
    sanJuan.choice = place('0702207000', '-San Juan');
    expect([...csvParts(resultRows(table, groups), { separator: ',', hasMark: true })].join('')).toBe(
      [
        '\ufeffNo,Prov,Town,psgc_code,psgc_level,psgc_name,psgc_match,psgc_score,psgc_candidates,psgc_notes',
        '1,Cebu,Argaw,0702206000,municity,Argao,likely,0.912,"0702206000 Argao, Cebu, Region VII (Central Visayas)",',
        '2," Cebu","ARGAW ",0702206000,municity,Argao,likely,0.912,"0702206000 Argao, Cebu, Region VII (Central Visayas)",',
        '3,,"  ",,,,,,,',
        '=4,Cebu,Nowhere,,,,none,0,,"text ""by the river"" was passed over."',
        "5,Cebu,San Juan,0702207000,municity,'-San Juan,chosen,,,",
        '',
      ].join('\r\n'),
    );
    nowhere.choice = null;
    expect(countStates(groups)).toMatchObject({ waiting: 0, none: 0, likely: 2, chosen: 1, left: 1 });
    expect(countsOf(groups)).toEqual([
      [ARGAO.code, 2],
      ['0702207000', 1],
    ]);
    // How sure the service was stays with what a person has accepted.
    const accepted = [{ ...argaw, choice: ARGAO }];
    expect([...resultRows(table, accepted)][1]?.slice(3)).toEqual([
      '0702206000',
      'municity',
      'Argao',
      'chosen',
      '0.912',
      '',
      '',
    ]);
    // What was accepted together is as sure as it was.
    const together = [{ ...argaw, lacks: 'barangay' as const, choice: ARGAO, isBulkAccepted: true }];
    expect([...resultRows(table, together)][1]?.slice(6)).toEqual(['accepted', '0.912', '', 'The barangay is blank.']);
    const stored = [...mapRows(table, [...together, sanJuan], ['psgc', 'Town'])];
    expect(stored.map((cells) => cells.slice(3))).toEqual([
      ['psgc', 'Town 2'],
      [ARGAO.code, 'accepted'],
      [ARGAO.code, 'accepted'],
      ['', ''],
      ['', ''],
      ['0702207000', 'chosen'],
    ]);
  });

  it('keep their candidates and notes where a person has left them without a code', () => {
    const [note, candidate] = ['Several are called so.', { ...ARGAO, score: 0.5, since: null, until: null }];
    const outcome: Outcome = { ...NONE, match: 'ambiguous', score: 0.5, candidates: [candidate], notes: [note] };
    const left = { ...nowhere, outcome, choice: null };
    expect([...resultRows(table, [left])][4]?.slice(3)).toEqual([
      ...['', '', '', 'left', '', '0702206000 Argao, Cebu, Region VII (Central Visayas)', note],
    ]);
    // A map has no area for them.
    expect([...mapRows(table, [left], ['psgc', 'how'])][4]?.slice(3)).toEqual(['', '']);
    expect(summaryOf(countStates([argaw, left]), table, [argaw, left])).toContain('1 left without a code');
  });

  it('of a total have but the note of the service', () => {
    const notes = ['municity "TOTAL" names no place.'];
    const total = { ...nowhere, lacks: 'municity' as const, outcome: { ...NONE, notes }, choice: undefined };
    expect([...resultRows(table, [total])][4]?.slice(3)).toEqual(['', '', '', 'none', '0', '', notes[0]]);
    expect(coarserOf([total])).toEqual([]);
  });

  it('may mean what the service found, its candidates, and what was chosen, each once', () => {
    expect(optionsOf(argaw).map(({ code }) => code)).toEqual([ARGAO.code]);
    argaw.choice = place('0702207000', 'Asturias');
    expect(optionsOf(argaw).map(({ name }) => name)).toEqual(['Argao', 'Asturias']);
    expect(placeOf(argaw)?.name).toBe('Asturias');
    expect(placeOf(nowhere)).toBe(null);
  });
});

describe('rows with nothing in the finest column', () => {
  const rows = [
    ['Prov', 'Town'],
    ['Cebu', 'n/a'],
    ['Cebu', ''],
    ['Bohol', '-'],
    ['Cebu', 'Argao'],
  ];
  const groups = groupsOf(tableOf({ name: '', rows }, 0), { province: [0], municity: [1] });
  for (const group of groups) group.outcome = { ...NONE, ...CEBU, match: 'exact', score: 1 };

  it('are as sure as what they name, and told with what they have the code of', () => {
    expect(groups.map(stateOf)).toEqual(['exact', 'exact', 'exact', 'exact']);
    expect(coarserOf(groups)).toEqual(groups.slice(0, 3));
    expect(coarserSentences(groups)).toEqual([
      '3 rows have no city or municipality: they have the code of their province.',
    ]);
    expect(coarserSentences(groups.slice(2))).toEqual([
      '1 row has no city or municipality: it has the code of its province.',
    ]);
  });

  it('are no longer of a larger place once somebody has chosen one of that level, or none', () => {
    const [first, second, third] = groups.map((group) => ({ ...group }));
    if (!first || !second || !third) return expect.fail();
    first.choice = place('0702205000', 'Argao');
    second.choice = null;
    expect(coarserOf([first, second, third])).toEqual([third]);
  });

  it('are told as places of another level', () => {
    expect(levelsSentence(groups)).toBe('');
    const argao = groups.at(-1);
    if (argao) argao.outcome = { ...NONE, ...ARGAO, match: 'exact', score: 1 };
    expect(levelsSentence(groups)).toBe('The codes are of different levels: 3 provinces, 1 city or municipality.');
  });
});

it('says which columns a table has that the result adds', () => {
  expect(takenColumns(tableOf({ name: '', rows: [['Town', 'psgc_code']] }, 0))).toEqual(['psgc_code']);
});

it('says which columns were read as what', () => {
  const table = tableOf({ name: '', rows: [['Prov', 'Town', '', 'Note']] }, 0);
  expect(columnsSentence(table, { province: [0], municity: [1, 2] })).toBe(
    'Read: Province from “Prov”; City or municipality from “Town” or, where that is empty, “Column 3”.',
  );
});
