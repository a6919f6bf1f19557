import { type Edition, type EditionArea, makeEdition } from '../../../scripts/pipeline/editions/edition.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import type { CodeChange } from '../../../scripts/pipeline/psgc/code-changes.ts';
import type { PublishedRow } from '../../../scripts/pipeline/psgc/publication.ts';
import { publication, row } from '../psgc/rows.ts';

const people = (level: PublishedRow['level'], code: string, name: string, population: number, more = {}) =>
  row(level, code, name, { population, ...more });

/** A country of two regions before twenty changes of every kind. */
export const BEFORE: readonly PublishedRow[] = [
  row('Reg', '0100000000', 'Region One'),
  row('Prov', '0102800000', 'Ilocos Norte'),
  row('Mun', '0102801000', 'Adams'),
  people('Bgy', '0102801001', 'Divided', 600),
  people('Bgy', '0102801002', 'Merger East', 100),
  people('Bgy', '0102801003', 'Merger West', 300),
  people('Bgy', '0102801004', 'Old Name', 10),
  people('Bgy', '0102801005', 'Recycled', 10, { correspondence: '012801005' }),
  people('Bgy', '0102801006', 'Leaving', 40),
  people('Bgy', '0102801007', 'Staying', 60),
  people('Bgy', '0102801008', 'Kalaw', 10),
  people('Bgy', '0102801009', 'Quibel', 30),
  people('Bgy', '0102801010', 'Vanished', 5),
  people('Bgy', '0102801011', 'Same Number', 8, { correspondence: '012801011' }),
  row('Mun', '0102802000', 'Bacarra'),
  people('Bgy', '0102802001', 'Mother', 200),
  people('Bgy', '0102802002', 'Muzon', 400),
  people('Bgy', '0102802003', 'By Hand', 7),
  row('Prov', '0102900000', 'Great Province'),
  row('Mun', '0102901000', 'Northern Town'),
  people('Bgy', '0102901001', 'N One', 100),
  row('Mun', '0102902000', 'Southern Town'),
  people('Bgy', '0102902001', 'S One', 300),
  row('Reg', '0200000000', 'Region Two'),
  row('Prov', '0201500000', 'Cagayan'),
  row('Mun', '0201501000', 'Abulug'),
  people('Bgy', '0201501001', 'Alinunu', 50),
  row('Prov', '0203100000', 'Isabela'),
  row('Mun', '0203101000', 'Alicia'),
  people('Bgy', '0203101001', 'Amistad', 150),
];

/** The same country after them. */
export const AFTER: readonly PublishedRow[] = [
  row('Reg', '0100000000', 'Region One'),
  row('Prov', '0102800000', 'Ilocos Norte'),
  row('City', '0102801000', 'City of Adams'), // became a city
  people('Bgy', '0102801012', 'Divided-A', 200),
  people('Bgy', '0102801013', 'Divided-B', 400),
  people('Bgy', '0102801014', 'Merger', 400),
  people('Bgy', '0102801004', 'New Name', 10),
  people('Bgy', '0102801005', 'Somewhere Else', 20, { correspondence: '012801099' }), // the code was given to another
  people('Bgy', '0102801015', 'Recycled', 10, { correspondence: '012801005' }),
  people('Bgy', '0102801007', 'Staying', 60),
  people('Bgy', '0102801016', 'Cabaritan', 40, {
    notes: ['a/ sum of the population of the merged barangays per Ordinance 1 (Barangays Kalaw and Quibel)'],
  }),
  people('Bgy', '0102801017', 'Same Number', 8, { correspondence: '012801011' }),
  row('Mun', '0102802000', 'Bacarra'),
  people('Bgy', '0102802001', 'Mother', 150, {
    notes: ['b/ including the population count of newly created Barangay Daughter'],
  }),
  people('Bgy', '0102802004', 'Daughter', 50),
  people('Bgy', '0102802002', 'Muzon Proper', 100),
  people('Bgy', '0102802005', 'Muzon East', 300),
  people('Bgy', '0102802006', 'Leaving', 40), // moved from Adams
  people('Bgy', '0102802007', 'Kept By Hand', 7),
  people('Bgy', '0102802008', 'From Nowhere', 1),
  row('Prov', '0103000000', 'North Province'),
  row('Mun', '0103001000', 'Northern Town'),
  people('Bgy', '0103001001', 'N One', 100, { correspondence: null }),
  row('Prov', '0103200000', 'South Province'),
  row('Mun', '0103201000', 'Southern Town'),
  people('Bgy', '0103201001', 'S One', 300),
  row('Reg', '0200000000', 'Region Two'),
  row('Prov', '0201500000', 'Cagayan'),
  row('Mun', '0201501000', 'Abulug'),
  people('Bgy', '0201501001', 'Alinunu', 50),
  row('Reg', '0900000000', 'New Region'),
  row('Prov', '0903100000', 'Isabela'), // moved to another region, with all that is in it
  row('Mun', '0903101000', 'Alicia'),
  people('Bgy', '0903101001', 'Amistad', 150),
];

export const BY_HAND: readonly CodeChange[] = [
  { from: ['0102802003'], to: ['0102802007'], note: 'Renumbered and renamed by Ordinance 2' },
  { from: ['0102901000'], to: ['0103001000'], note: 'Great Province divided by RA 1' },
];

export function editionOf(
  id: string,
  rows: readonly PublishedRow[],
  areaKm2: (code: string) => number | null = () => null,
): Edition {
  const { areas } = toRelease(publication(rows));
  const compared = areas.map((area): EditionArea => ({ ...area, formerNames: [], areaKm2: areaKm2(area.code) }));
  return makeEdition({ id, published: null }, compared);
}
