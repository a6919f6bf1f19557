import { type CodeMatch, codeIn, namesOfCode, rowsOfCode } from './codes.ts';
import { explain, hasLeft, namesIt } from './explain.ts';
import { fold } from './fold.ts';
import type { NameIndex } from './index.ts';
import { passedColumn } from './passed-over.ts';
import { filled } from './rearranged.ts';
import { isRecorded, unrecorded } from './recorded.ts';
import {
  atMostLikely,
  candidateOf,
  FIELDS,
  type Field,
  type Fields,
  isDecided,
  isFiner,
  type Match,
  meant,
  NO_MATCH,
  quoted,
} from './result.ts';
import type { Column } from './source.ts';
import { matchText } from './texts.ts';

// Codes in the cells of a row, alone or beside names, and what they say of its result.

/** A code beside a name. One of nine digits may have lost its first zero. */
const CODE_BESIDE = /(?<!\d)\d{8,10}(?!\d)/g;

/**
 * The result of a row with what the codes beside names in its cells add: `Datag (0102812006)`. The code of an area within the
 * result is followed; that of another area makes the result ambiguous.
 */
function withCodesBeside(index: NameIndex, fields: Fields, { match, area }: { match: Match; area: number }): Match {
  let result = match;
  for (const [field, text] of Object.entries(fields)) {
    const code = codeIn(text) === undefined ? text.match(CODE_BESIDE)?.[0] : undefined;
    const areas = code === undefined ? [] : rowsOfCode(index, code);
    if (areas.length === 0 || areas.some((it) => index.isIn(area, it))) continue;
    const within = areas.filter((it) => index.isIn(it, area));
    const [only] = within;
    const all = (within.length > 0 ? within : areas).map((it) => candidateOf(index, it, 1));
    const note = `${field} ${quoted(code as string)} is the code of ${all.map(({ name }) => name).join(' and of ')}.`;
    if (only !== undefined && within.length === 1) {
      result = atMostLikely({ ...match, ...meant(index, 'likely', [{ row: only, score: 1 }]), notes: match.notes }, [
        note,
      ]);
    } else {
      const candidates = [...match.candidates.slice(0, 3), ...all.slice(0, 3)];
      const notes = [...match.notes, note];
      return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates, needs: match.level, notes };
    }
  }
  return result;
}

/** A result that was found with names in place of the row's codes, explained by the codes themselves. */
export function explainedAsGiven(index: NameIndex, fields: Fields, match: Match): Match {
  if (match.code === null || match.level === null) return match;
  const area = index.rowOf(match.level, match.code);
  const { text: _, ...columns } = fields;
  if (!Object.values(columns).some(codeIn)) return withCodesBeside(index, fields, { match, area });
  const { matched, notes } = explain(index, columns, area);
  const own = match.notes.filter((note) => passedColumn(note) === undefined);
  const all = atMostLikely({ ...match, matched, notes: [] }, notes);
  return withCodesBeside(index, fields, { match: { ...all, notes: [...all.notes, ...own] }, area });
}

/** The result of a code, with what in its row contradicts it. */
export function explainedCode(index: NameIndex, fields: Fields, { match, rows, field }: CodeMatch): Match {
  const [area] = rows;
  if (area === undefined || rows.length > 1) return match;
  const { text, municity, ...others } = { ...fields, [field]: undefined };
  // Old codes come with the cities of their time.
  const isOld = municity !== undefined && hasLeft(index, municity, area);
  const code = codeIn(fields[field]) as string;
  const named = filled(isOld ? others : { ...others, municity });
  const { matched, notes } = explain(index, named, area, { isStrict: true });
  const { candidates } = text === undefined ? NO_MATCH : matchText(index, { text, columns: {} });
  if (
    text !== undefined &&
    candidates.length > 0 &&
    !namesIt(index, text, area) &&
    !candidates.some((it) => index.areRelated(index.rowOf(it.level, it.code), area))
  ) {
    notes.push(`text ${quoted(text)} was passed over: it contradicts the code of ${index.source.nameOf(area)}.`);
  }
  if (!isRecorded(index, code, area)) notes.push(unrecorded(index, { field, code, area }));
  return atMostLikely({ ...match, matched: { ...matched, ...match.matched } }, notes);
}

/**
 * The result of a row whose finest column has a code that leads to no single area. An area of a coarser level is not what the
 * row means.
 *
 * @param column the column of the code; undefined where there is none
 */
export function withUnknownCode(
  index: NameIndex,
  match: Match,
  { fields, column }: { fields: Fields; column: Column | undefined },
): Match {
  if (column === undefined || !isDecided(match) || match.level === null) return match;
  if (!isFiner(column, match.level)) return match;
  const { length } = rowsOfCode(index, codeIn(fields[column]) ?? '');
  const note = `${column} "${fields[column]}" is ${length > 1 ? 'the code of several areas' : 'no known code'}.`;
  return { ...match, match: 'ambiguous', needs: column, notes: [...match.notes, note] };
}

/** The fields with names in place of codes: those of the code's area and of its parents. Unknown codes are left out. */
export function withNamesForCodes(index: NameIndex, fields: Fields): Fields {
  const named: { [field in Field]?: string } = {};
  let parents: Fields = {};
  for (const field of FIELDS) {
    const value = fields[field];
    if (value === undefined) continue;
    const code = codeIn(value);
    if (code !== undefined) parents = { ...parents, ...namesOfCode(index, code) };
    else {
      const name = value.replace(CODE_BESIDE, ' ').trim();
      if (fold(name) !== '') named[field] = name;
    }
  }
  return { ...named, ...parents };
}
