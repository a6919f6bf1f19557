import { beforeAll, describe, expect, it } from 'vitest';
import { matchRows } from '../../../src/match/service.ts';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

/** An address as many lists have it. */
const ORDINARY = 'Blk 4 Lot 5, Villa Mercedes, Brgy. San Isidro, Cainta, Rizal 1900';

/** Time of the processor that rows take on average, ms. No two are the same, because texts are cached. */
function costOf(rowOf: (i: number) => MatchInput): number {
  const before = process.threadCpuUsage();
  const spent = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  for (let runs = 1; ; runs += 1) {
    matchRow(country.index, rowOf(runs));
    if (spent() > 150) return spent() / runs;
  }
}

const many = (text: string) => text.repeat(40).slice(0, 290);

const pieces = (piece: (k: number) => string) => Array.from({ length: 90 }, (_, k) => piece(k)).join('/');

describe('a row of one name many times', () => {
  const ROWS: Record<string, (i: number) => MatchInput> = {
    'a province and a city': (i) => ({ text: `${many('Quezon Rizal ')}${i}` }),
    'a city': (i) => ({ text: `${many('Cebu ')}${i}` }),
    'many barangays': (i) => ({ text: `${many('San Jose ')}${i}` }),
    'names with slips': (i) => ({ text: `${many('Batuan/Txlisay/Tagudin/Talisay/Txgudin/Santiago/')}${i}` }),
    'many provinces': (i) => ({ province: pieces((k) => `Cebxu ${i} ${k}`), municity: 'San Jose' }),
    'every column': (i) => {
      const text = `${many('Del Pilar, Bagacay, Mabini, Bxgacay, ')}${i}`;
      return { barangay: text, municity: text, province: text };
    },
    'every column, and a code': (i) => {
      const text = `${many('Del Pilar, Bagacay, Mabini, Bxgacay, ')}${i}`;
      return { barangay: text, municity: text, province: text, code: '0702200000' };
    },
    'many barangays, and a code': (i) => ({ text: `${many('San Jose ')}${i}`, code: '0304926000' }),
  };

  // Before there were limits these took 150 to 1,600 times as long, and one request stopped an instance for minutes.
  it.each(Object.entries(ROWS))('takes no hundred times as long as an address: %s', (_, rowOf) => {
    const ordinary = costOf((i) => ({ text: `${ORDINARY} ${i}` }));
    expect(costOf(rowOf) / ordinary).toBeLessThan(100);
  });
});

it('a list of twenty long texts gives way to other requests several times', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({ text: `Sitio ${i}, `.repeat(25).slice(0, 200) }));
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  });
  await matchRows(country.index, { rows });
  clearInterval(other);
  expect(turns).toBeGreaterThanOrEqual(3);
});
