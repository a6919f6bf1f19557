import { beforeAll, describe, expect, it } from 'vitest';
import { addressLabel, typedRanges } from '../../../src/names/address-label.ts';
import { matchRow } from '../../../src/names/match.ts';
import { suggestNames } from '../../../src/names/suggest.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
let labels: string[];
beforeAll(async () => {
  country = await namedCountry();
  labels = Array.from({ length: country.index.source.size }, (_, row) => addressLabel(country.index, row));
});

describe('suggestNames', () => {
  it('has an area among the first five as soon as what is typed of its label is of no other area', () => {
    const sorted = labels.map((label) => label.toLowerCase()).sort();
    /** How much of a label is common with the one before or behind it. */
    const commonWith = (label: string, other = '') => {
      let at = 0;
      while (at < label.length && label[at] === other[at]) at += 1;
      return at;
    };
    const missed: string[] = [];
    let tried = 0;
    for (let row = 0; row < labels.length; row += 11) {
      const label = (labels[row] as string).toLowerCase();
      const at = sorted.indexOf(label);
      const unique = 1 + Math.max(commonWith(label, sorted[at - 1]), commonWith(label, sorted[at + 1]));
      const typed = label.slice(0, unique);
      tried += 1;
      if (!suggestNames(country.index, { q: typed, limit: 5 }).some((it) => it.row === row)) missed.push(typed);
    }
    expect(tried).toBeGreaterThan(3900);
    // `Barangay V P` is Barangay V Pob. alone, and as good as many that are written `Barangay V (Poblacion)`.
    expect(missed.length, missed.join('\n')).toBeLessThan(tried / 1000);
  });

  it('has an area among the first five when all of its label is typed', () => {
    for (let row = 3; row < labels.length; row += 97) {
      const q = labels[row] as string;
      expect(suggestNames(country.index, { q, limit: 5 }).map((it) => labels[it.row])).toContain(q);
    }
  });

  /** Time of the processor, ms. Its clock moves every few milliseconds, so many are measured together. */
  const meanOf = (times: number, work: (i: number) => unknown) => {
    const before = process.threadCpuUsage();
    for (let i = 0; i < times; i += 1) work(i);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000 / times;
  };
  const ofAnAddress = () =>
    meanOf(400, (i) =>
      matchRow(country.index, { text: `Blk ${i} Lot 5, Villa Mercedes, Brgy. San Isidro, Cainta, Rizal 1900` }),
    );

  it('takes no longer for the beginning of a label than the match of an address takes', () => {
    const beginning = meanOf(2000, (i) => {
      const label = labels[i * 21] as string;
      return suggestNames(country.index, { q: label.slice(0, 1 + (i % label.length)), limit: 5 });
    });
    expect(beginning).toBeLessThan(ofAnAddress());
  });

  // Bato and Bato-bato are names both, and eight numbers begin with an s.
  it.each([`x, ${'bato '.repeat(10)}s`, `${'bato '.repeat(11)}s`, `${'san jose '.repeat(5)}s`])(
    'takes no more than three hundred times as long for %j',
    (q) => {
      const hostile = meanOf(20, () => suggestNames(country.index, { q, limit: 5 }));
      expect(hostile).toBeLessThan(300 * ofAnAddress());
    },
  );
});

describe('addressLabel', () => {
  it.each([
    ['poblacion carcar', 'barangay', /^Poblacion I+, Carcar City, Cebu$/],
    ['poblacion, carcar', 'barangay', /^Poblacion I+, Carcar City, Cebu$/],
    ['Pob, Carcar, Cebu', undefined, /^Poblacion I+, Carcar City, Cebu$/],
    ['poblacion, carc', undefined, /^Poblacion I+, Carcar City, Cebu$/],
    ['poblacion, calamba', 'barangay', /Pob(lacion|\.), Calamba, Misamis Occidental$/],
    ['bgy, legazpi', undefined, /^Bgy\. .+, Legazpi City, Albay$/],
  ] as const)('has for %j only barangays of that town whose names have more words', (q, level, expected) => {
    const found = suggestNames(country.index, { q, limit: 5, ...(level && { levels: [level] }) });
    expect(found.length).toBeGreaterThan(2);
    for (const { row } of found) expect(labels[row]).toMatch(expected);
  });

  it.each(['ermita, manila', 'Ermita Manila', 'ermita, man'])(
    'has for %j the barangays of the district where only barangays are wanted, and else the district',
    (q) => {
      const found = suggestNames(country.index, { q, levels: ['barangay'], limit: 5 });
      expect(found).toHaveLength(5);
      for (const { row, match, matchedName } of found) {
        expect(labels[row]).toMatch(/, Ermita, Manila/);
        expect([match, labels[row]]).toEqual(['word', expect.stringContaining(matchedName)]);
      }
      expect(suggestNames(country.index, { q, limit: 1 }).map(({ row }) => labels[row])).toEqual([
        'Ermita, Manila, Metro Manila',
      ]);
    },
  );

  it('has names of more words behind those that are typed whole before their town', () => {
    const found = suggestNames(country.index, { q: 'poblacion, naga', limit: 5 }).map(({ row }) => labels[row]);
    expect(found[0]).toBe('Poblacion, Naga, Zamboanga Sibugay');
    expect(found).toContain('South Poblacion, Naga City, Cebu');
  });

  it('tells every area from every other', () => {
    expect(new Set(labels).size).toBe(labels.length);
  });
});

describe('typedRanges', () => {
  it.each([
    ['San Isidro, Cainta, Rizal', 'san isidro, cai', ['San', 'Isidro', 'Cai']],
    ['Sto. Tomas City, Batangas', 'sto t', ['Sto', 'T']],
    ['Dasmariñas City, Cavite', 'DASMARIN', ['Dasmariñ']],
    ['Dasmarin\u0303as City, Cavite', 'dasmarina', ['Dasmarin\u0303a']],
    ["O'Donnell, Capas, Tarlac", 'odon', ["O'Don"]],
    ['Lahug, Cebu City, Cebu', 'cebu', ['Cebu']],
    ['Quezon City, Metro Manila', 'qc', []],
  ])('of %j finds %j', (label, typed, parts) => {
    expect(typedRanges(label, typed).map(([start, end]) => label.slice(start, end))).toEqual(parts);
  });
});
