import { DomainError } from '../errors.ts';
import { LEVEL_NAMES } from './level-names.ts';
import { lacksZero } from './psgc.ts';
import type { Area, BoundarySet, CodeLookup, Level, Parent } from './store.ts';

/**
 * The current code of the area that a lookup led to.
 *
 * @param edition the requested edition; undefined where none was requested
 * @throws DomainError as `refusalOf`
 */
export function requireCurrentCode(level: Level, requested: string, lookup: CodeLookup, edition?: string): string {
  if (lookup.code === null) throw refusalOf(level, requested, lookup, edition);
  return lookup.code;
}

/**
 * The error for a code that leads to no current area of a level: `area_abolished` with its `successors`, or `area_not_found` with
 * what the code names instead, where it names anything.
 */
export function refusalOf(
  level: Level,
  requested: string,
  { successors, otherLevel }: CodeLookup,
  edition?: string,
): DomainError {
  const { noun, plural } = LEVEL_NAMES[level];
  if (successors) {
    const now =
      successors.length === 0
        ? 'Nothing is known to have taken its place'
        : successors.length === 1
          ? `Its successor is ${successors[0]}`
          : `Its successors are ${successors.join(', ')}`;
    return new DomainError('area_abolished', `The ${noun} ${requested} was abolished. ${now}.`, {
      facts: {
        successors: successors.map((successor) => ({ code: successor, href: `/v1/${plural}/${successor}` })),
      },
    });
  }
  const where = edition === undefined ? '' : ` in the edition ${edition}`;
  const hints = [
    otherLevel ? insteadOf(requested, otherLevel) : '',
    hintOfCode(requested),
    edition === undefined ? '' : ` /v1/changes/${requested} tells what is known of it in others.`,
  ];
  return new DomainError('area_not_found', `No ${noun} has the PSGC code ${requested}${where}.${hints.join('')}`);
}

/** Rows of the list that are headings: they have a code and no level. */
const HEADINGS: Readonly<Record<string, string>> = {
  '0990100000': ' It is a heading of the list: the City of Isabela is /v1/municities/0990101000.',
  '1999900000':
    ' It is a heading of the list: the municipalities of the Special Geographic Area have codes that begin with 19999.',
};

/** What to add to an error where a code is a heading's or seems to have lost its leading zero; empty where it does not. */
export function hintOfCode(code: string): string {
  return HEADINGS[code] ?? (lacksZero(code) ? ` Codes are text of ten digits: was it 0${code}?` : '');
}

function insteadOf(
  requested: string,
  { level, name, parent }: { level: Area['level']; name: string; parent: string | null },
): string {
  if (level === 'submunicipality') {
    return ` It is ${name}, a sub-municipality of ${parent}: see /v1/municities/${requested}.`;
  }
  const { noun, plural } = LEVEL_NAMES[level];
  return ` It is ${name}, a ${noun}: see /v1/${plural}/${requested}.`;
}

/**
 * @param municity what was given as a filter
 * @param candidates the areas that its name could mean
 * @throws DomainError `ambiguous_name` where there are several
 */
export function requireOneMunicity(municity: Parent | undefined, candidates: { code: string; name: string }[]): void {
  if (candidates.length < 2 || !municity || !('name' in municity)) return;
  throw new DomainError(
    'ambiguous_name',
    `The name "${municity.name}" belongs to ${candidates.length} cities and municipalities. Give municity_code instead: one of ${candidates.map(({ code }) => code).join(', ')}.`,
    { facts: { candidates } },
  );
}

/**
 * @param edition the requested edition, which may never have boundaries; undefined where none was requested
 * @throws DomainError `boundaries_not_loaded` unless boundaries are good enough to say what lies where
 */
export function requireBoundaries(set: BoundarySet, edition?: string): void {
  if (set === 'full') return;
  const why = set === 'display' ? 'only coarse boundaries for display' : 'no boundaries';
  const message =
    edition === undefined
      ? `There are ${why} here. The operator has to load detailed ones.`
      : `The edition ${edition} has ${why} here. Ask without "edition" for those of today.`;
  throw new DomainError('boundaries_not_loaded', message);
}
