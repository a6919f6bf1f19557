import { describe, expect, it } from 'vitest';
import {
  aboutLine,
  lineOf,
  ownCodes,
  type Sentence,
  sentenceOf,
  withoutRepeats,
  withoutSameWords,
} from '../../../pages/explore/change-words.ts';
import { type Change, changesAt, completed, fragmentOfChanges, outcomeOf } from '../../../pages/explore/changes.ts';
import { inAddress } from '../../../pages/explore/editions.ts';
import { editionText } from '../../../src/areas/edition-id.ts';

/** A change of areas that are given as `code Name`. */
function change(kind: Change['kind'], from: readonly string[], to: readonly string[]): Change {
  const parties = (texts: readonly string[]) =>
    texts.map((text) => ({ code: text.split(' ')[0] ?? '', name: text.slice(text.indexOf(' ') + 1) }));
  const editions = { from_edition: '2023-4q', to_edition: '2025-2q' };
  return { kind, level: 'municity', from: parties(from), to: parties(to), ...editions, note: null };
}

/** A sentence as people read it. Links have their code, and whether they lead to the edition before. */
function textOf(sentence: Sentence): string {
  return sentence
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const { party, edition, by } = piece;
      const text = by === 'code' ? party.code : by === 'name' ? party.name : `${party.name} ${party.code}`;
      return `[${text}${edition === '2023-4q' ? ' then' : ''}]`;
    })
    .join('');
}

describe('the sentence of a change', () => {
  it.each([
    ['created', [], ['1 A'], 'Created.'],
    ['created', ['2 B', '3 C'], ['1 A'], 'Created out of parts of [B 2 then] and [C 3 then].'],
    ['created', ['1 A', '3 C'], ['2 B'], 'Gave a part of it to [B 2], which is new.'],
    ['abolished', ['1 A'], [], 'Abolished.'],
    ['abolished', ['1 A'], ['2 B', '3 C'], 'Abolished. Its parts went to [B 2] and [C 3].'],
    ['abolished', ['2 B'], ['1 A', '3 C'], 'Took in a part of [B 2 then], which was abolished.'],
    ['merged', ['1 A', '2 B'], ['1 A'], 'Merged with [B 2 then].'],
    ['merged', ['1 A', '2 B'], ['3 C'], 'Merged into [C 3], with [B 2 then].'],
    ['split', ['1 A'], ['2 B', '3 C', '4 D'], 'Split into [B 2], [C 3] and [D 4].'],
    ['split', ['1 A'], ['1 A', '2 B'], 'Split: [B 2] came out of it.'],
    ['split', ['2 B'], ['1 A', '3 C'], 'Came out of the split of [B 2 then].'],
    ['redrawn', ['1 A'], ['1 A', '2 B'], 'Gave land to [B 2].'],
    ['redrawn', ['1 A', '2 B'], ['1 A'], 'Got land of [B 2 then].'],
    ['redrawn', ['2 B'], ['2 B', '1 A'], 'Got land of [B 2 then].'],
    ['recoded', ['1 A'], ['9 A'], 'Its code changed from [1 then] to [9].'],
    ['renamed', ['1 Old'], ['1 New'], 'Renamed from [Old then] to New.'],
    ['moved', ['1 A'], ['9 A'], 'Moved, from code [1 then] to [9].'],
    ['reclassified', ['1 A'], ['1 A'], 'Got another class.'],
  ] as const)('%s, of %j and %j', (kind, from, to, expected) => {
    expect(textOf(sentenceOf(change(kind, from, to), new Set(['1'])))).toBe(expected);
  });

  it('names what records of both editions say', () => {
    const own = new Set(['1', '9']);
    const regions = { from: 'Western Visayas', to: 'NIR' };
    expect(textOf(sentenceOf(change('moved', ['1 A'], ['9 A']), own, regions))).toBe(
      'Moved from Western Visayas to NIR, and from code [1 then] to [9].',
    );
    const classes = { from: 'Municipality', to: 'Independent component city' };
    expect(textOf(sentenceOf(change('reclassified', ['1 A'], ['1 A']), own, classes))).toBe(
      'Was a municipality, and became an independent component city.',
    );
  });

  it('stands once where the change of another place says the same', () => {
    const own = new Set(['1']);
    const all = [
      change('redrawn', ['1 Makati'], ['1 Makati', '2 Taguig']),
      change('redrawn', ['1 Makati', '2 Taguig'], ['2 Taguig']),
      change('redrawn', ['1 Makati'], ['1 Makati', '3 Pateros']),
      { ...change('redrawn', ['1 Makati'], ['1 Makati', '2 Taguig']), to_edition: '2026-3q' },
    ];
    const told = withoutSameWords(all.map((it) => ({ change: it, sentence: sentenceOf(it, own) })));
    expect(told.map((it) => [it.change.to_edition, textOf(it.sentence)])).toEqual([
      ['2025-2q', 'Gave land to [Taguig 2].'],
      ['2025-2q', 'Gave land to [Pateros 3].'],
      ['2026-3q', 'Gave land to [Taguig 2].'],
    ]);
  });

  it('counts those that are too many to name', () => {
    const parts = Array.from({ length: 9 }, (_, i) => `${i + 2} P${i + 2}`);
    const sentence = textOf(sentenceOf(change('split', ['1 A'], parts), new Set(['1'])));
    expect(sentence).toBe('Split into [P2 2], [P3 3], [P4 4], [P5 5], [P6 6] and 4 others.');
  });
});

describe('a line of a list of changes', () => {
  it.each([
    ['moved', ['1 A'], ['9 A'], '[A]', 'City or municipality · 1 → 9'],
    ['renamed', ['1 Old'], ['1 New'], 'Old → [New]', 'City or municipality · 1'],
    ['split', ['1 A'], ['2 B', '3 C'], 'A → [B] and [C]', 'City or municipality · 1 → 2, 3'],
    ['abolished', ['1 A'], [], '[A then]', 'City or municipality · 1'],
    ['created', ['2 B'], ['1 A'], '[A] out of B', 'City or municipality · 2 → 1'],
  ] as const)('%s, of %j and %j', (kind, from, to, line, about) => {
    const one = change(kind, from, to);
    expect([textOf(lineOf(one)), aboutLine(one, false)]).toEqual([line, about]);
    expect(aboutLine(one, true)).toBe(`${about} · 4Q 2023 to 2Q 2025`);
    expect(outcomeOf(one).edition).toBe(to.length > 0 ? '2025-2q' : '2023-4q');
  });
});

describe('an area', () => {
  it('has the codes of changes from one area to one, and not those of its parts', () => {
    const history = [change('moved', ['1 A'], ['2 A']), change('recoded', ['2 A'], ['3 A'])];
    expect([...ownCodes([...history, change('split', ['3 A'], ['4 B', '5 C'])], '3')].sort()).toEqual(['1', '2', '3']);
  });
});

describe('a history', () => {
  it('tells once what two changes tell', () => {
    const created = change('created', ['1 A', '2 B'], ['3 C']);
    const other = change('redrawn', ['1 A'], ['1 A', '4 D']);
    expect(withoutRepeats([change('redrawn', ['1 A'], ['1 A', '3 C']), created, other])).toEqual([created, other]);
  });
});

describe('the address of changes', () => {
  const editions = ['2026-1q', '2025-2q', '2023-4q'].map((id) => ({ id, active: id === '2025-2q' }));

  it('keeps both editions, level and kind', () => {
    for (const hash of ['#/changes/2023-4q/2025-2q', '#/changes/2023-4q/2026-1q?level=municity&kind=moved']) {
      expect(fragmentOfChanges(completed(changesAt(hash) ?? {}, editions))).toBe(hash);
    }
    expect(changesAt('#/provinces/0702200000')).toBe(undefined);
    expect(changesAt('#/changes?kind=eaten&level=barangay')).toEqual({ kind: undefined, level: 'barangay' });
  });

  it('has the earlier edition first, and the step to the shown one unless it names others', () => {
    const span = (hash: string, shown?: string) => {
      const { from, to } = completed(changesAt(hash) ?? {}, editions, shown);
      return `${from} ${to}`;
    };
    expect(span('#/changes/2025-2q/2023-4q')).toBe('2023-4q 2025-2q');
    expect(span('#/changes')).toBe('2023-4q 2025-2q');
    expect(span('#/changes', '2026-1q')).toBe('2025-2q 2026-1q');
    expect(span('#/changes', '2023-4q')).toBe('2023-4q 2025-2q');
  });

  it('names an edition as people do, and leaves out the current one', () => {
    expect(editionText('2023-4q')).toBe('4Q 2023');
    expect([inAddress('2025-2q', editions), inAddress('2023-4q', editions)]).toEqual([undefined, '2023-4q']);
  });
});
