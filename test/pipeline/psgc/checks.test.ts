import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import { checkRelease, LoadRefused } from '../../../scripts/pipeline/psgc/checks.ts';
import { ILOCOS, problemsOf, problemsOfRelease, publication, row, warningsOf } from './rows.ts';

describe('checkRelease', () => {
  it('finds nothing wrong with a sound list', () => {
    expect(problemsOf(ILOCOS)).toEqual([]);
  });

  it('compares the counts with another edition and refuses nothing for them', () => {
    const { report } = checkRelease(toRelease(publication(ILOCOS)));
    const before = { ...report.counts, barangays: 1203, cities: 1 };
    const compared = checkRelease(toRelease(publication(ILOCOS)), { edition: '1Q 2025', counts: before });
    expect(compared.problems).toEqual([]);
    expect(compared.report.warnings?.filter(({ at }) => at === 'count').map(({ what }) => what)).toEqual([
      '2 cities in 3Q 2026, 1 in 1Q 2025: 1 more',
      '4 barangays in 3Q 2026, 1,203 in 1Q 2025: 1,199 fewer',
    ]);
  });

  it('refuses a list without a level, and says what to do', () => {
    const rows = ILOCOS.filter(({ level }) => level !== 'Bgy');
    expect(problemsOf(rows)).toEqual(['count: the list has no barangays']);
    expect(new LoadRefused([]).message).toContain('Correct these rows in a copy of the workbook');
  });

  it.each([
    [row('Bgy', '0105502001', 'Lost'), '0105502001: Lost is an orphan: there is no municity 0105502000'],
    [row('Bgy', '0205501001', 'Lost'), '0205501001: Lost is an orphan: there is no region 0200000000'],
    [row('Mun', '0102801000', 'Adams'), '0102801000: Adams is an orphan: there is no province 0102800000'],
    [
      row('Bgy', '1380602001', 'Barangay 287'),
      '1380602001: Barangay 287 is an orphan: there is no municity 1380600000',
    ],
  ])('refuses the orphan $code', (orphan, problem) => {
    expect(problemsOf([...ILOCOS, orphan])).toContain(problem);
  });

  it('refuses a barangay under a province', () => {
    expect(problemsOf([...ILOCOS, row('Bgy', '0105500001', 'Stray')])).toContain(
      '0105500001: Stray is an orphan: there is no municity 0105500000',
    );
  });

  it('refuses a code that stands twice', () => {
    expect(problemsOf([...ILOCOS, row('Bgy', '0105501001', 'Another')])).toContain(
      '0105501001: Allabon and Another have the same code',
    );
  });

  it('refuses two codes with the same last eight digits, which must be unique', () => {
    const problems = problemsOf([...ILOCOS, row('Reg', '0200000000', 'Region II'), row('Mun', '0205501000', 'Agno')]);
    expect(problems).toContain('0205501000: Agno has the same last eight digits as 0105501000 Agno');
  });

  it.each([
    ['Bgy', '105501002'],
    ['Bgy', '0105501000'],
    ['Bgy', '01055010AB'],
    ['Bgy', ''],
    ['Mun', '0105501001'],
    ['Prov', '0105501000'],
    ['Reg', '0000000000'],
  ] as const)('refuses %s "%s" as malformed', (level, code) => {
    expect(problemsOf([...ILOCOS, row(level, code, 'Odd')]).join('\n')).toMatch(
      new RegExp(`"${code}" is no ten-digit code of a (region|province|municity|barangay) \\(Odd\\)`),
    );
  });

  it.each(['ParaÃ±aque', 'Para\uFFFDaque', 'Para?aque', 'PiÂ±an', 'Agno\u0007'])(
    'refuses the garbled name %j',
    (name) => {
      expect(problemsOf([...ILOCOS, row('Bgy', '0105501002', name)])).toEqual([
        `0105501002: the name ${JSON.stringify(name)} is garbled`,
      ]);
    },
  );

  it('leaves out a garbled former name, and warns of it', () => {
    const rows = [...ILOCOS, row('Bgy', '0105501002', 'Fine', { formerNames: ['Para?aque', 'Good'] })];
    expect(problemsOf(rows)).toEqual([]);
    expect(warningsOf(rows)).toEqual(['test 0105501002: 0105501002: the former name "Para?aque" is garbled; left out']);
    const { formerNames, names } = toRelease(publication(rows));
    expect(formerNames.map(({ name }) => name)).toEqual(['Alabon', 'Good']);
    expect(names.filter(({ code, former }) => former && code === '0105501002').map(({ key }) => key)).toEqual(['good']);
  });

  it('refuses an empty name', () => {
    expect(problemsOf([...ILOCOS, row('Bgy', '0105501002', '')])).toEqual(['0105501002: the name "" is empty']);
  });

  it('warns of a municipality without barangays', () => {
    const rows = [...ILOCOS, row('Mun', '0105502000', 'Aguilar')];
    expect(problemsOf(rows)).toEqual([]);
    expect(warningsOf(rows)).toEqual(['0105502000: Aguilar, a municity, has no barangays']);
  });

  it('warns of a host that the hosting table does not have', () => {
    const rows = ILOCOS.map((it) => (it.code === '0105503000' ? { ...it, cityClass: 'ICC' as const } : it));
    expect(problemsOf(rows)).toEqual([]);
    expect(warningsOf(rows)).toEqual([
      '0105503000: City of Alaminos is hosted by 0105500000; by the hosting table, by none',
    ]);
  });

  it('prefers an old code to a contradicting hosting table', () => {
    const rows = [...ILOCOS, row('Prov', '0102800000', 'Ilocos Norte'), row('Mun', '0102801000', 'Adams')];
    const moved = rows.map((it) => (it.code === '0105518000' ? { ...it, correspondence: '012818000' } : it));
    expect(warningsOf([...moved, row('Bgy', '0102801001', 'Adams')])).toEqual([
      'test 0105518000: 0105518000 City of Dagupan lies in 0102800000 by its old code 012818000, in 0105500000 by the hosting table; the old code is believed',
      '0105518000: City of Dagupan is hosted by 0102800000; by the hosting table, by 05500000',
    ]);
  });

  it('takes a former code that stands for two areas as abolished', () => {
    const rows = ILOCOS.map((it) => (it.level === 'Bgy' ? { ...it, correspondence: '015599001' } : it));
    expect(warningsOf(rows)[0]).toMatch(
      /^015599001: the former barangay code stands for 0105501001 and for 0105503001 and/,
    );
    const { aliases } = toRelease(publication(rows));
    expect(aliases.filter(({ alias }) => alias === '015599001').map(({ change }) => change)).toEqual(
      Array(4).fill('abolished'),
    );
  });

  it('allows an abolished code several successors', () => {
    const release = toRelease(publication(ILOCOS));
    const alias = { level: 'barangay', alias: '0105501009', change: 'abolished' } as const;
    const aliases = [...release.aliases, { ...alias, code: '0105501001' }, { ...alias, code: '0105503001' }];
    expect(problemsOfRelease({ ...release, aliases })).toEqual([]);
  });

  it('compares a list with its own summary', () => {
    const line = { region: '0100000000', provinces: 1, cities: 2, municipalities: 1, barangays: 4 };
    expect(warningsOf(ILOCOS, { summary: [line] })).toEqual([]);
    expect(warningsOf(ILOCOS, { summary: [{ ...line, barangays: 5 }] })).toEqual([
      "0100000000: 4 barangays in the list, 5 in the publication's summary",
    ]);
    expect(warningsOf(ILOCOS, { summary: [line, { ...line, region: '0200000000' }] })).toEqual([
      '0200000000: is a region in the summary of the publication but not in its list',
    ]);
  });

  it('counts special government units apart, with a summary that does so or not', () => {
    const rows = [...ILOCOS, row('SGU', '0105502000', 'Cluster I'), row('Bgy', '0105502001', 'Tapodoc')];
    const release = toRelease(publication(rows));
    expect(release.areas.find(({ code }) => code === '0105502000')).toMatchObject({ level: 'municity', type: 'SGU' });
    const before = checkRelease(toRelease(publication(ILOCOS))).report.counts;
    const { counts, warnings } = checkRelease(release, { edition: '1Q 2025', counts: before }).report;
    expect(counts).toMatchObject({ municipalities: 1, 'special government units': 1 });
    expect(warnings?.map(({ what }) => what)).toContain('1 special government units in 3Q 2026, 0 in 1Q 2025: 1 more');
    const line = { region: '0100000000', provinces: 1, cities: 2, municipalities: 1, barangays: 5 };
    expect(warningsOf(rows, { summary: [line] })).toEqual([]);
    expect(warningsOf(rows, { summary: [{ ...line, municipalities: 2 }] })).toEqual([]);
    expect(warningsOf(rows, { summary: [{ ...line, municipalities: 3 }] })).toHaveLength(1);
  });

  it('refuses any other content of rows without throwing', () => {
    const odd = fc.record({
      level: fc.constantFrom('Reg', 'Prov', 'City', 'Mun', 'SGU', 'SubMun', 'Bgy'),
      code: fc.oneof(fc.string(), fc.stringMatching(/^\d{0,12}$/), fc.constantFrom('01constructor', '01__proto__')),
      name: fc.string({ unit: 'grapheme' }),
    });
    fc.assert(
      fc.property(fc.array(odd), (rows) => {
        const release = toRelease(publication(rows.map(({ level, code, name }) => row(level, code, name))));
        expect(checkRelease(release).problems.length).toBeGreaterThan(0);
      }),
    );
  });

  it('reports what the reader could not understand', () => {
    expect(problemsOf(ILOCOS, { problems: [{ at: 'PSGC row 7', what: 'is odd' }] })).toEqual(['PSGC row 7: is odd']);
  });
});

describe('LoadRefused', () => {
  it('carries every problem and shows the first twenty', () => {
    const problems = Array.from({ length: 25 }, (_, i) => ({ at: `row ${i}`, what: 'is wrong' }));
    const error = new LoadRefused(problems);
    expect(error.problems).toHaveLength(25);
    expect(error.shown).toHaveLength(21);
    expect(error.message).toContain('row 19: is wrong');
    expect(error.message).toContain('and 5 more');
  });
});
