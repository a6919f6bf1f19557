import { passedColumn } from '../../src/names/passed-over.ts';
import { nameDifferences, withProvince } from './differences.ts';
import { FIELDS, foundIn, type Group, type Place } from './groups.ts';

/** No line says more. */
const MAX_REASONS = 2;

/** Why a place is only likely, in a few words: `spelled differently, province by another name`. */
export function reasonFor({ fields, outcome }: Pick<Group, 'fields' | 'outcome'>): string {
  const place = foundIn(outcome);
  if (!place || !outcome) return '';
  if (outcome.notes.some((note) => note.endsWith(`; it lies in ${place.name}.`))) return 'a part of it';
  const named = nameDifferences(fields, place).map(({ level, isAlike }) => {
    const what = level === place.level ? '' : `${nounOf(level, place)} `;
    return what + (isAlike ? 'spelled differently' : 'by another name');
  });
  const reasons = [...outcome.notes.map(shortOf), ...named];
  const cells = withProvince(fields);
  if (cells !== fields) reasons.push('two names in one cell');
  const hasParents = fields.text !== undefined || FIELDS.filter((field) => cells[field] !== undefined).length > 1;
  if (!hasParents && place.level !== 'region' && place.level !== 'province') reasons.push('no province given');
  return [...new Set(reasons)].slice(0, MAX_REASONS).join(', ') || 'not as it is published';
}

/** What a note of the service says, in a few words. The line that is open has the whole note. */
function shortOf(note: string): string {
  const column = passedColumn(note);
  if (column !== undefined) return column === 'barangay' ? 'another barangay' : `${nounOf(column)} not as written`;
  if (/ was passed over[.:]/.test(note)) return 'not all words used';
  if (note.includes('the other way round')) return 'columns read the other way round';
  if (note.startsWith('code ')) return 'code not known';
  if (note.startsWith('ZIP code')) return 'by its ZIP code';
  return 'see the note';
}

/** What a level is called in a sentence. Of a place, one with the word in its name is a city. */
function nounOf(level: Place['level'], place?: Place): string {
  if (level !== 'municity') return level === 'submunicipality' ? 'district' : level;
  const name = place?.ancestors.find((one) => one.level === level)?.name;
  return name === undefined || /\bcity\b/i.test(name) ? 'city' : 'municipality';
}
