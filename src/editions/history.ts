import { compareEditions } from '../areas/edition-id.ts';
import { Columns } from '../areas/snapshot/columns.ts';
import { ROW_LEVELS } from '../areas/snapshot/layout.ts';
import type { Area } from '../areas/store.ts';
import type { EncodedLink, EncodedParty, EncodedStep, HistoryEdition, HistoryFacts } from './encoded.ts';
import { byCode, compose, estimatedOf, type Link, type Relation, relationsOf } from './link.ts';
import type { Change, CrosswalkRow } from './schemas.ts';

type AreaLevel = Area['level'];

export interface ChangeFilter {
  /** Range of editions, the earlier first. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly level?: string | undefined;
  readonly kind?: string | undefined;
  /** Any code that an area has or had. */
  readonly code?: string | undefined;
  /** Codes of areas, old ones too: changes of these, and of all that lies or lay in them. */
  readonly within?: readonly string[] | undefined;
}

/** What a code of ten digits is in an edition. */
export interface CodedArea {
  readonly code: string;
  readonly edition: string;
  readonly level: AreaLevel;
  readonly name: string;
  /** Its code of nine digits; null if its lists have none. */
  readonly correspondence: string | null;
}

/** Max number of changes followed from one code of an area to the next. */
const STEPS = 8;

/** The editions (indexes) in which the followed area has a code. In other editions the code can be another area's. */
interface Life {
  readonly code: string;
  readonly since: number;
  readonly until: number;
}

/**
 * The history of PSGC areas over all editions: codes, names and editions in columns; changes and links between
 * consecutive editions.
 */
export class History {
  /** The oldest first. */
  readonly editions: readonly HistoryEdition[];
  readonly #steps: readonly EncodedStep[];
  #allPlaced: readonly PlacedChange[] | undefined;
  /** One row per span of consecutive editions in which a code has the same level and name; by code and edition. */
  readonly #codes: Uint32Array;
  /** Whether it has codes of nine digits: what was published by an earlier build has none. */
  readonly hasCorrespondences: boolean;
  /** Their correspondence codes of nine digits, 0 if none. */
  readonly #correspondences: Uint32Array;
  readonly #levels: Uint8Array;
  readonly #firsts: Uint8Array;
  readonly #lasts: Uint8Array;
  readonly #names: readonly string[];
  /** Aliases and the codes they stand for, by number of digits. */
  readonly #former: Readonly<Record<9 | 10, readonly [Uint32Array, Uint32Array]>>;

  /** @throws Error if the bytes are not a history */
  constructor(bytes: Uint8Array) {
    const columns = new Columns<HistoryFacts>(bytes);
    this.editions = columns.facts.editions;
    this.#codes = columns.uint32('code');
    this.hasCorrespondences = columns.has('correspondence');
    this.#correspondences = this.hasCorrespondences
      ? columns.uint32('correspondence')
      : new Uint32Array(this.#codes.length);
    this.#levels = columns.uint8('level');
    this.#firsts = columns.uint8('first');
    this.#lasts = columns.uint8('last');
    this.#names = columns.text('name').split('\n');
    this.#former = {
      9: [columns.uint32('former_9'), columns.uint32('former_9_of')],
      10: [columns.uint32('former_10'), columns.uint32('former_10_of')],
    };
    this.#steps = JSON.parse(columns.text('steps'));
  }

  /** A page of changes, oldest first, with the total, and counts by kind that ignore the filter `kind`. */
  listChanges(
    { kind, ...filter }: ChangeFilter,
    { page, limit }: { page: number; limit: number },
  ): { total: number; kinds: Record<string, number>; changes: Change[] } {
    const matching = this.#matching(filter);
    const kinds: Record<string, number> = {};
    for (const { change } of matching) kinds[change.kind] = (kinds[change.kind] ?? 0) + 1;
    const found = kind === undefined ? matching : matching.filter(({ change }) => change.kind === kind);
    const shown = found.slice((page - 1) * limit, page * limit);
    return { total: found.length, kinds, changes: shown.map((it) => this.#named(it)) };
  }

  /**
   * All changes of an area under all of its codes, oldest first. If two areas had the requested code: the changes of
   * both.
   *
   * @returns undefined if no edition has or had the code
   */
  changesOf(code: string): Change[] | undefined {
    const own = new Set(this.#codesOf(code));
    if (own.size === 0) return undefined;
    let lives: Life[] = [];
    const isFollowed = ([it]: EncodedParty, edition: number) =>
      own.has(it) || lives.some((life) => life.code === it && life.since <= edition && edition <= life.until);
    for (let step = 1; ; step += 1) {
      const touching = this.#touching(new Set([...own, ...lives.map((life) => life.code)]));
      lives = lives.map((life) => bounded(life, touching, this.editions.length - 1));
      const changes = touching.filter(
        ({ at, change: { from, to } }) =>
          from.some((party) => isFollowed(party, at)) || to.some((party) => isFollowed(party, at + 1)),
      );
      const followed = lives.length;
      // An area with a new code is still the same area. The parts of a divided area are not.
      for (const { at, change } of changes) {
        const [before, after] = [change.from[0], change.to[0]];
        if (!before || !after || change.from.length > 1 || change.to.length > 1) continue;
        if (!isFollowed(after, at + 1)) lives.push({ code: after[0], since: at + 1, until: this.editions.length - 1 });
        if (!isFollowed(before, at)) lives.push({ code: before[0], since: 0, until: at });
      }
      if (lives.length === followed || step === STEPS) return changes.map((it) => this.#named(it));
    }
  }

  /** The rows of a crosswalk, by level and code, for all codes of the edition `from`. */
  *crosswalk(from: string, to: string, levels: readonly string[]): Generator<CrosswalkRow> {
    const rowsOf = this.counterparts(from, to);
    const start = this.#indexOf(from);
    for (const level of levels) for (const row of this.#rowsIn(start, level)) yield* rowsOf(this.#codeAt(row));
  }

  /**
   * The newest edition that has a code of ten digits, with what it is there; undefined if none has.
   *
   * @param until leaves out the editions after this one
   */
  latest(code: string, until?: string): CodedArea | undefined {
    const end = until === undefined ? this.editions.length - 1 : this.#indexOf(until);
    for (let at = end; at >= 0; at -= 1) {
      const row = this.#row(code, at);
      if (row >= 0) return this.#coded(row, at);
    }
    return undefined;
  }

  /** Every code of an edition and of those before it, by code, each as the newest of them has it. */
  *codes(edition: string): Generator<CodedArea> {
    const end = this.#indexOf(edition);
    for (const row of this.#newestRows(end)) yield this.#coded(row, Math.min(this.#lasts[row] as number, end));
  }

  countCodes(edition: string): number {
    let count = 0;
    for (const _ of this.#newestRows(this.#indexOf(edition))) count += 1;
    return count;
  }

  /** The newest row of each code, of those up to an edition. */
  *#newestRows(end: number): Generator<number> {
    for (let row = 0, next = 0; row < this.#codes.length; row = next) {
      let newest = -1;
      for (next = row; this.#codes[next] === this.#codes[row]; next += 1)
        if ((this.#firsts[next] as number) <= end) newest = next;
      if (newest >= 0) yield newest;
    }
  }

  /** The codes of ten digits that have a correspondence code. */
  codesOfCorrespondence(nine: string): string[] {
    const number = Number(nine);
    const found = new Set<number>();
    const rows = this.#correspondences;
    // Zero stands for none.
    for (let row = number === 0 ? -1 : rows.indexOf(number); row !== -1; row = rows.indexOf(number, row + 1))
      found.add(this.#codes[row] as number);
    return [...found].map(tenDigits);
  }

  #coded(row: number, edition: number): CodedArea {
    const nine = this.#correspondences[row] as number;
    return {
      code: this.#codeAt(row),
      edition: this.#idOf(edition),
      level: ROW_LEVELS[this.#levels[row] as number] as AreaLevel,
      name: this.#names[row] ?? '',
      correspondence: nine === 0 ? null : String(nine).padStart(9, '0'),
    };
  }

  /** The rows of a crosswalk for a code of the edition `from`. */
  counterparts(from: string, to: string): (code: string) => CrosswalkRow[] {
    const [start, end] = [this.#indexOf(from), this.#indexOf(to)];
    const { links, lost } = this.#linksBetween(start, end);
    // An area of the second edition that keeps its code is made of its former self too.
    const reached = [...new Set(links.map((link) => link.to))];
    const linked = new Set(links.map((link) => link.from));
    const same = reached.filter((code) => !linked.has(code) && !lost.has(code) && this.#row(code, start) >= 0);
    const renamed = this.#renamedBetween(start, end);
    const related = relationsOf(
      [...links, ...same.map((code) => identity(code, this.#levelOf(code, start)))],
      (code) => renamed.has(code) && this.#nameOf(code, start) !== this.#nameOf(code, end),
    );
    const byFrom = Map.groupBy(related, ({ link }) => link.from);
    return (code) => {
      const own = { from_code: code, from_name: this.#nameOf(code, start) ?? '' };
      if (lost.has(code)) return [{ ...own, ...NOTHING }];
      const found = byFrom.get(code);
      if (found) return this.#related(found, own, end);
      return [{ ...own, ...UNCHANGED, to_code: code, to_name: this.#nameOf(code, end) ?? null }];
    };
  }

  #related(
    related: readonly { link: Link; relation: Relation }[],
    own: Pick<CrosswalkRow, 'from_code' | 'from_name'>,
    end: number,
  ): CrosswalkRow[] {
    return related
      .toSorted((a, b) => b.link.area - a.link.area || (a.link.to < b.link.to ? -1 : 1))
      .map(({ link, relation }) => ({
        ...own,
        to_code: link.to,
        to_name: this.#nameOf(link.to, end) ?? null,
        relation,
        weight_area: link.area,
        weight_population: link.population,
        basis: link.basis,
        estimated: estimatedOf(link),
      }));
  }

  /**
   * The links from one edition to another, composed step by step, without areas whose code and land stay. `lost`: codes
   * of which nothing is known in the second edition.
   */
  #linksBetween(start: number, end: number): { links: Link[]; lost: Set<string> } {
    const isForward = start < end;
    let links: Link[] = [];
    const lost = new Set<string>();
    for (let at = start; at !== end; at += isForward ? 1 : -1) {
      const step = this.#steps[isForward ? at : at - 1];
      const encoded = (isForward ? step?.forward : step?.backward) ?? [];
      const level = (code: string) => this.#levelOf(code, at);
      const next = byCode(
        encoded.map((link) => decoded(link, level(link[0]))),
        'from',
      );
      // Areas that no step has changed so far, and areas that this step does not change, keep their code.
      const linked = new Set(links.map((link) => link.from));
      const first = [...next.keys()].filter(
        (code) => !linked.has(code) && !lost.has(code) && this.#row(code, start) >= 0,
      );
      const before = [...links, ...first.map((code) => identity(code, this.#levelOf(code, start)))];
      const reached = new Set(before.map((link) => link.to));
      const stay = [...reached].filter((code) => !next.has(code)).map((code) => identity(code, level(code)));
      const changed = [...next.values()].flat().filter((link) => link.to !== '');
      links = compose(before, [...changed, ...stay]);
      const found = new Set(links.map((link) => link.from));
      for (const { from } of before) if (!found.has(from)) lost.add(from);
    }
    return { links, lost };
  }

  /** The codes of areas that were renamed between two editions. */
  #renamedBetween(start: number, end: number): Set<string> {
    const steps = this.#steps.slice(Math.min(start, end), Math.max(start, end));
    const renamings = steps.flatMap(({ changes }) => changes.filter(({ kind }) => kind === 'renamed'));
    return new Set(renamings.flatMap(({ from, to }) => [...from, ...to].map(([code]) => code)));
  }

  /** The newest name of the area with a code of any edition; undefined if no edition has or had the code. */
  nameOfCode(code: string): string | undefined {
    const [found] = this.#codesOf(code).flatMap((it) => this.latest(it) ?? []);
    return found?.name;
  }

  /** What the codes of an area and of all that lies in it begin with, under all codes that it had. */
  #prefixesOf(code: string): string[] {
    const moved = (this.changesOf(code) ?? []).filter(({ from, to }) => from.length === 1 && to.length === 1);
    const codes = moved.flatMap(({ from, to }) => [...from, ...to].map((party) => party.code));
    return [...new Set([...this.#codesOf(code), ...codes])].map(significant);
  }

  #matching({ from, to, level, code, within }: Omit<ChangeFilter, 'kind'>): PlacedChange[] {
    const prefixes = within && [...new Set(within.flatMap((it) => this.#prefixesOf(it)))];
    const codes = code === undefined ? undefined : new Set(this.#codesOf(code));
    return this.#placed().filter(
      ({ at, change }) =>
        (from === undefined || compareEditions(this.#idOf(at), from) >= 0) &&
        (to === undefined || compareEditions(this.#idOf(at + 1), to) <= 0) &&
        (level === undefined || change.level === level) &&
        (codes === undefined || hasAny(change, codes)) &&
        (prefixes === undefined || prefixes.some((prefix) => lies(change, prefix))),
    );
  }

  #touching(codes: ReadonlySet<string>): PlacedChange[] {
    return this.#placed().filter(({ change }) => hasAny(change, codes));
  }

  #placed(): readonly PlacedChange[] {
    this.#allPlaced ??= this.#steps.flatMap(({ changes }, at) => changes.map((change) => ({ at, change })));
    return this.#allPlaced;
  }

  #named({ at, change: { kind, level, from, to, basis, note } }: PlacedChange): Change {
    const party =
      (edition: number) =>
      ([code, share]: EncodedParty) => ({
        code,
        name: this.#nameOf(code, edition) ?? '',
        share,
      });
    return {
      kind: kind as Change['kind'],
      level,
      from: from.map(party(at)),
      to: to.map(party(at + 1)),
      from_edition: this.#idOf(at),
      to_edition: this.#idOf(at + 1),
      basis,
      note,
    };
  }

  /** The ten-digit codes that a code of any edition stands for. */
  #codesOf(code: string): string[] {
    const found = new Set<number>();
    const number = Number(code);
    if (code.length === 9 || code.length === 10) {
      const [aliases, codes] = this.#former[code.length];
      for (const [i, alias] of aliases.entries()) if (alias === number) found.add(codes[i] as number);
      // An area that moves to another region keeps its last eight digits. The region must exist or have existed.
      const local = Number(code.slice(2));
      const hasRegion = this.#codes.includes(Number(code.slice(0, 2)) * 1e8);
      for (const it of this.#codes) {
        if ((code.length === 10 && it === number) || (hasRegion && local > 0 && it % 1e8 === local)) found.add(it);
      }
    }
    return [...found].map(tenDigits);
  }

  #idOf(edition: number): string {
    return this.editions[edition]?.id ?? '';
  }

  /** @throws Error if there is no such edition */
  #indexOf(id: string): number {
    const index = this.editions.findIndex((it) => it.id === id);
    if (index === -1) throw new Error(`The history has no edition ${id}`);
    return index;
  }

  #codeAt(row: number): string {
    return tenDigits(this.#codes[row] as number);
  }

  /** The row of a code in an edition; -1 if absent. */
  #row(code: string, edition: number): number {
    const number = Number(code);
    let [low, high] = [0, this.#codes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#codes[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    for (let row = low; this.#codes[row] === number; row += 1) if (this.#isIn(row, edition)) return row;
    return -1;
  }

  #isIn(row: number, edition: number): boolean {
    return (this.#firsts[row] as number) <= edition && edition <= (this.#lasts[row] as number);
  }

  *#rowsIn(edition: number, level: string): Generator<number> {
    const wanted = (ROW_LEVELS as readonly string[]).indexOf(level);
    for (let row = 0; row < this.#codes.length; row += 1) {
      if (this.#levels[row] === wanted && this.#isIn(row, edition)) yield row;
    }
  }

  #nameOf(code: string, edition: number): string | undefined {
    return this.#names[this.#row(code, edition)];
  }

  #levelOf(code: string, edition: number): AreaLevel {
    return ROW_LEVELS[this.#levels[this.#row(code, edition)] as number] as AreaLevel;
  }
}

/** A change between the editions `at` and `at + 1`. */
interface PlacedChange {
  readonly at: number;
  readonly change: EncodedStep['changes'][number];
}

const NOTHING = {
  to_code: null,
  to_name: null,
  relation: 'none',
  weight_area: null,
  weight_population: null,
  basis: 'code',
  estimated: null,
} as const;

const UNCHANGED = {
  relation: 'same',
  weight_area: 1,
  weight_population: 1,
  basis: 'code',
  estimated: null,
} as const;

function tenDigits(code: number): string {
  return String(code).padStart(10, '0');
}

function hasAny({ from, to }: PlacedChange['change'], codes: ReadonlySet<string>): boolean {
  return from.some(([code]) => codes.has(code)) || to.some(([code]) => codes.has(code));
}

/** The digits of a code that the codes of all that lies in the area begin with. */
function significant(code: string): string {
  return code.replace(/(?:0{8}|(?<=^.{5})0{5}|(?<=^.{7})0{3})$/, '');
}

function lies({ from, to }: PlacedChange['change'], prefix: string): boolean {
  return [...from, ...to].some(([code]) => code.startsWith(prefix));
}

/** The life cut to begin when the area gets its code and to end when it loses it, as far as the changes show. */
function bounded({ code, since, until }: Life, changes: readonly PlacedChange[], last: number): Life {
  const names = (parties: readonly EncodedParty[]) => parties.some(([it]) => it === code);
  const leaving = changes.find(({ at, change: { from, to } }) => names(from) && !names(to) && at >= since);
  const arriving = changes.findLast(({ at, change: { from, to } }) => names(to) && !names(from) && at + 1 <= until);
  return {
    code,
    since: since === 0 && arriving ? arriving.at + 1 : since,
    until: until === last && leaving ? leaving.at : until,
  };
}

/** The link of an area whose code and land stay. */
function identity(code: string, level: AreaLevel): Link {
  return decoded([code, code, 1, 1, null, 'code'], level);
}

function decoded([from, to, area, population, estimated, basis]: EncodedLink, level: AreaLevel): Link {
  const areaEstimated = estimated === 'area' || estimated === 'both';
  const populationEstimated = estimated === 'population' || estimated === 'both';
  return { level, from, to, area, population, areaEstimated, populationEstimated, basis };
}
