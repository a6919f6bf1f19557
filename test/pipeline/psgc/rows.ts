import type { Release } from '../../../scripts/pipeline/psgc/area.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import { checkRelease } from '../../../scripts/pipeline/psgc/checks.ts';
import { type Publication, type PublishedRow, psaSource } from '../../../scripts/pipeline/psgc/publication.ts';

/** A published row with nothing but what is given. */
export function row(
  level: PublishedRow['level'],
  code: string,
  name: string,
  more: Partial<PublishedRow> = {},
): PublishedRow {
  return {
    at: `test ${code}`,
    code,
    name,
    correspondence: null,
    level,
    formerNames: [],
    cityClass: null,
    urbanRural: null,
    population: null,
    populations: [],
    incomeClass: null,
    notes: [],
    ...more,
  };
}

/** Region I in small: a province with a municipality, a component city and an independent one. */
export const ILOCOS: readonly PublishedRow[] = [
  row('Reg', '0100000000', 'Region I (Ilocos Region)'),
  row('Prov', '0105500000', 'Pangasinan'),
  row('Mun', '0105501000', 'Agno'),
  row('Bgy', '0105501001', 'Allabon', { formerNames: ['Alabon'] }),
  row('City', '0105503000', 'City of Alaminos'),
  row('Bgy', '0105503001', 'Alos'),
  row('Bgy', '0105503002', 'Amandiego'),
  row('City', '0105518000', 'City of Dagupan'),
  row('Bgy', '0105518001', 'Bacayao Norte'),
];

export function publication(rows: readonly PublishedRow[], more: Partial<Publication> = {}): Publication {
  return {
    edition: '3Q 2026',
    source: psaSource('3Q 2026', null),
    rows: [...rows],
    ignored: [],
    repairs: [],
    publishedOn: null,
    censusYears: [],
    problems: [],
    warnings: [],
    summary: [],
    ...more,
  };
}

/** What a small list is refused for. */
export function problemsOf(rows: readonly PublishedRow[], more: Partial<Publication> = {}): string[] {
  return problemsOfRelease(toRelease(publication(rows, more)));
}

export function problemsOfRelease(release: Release): string[] {
  return checkRelease(release).problems.map(({ at, what }) => `${at}: ${what}`);
}

/** What the checks warn of in a small list, besides that most of the country is missing. */
export function warningsOf(rows: readonly PublishedRow[], more: Partial<Publication> = {}): string[] {
  return checkRelease(toRelease(publication(rows, more)))
    .report.warnings.filter(({ what }) => what !== 'is in the hosting table but not in the list')
    .map(({ at, what }) => `${at}: ${what}`);
}
