import type { NameLevel } from '../names/source.ts';

/** What is answered to the rows of the example of a request. */
export const MATCHED_ROWS = [
  exampleOf('1', 1, [
    { code: '0400000000', level: 'region', name: 'Region IV-A (CALABARZON)' },
    { code: '0402100000', level: 'province', name: 'Cavite' },
    { code: '0402106000', level: 'municity', name: 'City of Dasmariñas' },
    { code: '0402106019', level: 'barangay', name: 'Zone IV' },
  ]),
  exampleOf('2', 0.991, [
    { code: '1300000000', level: 'region', name: 'National Capital Region (NCR)' },
    { code: '1380300000', level: 'municity', name: 'City of Makati' },
    { code: '1380300020', level: 'barangay', name: 'Poblacion' },
  ]),
];

/** @param line of the place, from the region down, with itself */
function exampleOf(id: string, score: number, line: { code: string; level: NameLevel; name: string }[]) {
  const [ancestors, found] = [line.slice(0, -1), line.at(-1)];
  const candidates = [{ since: null, until: null, ...found, score, ancestors }];
  return { id, match: 'exact', ...found, score: 1, ancestors, candidates, notes: [] };
}

/** The first lines of an answer as a table. */
export const MATCHED_TABLE =
  'Province,Town,Barangay,psgc_code,psgc_level,psgc_name,psgc_match,psgc_score,psgc_candidates\nCebu,Argao,Pob.,0702205035,barangay,Poblacion,exact,1,\n';
