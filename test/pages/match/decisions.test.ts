import { describe, expect, it } from 'vitest';
import {
  createDecisions,
  groupsWithPlaceIn,
  otherSpellings,
  similarGroups,
  sortedByReach,
} from '../../../pages/match/decisions.ts';
import {
  foundIn,
  type Group,
  groupsOf,
  matchOf,
  type Outcome,
  type Place,
  placeOf,
  rowsBeside,
  stateOf,
} from '../../../pages/match/groups.ts';
import { aboutRows, tableOf } from '../../../pages/match/table.ts';

const NONE = { code: null, level: null, name: null, score: 0, ancestors: [], candidates: [], notes: [] };
const CALLED = { score: 1, since: null, until: null };
const place = (code: string, name: string): Place => ({ code, level: 'municity', name, ancestors: [] });
const BATANGAS = place('0401023000', 'San Juan');
const ABRA = place('1400122000', 'San Juan');
const ambiguous = (...places: Place[]): Outcome => ({
  ...NONE,
  match: 'ambiguous',
  candidates: places.map((one) => ({ ...one, ...CALLED })),
});

const NOTHING: Outcome = { ...NONE, match: 'none' };

function listed() {
  const rows = [
    ['No', 'Prov', 'Town'],
    ['1', '', 'San Juan'],
    ['2', 'Batangaz', 'SAN  JUAN'],
    ['3', 'Abra', 'San Juan'],
    ['4', 'Cebu', 'Argaw'],
    ['5', 'Cebu', 'Argao'],
    ['6', '', 'san juan'],
  ];
  const table = tableOf({ name: '', rows }, 0);
  const groups = groupsOf(table, { province: [1], municity: [2] });
  const [anywhere, batangas, abra, argaw, argao] = groups as [Group, Group, Group, Group, Group];
  anywhere.outcome = ambiguous(BATANGAS, ABRA);
  batangas.outcome = ambiguous(BATANGAS);
  abra.outcome = ambiguous(ABRA);
  argaw.outcome = { ...NONE, match: 'likely', ...place('0702205000', 'Argao'), score: 0.9 };
  argao.outcome = { ...NONE, match: 'exact', ...place('0702205000', 'Argao'), score: 1 };
  return { table, groups, anywhere, batangas, abra, argaw };
}

it('rows that name no place, such as blanks and totals, are beside the groups', () => {
  const rows = [
    ['Prov', 'Rate'],
    ['Cebu', '1'],
    ['', '2'],
    ['Cebu', '3'],
    ['Total', '6'],
    ['n/a', '7'],
    ['Abra', '8'],
  ];
  const table = tableOf({ name: '', rows }, 0);
  const groups = groupsOf(table, { province: [0] });
  expect(groups.map((group) => group.rows)).toEqual([[0, 2], [5]]);
  expect(rowsBeside(groups, table)).toEqual([1, 3, 4]);
});

describe('spellings of one name', () => {
  const rows = [
    ['Town', 'Prov'],
    ...['San Jose', 'S. JOSE', 'Sann Jose', 'san  jose', 'S. JOSE', 'Vigan'].map((town) => [town, '']),
    ['San Jos', 'Cebu'],
    ...Array.from({ length: 3 }, () => ['Luis', '']),
  ];
  const groups = groupsOf(tableOf({ name: '', rows }, 0), { municity: [0], province: [1] });
  const [plain, short, slip, vigan, elsewhere, luis] = groups as Group[];
  if (!plain || !short || !slip || !vigan || !elsewhere || !luis) throw new Error('Six groups are expected.');
  for (const group of [plain, short, elsewhere]) group.outcome = ambiguous(BATANGAS, ABRA);
  slip.outcome = ambiguous(ABRA, BATANGAS);
  vigan.outcome = ambiguous(BATANGAS);
  luis.outcome = ambiguous(place('1', 'Luis'), place('2', 'Luis'));

  it('are decided alike where they have the same candidates, and say the same of what they lie in', () => {
    expect(similarGroups(groups, plain, ABRA)).toEqual([short, slip]);
    expect(otherSpellings([short, slip], plain)).toEqual(['S. JOSE', 'Sann Jose']);
    // The service has Batangas first where another province is written.
    expect(similarGroups(groups, plain, BATANGAS)).toEqual([short, slip, elsewhere]);
    expect(similarGroups(groups, { ...luis, outcome: NOTHING }, BATANGAS)).toEqual([]);
  });

  it('follow each other, those first that settle most rows together', () => {
    expect(sortedByReach(groups)).toEqual([plain, short, slip, luis, vigan, elsewhere]);
    expect(sortedByReach([luis, slip, short])).toEqual([luis, short, slip]);
  });
});

describe('decisions', () => {
  it('are undone step by step, whatever was chosen before', () => {
    const { groups, anywhere, argaw } = listed();
    const decisions = createDecisions();
    decisions.decide([anywhere], () => BATANGAS, { sentence: 'One.' });
    decisions.decide(groupsWithPlaceIn(groups, 'likely'), ({ outcome }) => foundIn(outcome), {
      sentence: 'All likely.',
      isBulkAccepted: true,
    });
    expect([stateOf(argaw), matchOf(argaw)]).toEqual(['accepted', 'accepted']);
    expect([stateOf(anywhere), matchOf(anywhere)]).toEqual(['chosen', 'chosen']);
    decisions.decide([anywhere, argaw], () => null, { sentence: 'None.' });
    expect([stateOf(argaw), matchOf(argaw)]).toEqual(['left', 'left']);
    expect([placeOf(anywhere), placeOf(argaw), decisions.latest()]).toEqual([null, null, 'None.']);
    expect(decisions.undo()).toEqual([anywhere, argaw]);
    expect([placeOf(anywhere)?.code, argaw.choice?.code]).toEqual([BATANGAS.code, '0702205000']);
    expect(stateOf(argaw)).toBe('accepted');
    decisions.undo();
    expect([stateOf(argaw), decisions.latest()]).toEqual(['likely', 'One.']);
    decisions.undo();
    expect([anywhere.choice, decisions.latest(), decisions.undo()]).toEqual([undefined, undefined, []]);
  });

  it('of all that is likely leave out what is exact, ambiguous or decided', () => {
    const { groups, argaw } = listed();
    expect(groupsWithPlaceIn(groups, 'likely')).toEqual([argaw]);
    argaw.choice = null;
    expect(groupsWithPlaceIn(groups, 'likely')).toEqual([]);
  });

  it('of all that is likely leave out what does not lie in the province that is written', () => {
    const { groups, argaw } = listed();
    const note = 'province "Cebu" was passed over: Argao lies in Bohol.';
    argaw.outcome = { ...(argaw.outcome as Outcome), notes: [note] };
    expect(stateOf(argaw)).toBe('otherProvince');
    expect([groupsWithPlaceIn(groups, 'likely'), groupsWithPlaceIn(groups, 'otherProvince')]).toEqual([[], [argaw]]);
  });

  it('can be the same where the same is written and the place fits', () => {
    const { groups, anywhere, batangas, abra } = listed();
    expect(similarGroups(groups, anywhere, BATANGAS)).toEqual([batangas]);
    expect(similarGroups(groups, anywhere, ABRA)).toEqual([abra]);
    batangas.choice = null;
    expect(similarGroups(groups, anywhere, BATANGAS)).toEqual([]);
  });

  it('is another where another province is written, unless the service has the place first', () => {
    const { groups, anywhere, batangas, abra } = listed();
    abra.outcome = ambiguous(ABRA, BATANGAS);
    expect(similarGroups(groups, batangas, BATANGAS)).toEqual([anywhere]);
    expect(similarGroups(groups, abra, BATANGAS)).toEqual([anywhere, batangas]);
    abra.outcome = ambiguous(BATANGAS, ABRA);
    expect(similarGroups(groups, batangas, BATANGAS)).toEqual([anywhere, abra]);
  });
});

it('says which rows a line stands for, and what else is in the first of them', () => {
  const { table, groups } = listed();
  expect(groups.map(({ rows }) => rows)).toEqual([[0, 5], [1], [2], [3], [4]]);
  expect(aboutRows(table, [0, 5], [1, 2])).toBe('Rows 2, 7; the first: No 1.');
  expect(aboutRows(table, [1], [1, 2])).toBe('Row 3: No 2.');
  expect(aboutRows(table, [0, 1, 2, 3, 4], [0, 1, 2])).toBe('Rows 2, 3, 4 and 2 more.');
});
