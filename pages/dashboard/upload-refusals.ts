import type { InvalidRows, JsonOf } from '../../clients/typescript/src/types.ts';
import { PsgcError, unanswered } from '../shared/api.ts';
import { number, size } from '../shared/format.ts';
import type { UploadFormat } from './upload-formats.ts';

/** Why a file was not stored, in the words of the page. */
export interface Refusal {
  readonly title: string;
  /** What is wrong, as the service says it. */
  readonly detail: string;
  /** Where in the file it is: `line 4`. */
  readonly location: string | undefined;
  /** What the file says there. */
  readonly excerpt: string | undefined;
  /** The rows or features that are not valid, if the file is refused for these alone. */
  readonly invalid: InvalidRows | undefined;
  /** Whether rows name no place, or one of several. */
  readonly isUndecided: boolean;
  /** Whether no column of a table is known to have coordinates or places. */
  readonly lacksColumns: boolean;
  /** The rows that would be stored by what they are most like. */
  readonly likely: LikelyRows | undefined;
  /** Whether the others can be stored without these. */
  readonly canSkip: boolean;
  /** The layers of the file, of which one can be read. */
  readonly layers: readonly string[];
  /** The way out. */
  readonly remedy: string;
  /** Whether the same file may be taken another time, or without its features. */
  readonly next: 'again' | 'file-only' | undefined;
}

/** Rows of a table of places whose place is clearly the best, and not the only one: how many, and the first of them. */
export interface LikelyRows {
  readonly count: number;
  readonly rows: NonNullable<NonNullable<JsonOf<'upload_dataset'>['meta']>['places']>['likely_rows'];
}

interface Refused {
  readonly file: File;
  readonly format: UploadFormat | undefined;
}

/** Says why a file was refused, with the location in it and the way out. */
export async function refusalOf(error: unknown, { file, format }: Refused): Promise<Refusal> {
  const fault = error instanceof PsgcError ? error : unanswered(String((error as Error).message));
  const { message } = fault;
  const found = fault.status === 422 ? await locationIn(file, message, format?.isText === true) : undefined;
  const invalid = fault.details.invalid_rows as InvalidRows | undefined;
  const likely = fault.details.likely_rows as LikelyRows | undefined;
  const isUndecided = UNDECIDED.test(message);
  const layers = (fault.details.layers ?? []) as readonly string[];
  // The page lists the others, and offers to leave them out.
  const canSkip = message.includes(' on_invalid=skip ');
  const first = message.replace(
    /( \d+ more (is|are) not valid\.)?( (on_invalid=skip|The rest was not read) ?.*)?$/,
    '',
  );
  const advice = ADVICE.find(({ said }) => said.test(first));
  const whole = first.replace(/^file: (features\[\d+\]: )?/, '').replace(found?.said ?? '', '');
  const detail = sentence(advice ? whole.replace(advice.said, '') : whole);
  const lacksColumns = advice?.isOfColumns === true;
  const words = {
    ...wordsFor(fault, file, format),
    ...(advice && { remedy: advice.remedy }),
    ...(invalid && invalid.valid > 0 && rowsWords(invalid, file, format)),
    ...(isUndecided && { title: undecidedTitle(file), remedy: DECIDE }),
    ...(layers.length > 0 && { title: severalTitle(file, format), detail: '', remedy: CHOOSE }),
  };
  return {
    detail,
    location: found?.location,
    excerpt: found?.excerpt,
    invalid,
    isUndecided,
    lacksColumns,
    likely,
    canSkip,
    layers,
    ...words,
  };
}

/** What the service says of a row that names no place, or one of several. */
const UNDECIDED = /^file: (names no|may be )/;

const KEEP = 'or keep the file only, without its features. Nothing is stored yet.';

/** What messages advise in parameters of the API, and what there is to do on the page in their place. */
const ADVICE: readonly { said: RegExp; remedy: string; isOfColumns?: true }[] = [
  {
    said: /, which place_columns may name|: add it, or name columns of places in place_columns/,
    remedy: `Choose the columns on Match; or give them such headings, and choose the file again; ${KEEP}`,
    isOfColumns: true,
  },
  {
    said: /(?:[;:]| If its coordinates are not in degrees,) send (?:[^.;]* )?srid\b[^.;]*/,
    remedy: `Save it in WGS 84 (EPSG:4326), in degrees, and choose it again, ${KEEP}`,
  },
];

const DECIDE = 'Match lets you decide each of these rows, and makes a map of all. Nothing is stored yet.';

function undecidedTitle({ name }: File): string {
  return `Some rows of ${name} don’t say which place they are of.`;
}

/** What a file is refused for whose other rows can be read. */
function rowsWords({ count, valid }: InvalidRows, { name }: File, format: UploadFormat | undefined) {
  const what = format && TABLES.has(format.name) ? 'rows' : 'features';
  const has = count === 1 ? 'has' : 'have';
  return {
    title: `${number(count)} of ${number(count + valid)} ${what} of ${name} ${has} a problem.`,
    remedy: 'Correct them and choose the file again, or leave them out. Nothing is stored yet.',
  };
}

const TABLES: ReadonlySet<string> = new Set(['CSV', 'workbook']);

const CHOOSE = 'Choose the one to read. Nothing is stored yet.';

function severalTitle({ name }: File, format: UploadFormat | undefined): string {
  return `${name} has several ${format?.name === 'workbook' ? 'sheets' : 'layers'}.`;
}

type Words = Pick<Refusal, 'title' | 'remedy' | 'next'> & Partial<Pick<Refusal, 'detail'>>;

function wordsFor(fault: PsgcError, { name, size: bytes }: File, format: UploadFormat | undefined): Words {
  const wait =
    fault.retryAfter === undefined ? 'a moment' : `${fault.retryAfter} second${fault.retryAfter === 1 ? '' : 's'}`;
  switch (fault.code) {
    case 'invalid_file':
      return {
        title: `${name} can’t be read as ${format?.name ?? 'what its name says'}.`,
        remedy: `Correct it there and choose it again, ${KEEP}`,
        next: 'file-only',
      };
    case 'invalid_geometry':
      return {
        title: `A shape in ${name} is not valid.`,
        remedy: `Correct it there and choose it again, ${KEEP}`,
        next: 'file-only',
      };
    case 'unsupported_srid':
      return {
        title: `The coordinates of ${name} are in a reference system that is not known here.`,
        remedy: `Save it in WGS 84 (EPSG:4326) and choose it again, ${KEEP}`,
        next: 'file-only',
      };
    case 'unsupported_file_type':
      return { title: `No features can be read from ${name}.`, remedy: 'Keep the file only.', next: 'file-only' };
    case 'file_too_large': {
      const most = Number(/(\d+) bytes/.exec(fault.message)?.[1]);
      return {
        title: `${name} is too large: ${size(bytes)}${most ? ` of ${size(most)} that a file may have` : ''}.`,
        detail: '',
        remedy: 'Split it, or leave out what you do not need. Nothing of it is stored.',
        next: undefined,
      };
    }
    case 'quota_exceeded':
      return {
        title: 'Your account has no room for it.',
        detail: roomIn(fault.details),
        remedy: 'Delete datasets that you no longer need, and send it again.',
        next: 'again',
      };
    default:
      return {
        title: `${name} was not stored.`,
        // The remedy says when.
        detail: sentence(fault.message.replace(/ ?Try again in [^.]+\.$/, '')),
        remedy:
          fault.status === undefined
            ? 'Check the connection, and send it again. Nothing of it is stored.'
            : `Send it again in ${wait}. Nothing of it is stored.`,
        next: 'again',
      };
  }
}

function roomIn({ used_bytes: used, allowed_bytes: allowed }: PsgcError['details']): string {
  return `${size(Number(used))} of ${size(Number(allowed))} are in use.`;
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/[\s.,:]+$/, '');
  return trimmed === '' ? '' : `${trimmed}.`;
}

/** Finds the location that a message names. `said` is how the message names it; undefined where more is said there. */
async function locationIn(
  file: File,
  message: string,
  isText: boolean,
): Promise<{ location: string; excerpt?: string; said?: string } | undefined> {
  const said = / \((?:from )?(?:line|byte) \d+\)/.exec(message)?.[0];
  const line = Number(/\(line (\d+)/.exec(message)?.[1]) || undefined;
  const byte = /\((?:from )?byte (\d+)\)/.exec(message)?.[1];
  const feature = Number(/features\[(\d+)\]/.exec(message)?.[1] ?? Number.NaN);
  const nth = Number.isNaN(feature) ? '' : `feature ${feature + 1}, `;
  if (line !== undefined) {
    const excerpt = isText ? await textOfLine(file, line) : undefined;
    return { location: `${nth}line ${line}`, ...(excerpt ? { excerpt } : {}), ...(said ? { said } : {}) };
  }
  if (byte !== undefined && isText) {
    const at = Number(byte);
    const from = Math.max(0, at - 30);
    const excerpt = (await file.slice(from, at + 60).text()).replace(/\s+/g, ' ').trim();
    const location = `${nth}line ${(await countLines(file.slice(0, at))) + 1}`;
    return {
      location,
      ...(excerpt ? { excerpt: from > 0 ? `… ${excerpt}` : excerpt } : {}),
      ...(said ? { said } : {}),
    };
  }
  const part = /feature (\d+)|record (\d+)/.exec(message)?.[0];
  return nth !== '' ? { location: nth.replace(', ', '') } : part === undefined ? undefined : { location: part };
}

const NEWLINE = 10;
/** How much of a line is shown, bytes. */
const MAX_LINE_BYTES = 160;

async function countLines(part: Blob): Promise<number> {
  let lines = 0;
  await eachChunk(part, (chunk) => {
    for (const byte of chunk) if (byte === NEWLINE) lines += 1;
    return true;
  });
  return lines;
}

/** @param line its number; the first is 1 */
async function textOfLine(file: File, line: number): Promise<string> {
  let before = line - 1;
  let start = 0;
  await eachChunk(file, (chunk, offset) => {
    for (let i = 0; i < chunk.length && before > 0; i += 1) {
      if (chunk[i] !== NEWLINE) continue;
      before -= 1;
      start = offset + i + 1;
    }
    return before > 0;
  });
  if (before > 0) return '';
  const [text = ''] = (await file.slice(start, start + MAX_LINE_BYTES).text()).split(/\r?\n/);
  return text;
}

/** @param take called with each chunk and where it begins, until it gives false */
async function eachChunk(part: Blob, take: (chunk: Uint8Array, offset: number) => boolean): Promise<void> {
  const reader = part.stream().getReader();
  let offset = 0;
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    if (!take(value, offset)) break;
    offset += value.length;
  }
  await reader.cancel();
}
