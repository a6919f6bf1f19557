import { describe, expect, it } from 'vitest';
import { type EncodedHistory, type EncodedStep, encodeHistory } from '../../../src/editions/encoded.ts';
import { History } from '../../../src/editions/history.ts';
import { type MadeChange, madeHistory } from '../../support/history.ts';

function open(history: EncodedHistory): History {
  return new History(encodeHistory(history));
}

describe('the history of a code that several areas had one after the other', () => {
  const [first, second, third, shared] = ['0990100000', '0990200000', '0990300000', '0990400000'];
  const recoded = (from: string, to: string): MadeChange => ({
    ...{ kind: 'recoded', level: 'municity', basis: 'code', note: null },
    from: [[from, null]],
    to: [[to, null]],
  });
  const history = open(
    madeHistory({
      editions: ['2020-1q', '2020-2q', '2021-1q', '2021-2q', '2022-1q', '2022-2q'],
      areas: [first, second, third, shared].map((code) => [code, 'municity', 'A']),
      changes: {
        '2020-1q': [recoded(first, shared)],
        '2021-1q': [recoded(shared, third)],
        '2022-1q': [recoded(second, shared)],
      },
    }),
  );

  it.each([
    [first, [first, shared]],
    [third, [first, shared]],
    [second, [second]],
    [shared, [first, shared, second]],
  ])('is of the area that is asked for by %s', (code, sources) => {
    expect(history.changesOf(code)?.map(({ from: [party] }) => party?.code)).toEqual(sources);
  });
});

describe('the history of an area that was divided or merged', () => {
  const [whole, part, other, later] = ['0990100000', '0990200000', '0990300000', '0990400000'];
  const change = (kind: string, from: string[], to: string[]): MadeChange => ({
    ...{ kind, level: 'municity', basis: 'code', note: null },
    from: from.map((code) => [code, null]),
    to: to.map((code) => [code, null]),
  });
  it.each([
    ['split', [whole], [part, other], whole, ['split']],
    ['merged', [whole, other], [part], whole, ['merged']],
    ['recoded', [whole], [part], whole, ['recoded', 'recoded']],
  ])('(%s) does not go on with what it became part of', (kind, from, to, code, kinds) => {
    const history = open(
      madeHistory({
        editions: ['2020-1q', '2020-2q', '2021-1q'],
        areas: [whole, part, other, later].map((it) => [it, 'municity', 'A']),
        changes: { '2020-1q': [change(kind, from, to)], '2020-2q': [change('recoded', [part], [later])] },
      }),
    );
    expect(history.changesOf(code)?.map((it) => it.kind)).toEqual(kinds);
  });
});

describe('a crosswalk by way of editions in between', () => {
  const span = (code: string, name: string, firstEdition: number, last: number) =>
    ({ code, level: 'barangay', correspondence: null, name, first: firstEdition, last }) as const;
  const [one, two, three, four] = ['0102801001', '0102801002', '0102801003', '0102801004'];
  const step = (forward: EncodedStep['forward'], backward: EncodedStep['backward']): EncodedStep => ({
    changes: [],
    forward,
    backward,
  });
  // One is divided into two and three; three loses its name and joins four; two is gone without a word.
  const history = open({
    editions: ['2020-1q', '2020-2q', '2020-3q', '2020-4q'].map((id) => ({
      id,
      published: null,
      counts: {},
      boundary_set: 'none' as const,
    })),
    spans: [span(one, 'One', 0, 0), span(two, 'Two', 1, 2), span(three, 'Three', 1, 1), span(four, 'Four', 0, 3)],
    former: [],
    steps: [
      step(
        [
          [one, two, 0.25, 0.5, 'area', 'name'],
          [one, three, 0.75, 0.5, 'area', 'name'],
        ],
        [
          [two, one, 1, 1, null, 'name'],
          [three, one, 1, 1, null, 'name'],
        ],
      ),
      step(
        [
          [three, four, 1, 1, null, 'note'],
          [four, four, 1, 1, null, 'code'],
        ],
        [
          [four, three, 0.1, 0.2, null, 'note'],
          [four, four, 0.9, 0.8, null, 'code'],
        ],
      ),
      step([[two, '', 0, 0, null, 'code']], []),
    ],
  });
  it('lists the codes of an edition and of those before, each as the newest of them has it', () => {
    const codes = (edition: string) => [...history.codes(edition)].map((it) => [it.code, it.edition, it.name]);
    expect(codes('2020-1q')).toEqual([
      [one, '2020-1q', 'One'],
      [four, '2020-1q', 'Four'],
    ]);
    expect(codes('2020-3q')).toEqual([
      [one, '2020-1q', 'One'],
      [two, '2020-3q', 'Two'],
      [three, '2020-2q', 'Three'],
      [four, '2020-3q', 'Four'],
    ]);
    expect([history.countCodes('2020-1q'), history.countCodes('2020-4q')]).toEqual([2, 4]);
    expect(history.latest(two, '2020-1q')).toBeUndefined();
    expect(history.latest(one, '2020-4q')).toMatchObject({ edition: '2020-1q', correspondence: null });
  });

  const rows = (from: string, to: string) =>
    [...history.crosswalk(from, to, ['barangay'])].map((row) => [
      ...[row.from_code, row.to_code, row.relation, row.weight_area, row.weight_population, row.basis, row.estimated],
    ]);

  it('multiplies shares, and takes the weakest sign', () => {
    expect(rows('2020-1q', '2020-3q')).toEqual([
      [one, four, 'partial', 0.75, 0.5, 'note', 'area'],
      [one, two, 'partial', 0.25, 0.5, 'name', 'area'],
      [four, four, 'same', 1, 1, 'code', null],
    ]);
    expect(rows('2020-3q', '2020-1q')).toEqual([
      [two, one, 'recoded', 1, 1, 'name', null],
      [four, four, 'partial', 0.9, 0.8, 'code', null],
      [four, one, 'partial', 0.1, 0.2, 'note', null],
    ]);
  });

  it('gives all of an area to what is left of it, as an estimate', () => {
    expect(rows('2020-1q', '2020-4q')).toEqual([
      [one, four, 'merged', 1, 1, 'note', 'both'],
      [four, four, 'merged', 1, 1, 'code', null],
    ]);
    expect(rows('2020-2q', '2020-4q')[0]).toEqual([two, null, 'none', null, null, 'code', null]);
  });

  it('reports that a continuing area got a part of another', () => {
    const parted = open({
      editions: ['2020-1q', '2020-2q'].map((id) => ({
        id,
        published: null,
        counts: {},
        boundary_set: 'none' as const,
      })),
      spans: [span(one, 'One', 0, 0), span(two, 'Two', 1, 1), span(four, 'Four', 0, 1)],
      former: [],
      steps: [
        step(
          [
            [one, two, 0.25, 0.5, null, 'name'],
            [one, four, 0.75, 0.5, null, 'name'],
          ],
          [],
        ),
      ],
    });
    expect(
      [...parted.crosswalk('2020-1q', '2020-2q', ['barangay'])].map((row) => [
        row.from_code,
        row.to_code,
        row.relation,
      ]),
    ).toEqual([
      [one, four, 'partial'],
      [one, two, 'partial'],
      [four, four, 'same'],
    ]);
  });
});
