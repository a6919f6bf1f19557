import { describe, expect, it } from 'vitest';
import { listChanges } from '../../../scripts/pipeline/editions/changes.ts';
import { compareAll } from '../../../scripts/pipeline/editions/compare.ts';
import { editionsOf } from '../../../scripts/pipeline/editions/edition.ts';
import { readHistory } from '../../../scripts/pipeline/psgc/history.ts';
import given from '../../../scripts/pipeline/psgc/name-changes.json' with { type: 'json' };
import { isRenamed } from '../../../scripts/pipeline/psgc/name-changes.ts';
import { isOtherName } from '../../../scripts/pipeline/psgc/spelling.ts';

const history = await readHistory();
const steps = compareAll(editionsOf(history)).map((comparison) => ({
  step: `${comparison.before.id} ${comparison.after.id}`,
  renamed: listChanges(comparison).filter(({ kind }) => kind === 'renamed'),
}));

describe('renamings', () => {
  it('are so many from edition to edition', () => {
    expect(steps.map(({ step, renamed }) => [step, renamed.length])).toEqual([
      ['2023-1q 2023-4q', 6],
      ['2023-4q 2024-04', 18],
      ['2024-04 2024-2q', 2],
      ['2024-2q 2024-3q', 0],
      ['2024-3q 2024-4q', 3],
      ['2024-4q 2025-1q', 1],
      ['2025-1q 2025-2q', 0],
      ['2025-2q 2025-07', 0],
      ['2025-07 2025-3q', 2],
      ['2025-3q 2025-4q', 1],
      ['2025-4q 2026-1q', 3],
      ['2026-1q 2026-3q', 18],
    ]);
  });

  it('of 3Q 2026 are these eighteen', () => {
    const names = steps.at(-1)?.renamed.map(({ from, to }) => `${to[0]?.code} ${from[0]?.name} → ${to[0]?.name}`);
    expect(names).toEqual([
      '1004217000 Don Victoriano Chiongbian → Don Victoriano',
      '1102324000 San Isidro → Sawata',
      '0300809015 Parang Parang → Parang-Parang',
      '1001307002 Baborawon → Barorawon',
      '1001307007 Maca-opao → Macaopao',
      '1001309002 Balukbukan → Balocbocan',
      '1001312018 Indalaza → Indalasa',
      '1001312021 Kabalabag → Kibalabag',
      '1001313009 Santa Ines → Sta. Ines',
      '1001317019 Merangerang → Merangeran',
      '1001317034 Santa Cruz → Sta. Cruz',
      '1001319002 Culasi → Kulasi',
      '1001320016 Santo Niño → Sto. Niño',
      '1001321011 Kahapunan → Kahaponan',
      '1001321017 Lurogan → Lurugan',
      '1001321022 Nabago → Nabag-o',
      '1001322005 Lambangan → Lambagan',
      '1102324013 Sawata → Poblacion',
    ]);
  });

  it('depend on one area and its two names alone, whichever is earlier', () => {
    const [one, other] = [
      { code: '0203121016', name: 'Diddadungan' },
      { code: '0203121016', name: 'Didaddungan' },
    ];
    expect([isRenamed(one, other), isRenamed(other, one)]).toEqual([false, false]);
    expect(isRenamed({ ...one, code: '0203121017' }, { ...other, code: '0203121017' })).toBe(true);
    expect(isRenamed(one, { ...other, name: 'Didadungan' })).toBe(true);
  });

  it('have the law and its source where it is known, and nothing where it is not', () => {
    const notes = steps.flatMap(({ renamed }) => renamed.map(({ to, note }) => [to[0]?.code ?? '', note] as const));
    const known = notes.filter(([, note]) => note !== null);
    expect(known.map(([code]) => code.slice(0, 7))).toEqual([
      ...Array.from({ length: 5 }, () => '0402103'),
      ...Array.from({ length: 8 }, (_, i) => `199990${i + 1}`),
    ]);
    expect([...new Set(known.map(([, note]) => note))]).toEqual([
      'Bacoor City Ordinance 275-2023, plebiscite of 29 July 2023 (PSA, release 2023-329)',
      'Municipality of the Special Geographic Area by Bangsamoro Autonomy Acts 41 to 48, plebiscite of 13 April 2024 (Comelec)',
    ]);
  });

  it('are recorded manually only against the rule or with their law, of names that editions have', () => {
    const spans = new Set(history.spans.map(({ code, name }) => `${code} ${name}`));
    for (const { renamed, names, ...why } of given) {
      expect('law' in why || 'note' in why).toBe(true);
      if ('law' in why) expect(why.law).toMatch(/Ordinance|Act|RA \d/);
      for (const [code, [before, after]] of Object.entries(names) as [string, [string, string]][]) {
        expect([code, spans.has(`${code} ${before}`), spans.has(`${code} ${after}`)]).toEqual([code, true, true]);
        if (!('law' in why)) expect([code, isOtherName(before, after)]).toEqual([code, !renamed]);
      }
    }
  });
});
