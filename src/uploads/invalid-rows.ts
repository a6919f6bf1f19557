import { DomainError } from '../errors.ts';
import { type GeometryFault, pathText } from '../geojson/geometry.ts';
import { fileErrorOf } from './file-errors.ts';
import { FileFault } from './formats/format.ts';
import type { LikelyRow } from './place-areas.ts';

/** Max invalid rows of one file that an error lists. */
const MAX_LISTED = 100;

/** Max invalid rows of a file before reading stops. Each takes ten times as long as a valid one, and more are no slips. */
const MAX_INVALID = 10_000;

/** A row of a table or a feature that can't be stored. */
export interface InvalidRow {
  /** Where it is: `line 7`, `feature 3`. */
  readonly place: string | null;
  /** The column of a table, or the member of a feature. */
  readonly column: string | null;
  /** The beginning of what is there. */
  readonly value: string | null;
  readonly message: string;
}

/** The rows and features that can't be stored: how many, how many can, and the first of them, each once for every cell that is wrong. */
export interface SkippedRows {
  readonly count: number;
  readonly valid: number;
  readonly rows: readonly InvalidRow[];
}

/** What of a file can't be stored. */
export class InvalidRows {
  count = 0;
  /** How many rows and features are valid. */
  valid = 0;
  readonly #rows: InvalidRow[] = [];
  #first: DomainError | undefined;

  /** @throws the fault itself where there are too many */
  add(fault: FileFault | GeometryFault): void {
    this.count += 1;
    const all = fault instanceof FileFault ? [fault, ...fault.others] : [fault];
    this.#rows.push(...all.slice(0, MAX_LISTED - this.#rows.length).map(rowOf));
    this.#first ??= fileErrorOf(fault);
    if (this.isTooMany) throw fault;
  }

  /** Whether the rest of the file is not read. */
  get isTooMany(): boolean {
    return this.count > MAX_INVALID;
  }

  get skipped(): SkippedRows | undefined {
    return this.count === 0 ? undefined : { count: this.count, valid: this.valid, rows: this.#rows };
  }

  /**
   * The error that refuses the file; undefined where nothing is wrong with it, or what is wrong can be left out. A file of
   * nothing else, or with too much of it, is refused in any case.
   *
   * @param skips whether the client wants it left out
   * @param likely what of a table of places would be stored by what it is most like
   */
  refusal(
    skips: boolean,
    likely?: { readonly likely: number; readonly likelyRows: readonly LikelyRow[] },
  ): DomainError | undefined {
    const first = this.#first;
    const canSkip = this.valid > 0 && !this.isTooMany;
    if (!first || (skips && canSkip)) return undefined;
    const others = this.count === 1 ? '' : ` ${this.count - 1} more ${this.count === 2 ? 'is' : 'are'} not valid.`;
    const remedy = canSkip
      ? ` on_invalid=skip stores the other ${this.valid}.`
      : this.isTooMany
        ? ` The rest was not read: at most ${MAX_INVALID} can be left out.`
        : '';
    const toCheck = canSkip &&
      likely &&
      likely.likelyRows.length > 0 && {
        likely_rows: { count: Math.max(likely.likely, likely.likelyRows.length), rows: likely.likelyRows },
      };
    const facts = { ...first.facts, invalid_rows: this.skipped, ...toCheck };
    return new DomainError(first.code, `${first.message}${others}${remedy}`, { facts });
  }
}

function rowOf(fault: FileFault | GeometryFault): InvalidRow {
  if (fault instanceof FileFault) {
    const { message, location = null, cell } = fault;
    return { place: location, column: cell?.column ?? null, value: cell?.value ?? null, message };
  }
  const { path, reason, facts } = fault;
  const [list, index] = path;
  const isListed = list === 'features' && typeof index === 'number';
  const member = pathText(isListed ? path.slice(2) : path);
  const place = facts.location ?? (isListed ? `feature ${index + 1}` : null);
  return { place, column: facts.column ?? (member || null), value: facts.value ?? null, message: reason };
}
