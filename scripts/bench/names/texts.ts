import { aliases, districts } from '../../../src/names/aliases.ts';
import { slipsBetween } from '../../../src/names/edits.ts';
import type { Release } from '../../pipeline/psgc/area.ts';
import { type History, localCode } from '../../pipeline/psgc/history.ts';
import { foreignNames } from './abroad.ts';
import { DAMAGES } from './damage.ts';
import { arabicOf, letters, plain, WRITTEN_OUT } from './lists.ts';
import { Random } from './random.ts';

/** A row with the areas that it may mean; no area may be called sure if there are several or none. */
interface Question {
  readonly row: { readonly municity?: string; readonly barangay?: string; readonly text?: string };
  readonly codes: readonly string[];
  /** The city or municipality that is sure, where an undecided result may name it. */
  readonly town?: string;
}

/** Rows of one kind. */
export interface QuestionList {
  readonly kind: string;
  readonly questions: readonly Question[];
  /** Required share of right results; undefined if only wrong ones count. */
  readonly goal?: number;
  /** Allowed share of all rows that are likely and wrong; undefined if it is that of the right ones which all kinds have. */
  readonly allowed?: number;
}

type Area = Release['areas'][number];

/** The names of a barangay and its ancestors, by the first letters of the levels. */
type Names = Readonly<Record<'B' | 'M' | 'P', string>>;

const ORDERS = ['BMP', 'BPM', 'MBP', 'MPB', 'PBM', 'PMB'] as const;
const SEPARATORS: readonly (readonly [string, string])[] = [
  ['commas', ', '],
  ['slashes', '/'],
  ['dashes', ' - '],
  ['line breaks', '\n'],
  ['nothing', ' '],
];

const CAPITAL = 'Metro Manila';

/**
 * Makes rows of places as forms and people write them, of the areas of all editions and a seed: parts in any order and with
 * any separators, single names, names that were given to other places before, and places that lie in no province.
 */
export function makeTexts(release: Release, history: History, options: { seed: number; rows: number }): QuestionList[] {
  const random = new Random(options.seed);
  const country = new Places(release, history);
  const barangays = Array.from({ length: options.rows }, () => random.pick(country.named));
  const lists: QuestionList[] = [];
  const add = (kind: string, questions: readonly Question[], goal?: number) =>
    lists.push({ kind, questions, ...(goal === undefined ? {} : { goal }) });

  const texts = (places: readonly NamedPlace[], write: (names: Names) => string) =>
    places.map(({ names, codes }) => ({ row: { text: write(names) }, codes }));
  const picked = (places: readonly NamedPlace[]) => Array.from({ length: options.rows }, () => random.pick(places));
  for (const order of ORDERS) {
    for (const [what, separator] of SEPARATORS) {
      const ordered = (names: Names) => [...order].map((level) => names[level as keyof Names]).join(separator);
      add(`${[...order].join(', ')} with ${what}`, texts(barangays, ordered), 0.98);
    }
    const marked = ({ B, M, P }: Names) => {
      const names: Names = { B: markedBarangay(B, random), M, P };
      return [...order].map((level) => names[level as keyof Names]).join(random.pick([', ', ' ']));
    };
    add(`${[...order].join(', ')} with Brgy. before B`, texts(barangays, marked), 0.98);
  }
  const alone = barangays.filter(({ names }) => country.isOnlyTown(names.M));
  const lower = (name: string) => markedBarangay(name, random).toLowerCase();
  const brgyBehind = texts(barangays, ({ B, M, P }) => `${M} ${P} ${lower(B)}`);
  add('M P brgy B', brgyBehind, 0.98);
  const divided = texts(alone, ({ B, M }) => `${M}, ${markedBarangay(B, random)}`);
  add('M, Brgy. B', divided, 0.98);
  const undivided = texts(alone, ({ B, M }) => `${M} ${lower(B)}`);
  add('M brgy B', undivided, 0.98);

  const towns = country.towns;
  const inProvinces = texts(towns, ({ M, P }) => `${M}, ${P}`);
  add('M, P', inProvinces, 0.98);
  const inProvincesTwice = texts(towns, ({ M, P }) => `${M}, ${P}, ${P}`);
  add('M, P, P', inProvincesTwice, 0.98);
  const besideProvinces = texts(towns, ({ M, P }) => `${M} ${P}`);
  add('M P', besideProvinces, 0.98);

  const unique = country.named.filter(({ names }) => country.isOnlyName(names.B));
  const some = picked(unique);
  const single = texts(some, ({ B }) => B);
  add('a barangay alone whose name is unique', single, 0.98);
  add(
    'the same with a letter wrong',
    some.flatMap(({ names, codes }) => {
      const text = DAMAGES['one letter'](names.B, random);
      return text === names.B || country.isKnown(text) ? [] : [{ row: { text }, codes }];
    }),
  );
  add(
    'a city or municipality alone with a letter wrong',
    towns.flatMap(({ names, codes }) => {
      const text = DAMAGES['one letter'](names.M, random);
      return text === names.M || country.isKnown(text) || !country.isOnlyTown(names.M)
        ? []
        : [{ row: { text }, codes }];
    }),
  );
  add(
    'names of older editions in their cities',
    country.older.map(({ names, codes }) => ({
      row: { barangay: names.B, municity: names.M },
      codes,
    })),
  );
  const older = texts(country.older, ({ B, M, P }) => `${B}, ${M}, ${P}`);
  add('the same as texts', older);
  add(
    'a numbered barangay with a letter wrong',
    country.named
      .filter(({ names }) => /\d.*\p{L}{5}/u.test(names.B))
      .flatMap(({ names, codes }) => {
        const barangay = DAMAGES['one letter'](names.B, random);
        return plain(barangay) === plain(names.B) ? [] : [{ row: { barangay, municity: names.M }, codes }];
      })
      .slice(0, 2 * options.rows),
  );
  const joined = country.named.filter(
    // `Bongbongan I-II` without its hyphen is another barangay.
    ({ names }) => /[\s-]/.test(names.B) && !/\d$|[IVX]-[IVX]/.test(names.B) && country.isOnlyTown(names.M),
  );
  add(
    'no hyphens and spaces',
    picked(joined).map(({ names, codes }) => ({
      row: { barangay: names.B.replace(/[\s-]+/g, ''), municity: names.M },
      codes,
    })),
    0.99,
  );
  const numerals = country.named.filter(({ names }) => JOINABLE.test(names.B));
  const joinedName = (_: string, name: string, numeral: string, letter = '') => name + numeral + letter;
  const numbered = texts(picked(numerals), ({ B, M, P }) => `${B.replace(JOINABLE, joinedName)}, ${M}, ${P}`);
  add('joined numerals', numbered, 0.99);
  const unhyphened = texts(towns, ({ M, P }) => `${M.replace(/-/g, '')}, ${P}`);
  add('cities and municipalities without hyphens and spaces', unhyphened, 0.99);
  const foreign = foreignNames().map((text) => ({ row: { text }, codes: [] }));
  const [known = [], unknown = []] = [true, false].map((it) =>
    foreign.filter(({ row }) => country.isKnown(row.text) === it),
  );
  add('places abroad', unknown, 1);
  // The name of a country may mean a barangay of that name.
  add('countries of which a place here has the name', known);
  const addLacking = (kind: string, pairs: readonly (readonly [NamedPlace, NamedPlace | undefined, string])[]) => {
    const questions = pairs.flatMap(([town, barangay, name]) => {
      const { M, P } = town.names;
      // What a purok is called says nothing about the barangay, nor does a street. `Quezon, Pagbilao` names the province.
      if (country.hasLike(town, name) || plain(name) === plain(M) || /^purok| (?:drive|road)$/i.test(name)) return [];
      if (country.isOfLargerArea(name)) return [];
      const row = random.pick([
        { text: `${name}, ${M}, ${P}` },
        { text: `${name}, ${M}` },
        { text: `Brgy. ${name}, ${M}, ${P}` },
        { barangay: name, municity: M, province: P },
      ]);
      return [{ row, codes: barangay?.codes ?? [], town: town.codes[0] as string }];
    });
    lists.push({ kind, questions, allowed: 0.001 });
  };
  const townsAlone = towns.filter(({ names }) => country.isOnlyTown(names.M) && !country.isOfLargerArea(names.M));
  addLacking(
    'a barangay of a neighbouring city or municipality',
    barangays.flatMap((barangay) => {
      const around = townsAlone.filter(({ names }) => names.P === barangay.names.P && names.M !== barangay.names.M);
      return around.length === 0 ? [] : [[random.pick(around), barangay, barangay.names.B] as const];
    }),
  );
  addLacking(
    'a common name that the city or municipality lacks',
    barangays.map(() => [random.pick(townsAlone), undefined, random.pick(country.commonNames)] as const),
  );
  return lists;
}

/** A name with a Roman numeral behind it, which may have a letter. */
const JOINABLE = /(\p{L}{3})[ -]([IVX]+)(?:[ -]?([A-H]))?$/u;

function markedBarangay(name: string, random: Random): string {
  return /^(?:bgy|brgy|barangay)\b/i.test(name)
    ? name
    : `${random.pick(['Brgy. ', 'Bgy. ', 'Barangay ', 'brgy '])}${name}`;
}

/** How many barangays have a common name. */
const COMMON = 50;

/** The words of a name, each with spaces around it. */
function wordsOf(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\b(?:sta|sto|ma|gen|pres)\b/g, (short) => WRITTEN_OUT[short] ?? short)
    .replace(/\b[ivx]+\b/g, (numeral) => String(arabicOf(numeral)))
    .replace(/\b(?:uno|dos|tres)\b/g, (numeral) => String(['uno', 'dos', 'tres'].indexOf(numeral) + 1))
    .replace(/\b(?:pob|poblacion|brgy|bgy|barangay|district|dist|zone)\b/g, ' ')
    .split(/[^a-z0-9]+/);
  return ` ${words.filter((word) => word !== '').join(' ')} `;
}

/** An area by the names of one edition, and what it is today. */
interface NamedPlace {
  readonly names: Names;
  readonly codes: readonly string[];
}

class Places {
  /** Barangays as any edition names them that are one barangay today. */
  readonly named: NamedPlace[] = [];
  /** Barangays of older editions whose names are given up, or those of others today. */
  readonly older: NamedPlace[] = [];
  readonly towns: NamedPlace[] = [];
  readonly #uses = new Map<string, Set<string>>();
  readonly #spelled = new Set([...aliases, ...districts].map(([name]) => letters(name)));
  readonly #townUses = new Map<string, number>();
  /** The names of what lies in each town in all editions, by its code without the region's digits. */
  readonly #parts = new Map<string, Set<string>>();
  readonly #larger: readonly string[];

  constructor(release: Release, history: History) {
    const today = new Map(release.areas.map((area) => [localCode(area.code), area]));
    const byCode = new Map(release.areas.map((area) => [area.code, area]));
    this.#larger = release.areas.flatMap(({ level, name }) => (/region|province/.test(level) ? [wordsOf(name)] : []));
    const nameOf = (code: string | null) => (code === null ? undefined : byCode.get(code)?.name);
    const provinceOf = (area: Area) =>
      nameOf(area.provinceCode ?? area.hostProvinceCode) ?? (area.regionCode === '1300000000' ? CAPITAL : undefined);
    const leads = new Map<string, string[]>();
    for (const { alias, code } of release.aliases) leads.set(alias, [...(leads.get(alias) ?? []), code]);
    const newest = history.editions.length - 1;
    const inTown = new Map<string, string[]>();
    for (const area of release.areas) {
      this.#use(area.name, area.code);
      // Manila has its fourteen districts too.
      if (area.level === 'barangay' || area.level === 'submunicipality')
        this.#putPart(area.municityCode ?? '', area.name);
      if (area.level !== 'barangay') continue;
      const key = `${area.municityCode} ${plain(area.name)}`;
      inTown.set(key, [...(inTown.get(key) ?? []), area.code]);
    }
    for (const { code, name } of release.formerNames) this.#use(name, code);
    for (const span of history.spans)
      for (const name of [span.name, ...span.oldNames.split('/')]) this.#use(name, span.code);
    for (const span of history.spans) {
      const area = today.get(localCode(span.code));
      if (span.level === 'City' || span.level === 'Mun') {
        if (!area || span.last < newest) continue;
        const P = provinceOf(area);
        this.#townUses.set(plain(span.name), (this.#townUses.get(plain(span.name)) ?? 0) + 1);
        if (P !== undefined) this.towns.push({ names: { B: '', M: span.name, P }, codes: [area.code] });
      }
      if (span.level !== 'Bgy') continue;
      for (const name of [span.name, ...span.oldNames.split('/')]) {
        this.#putPart(area?.municityCode ?? '', name);
        this.#putPart(`${span.code.slice(0, 7)}000`, name);
      }
      if (area && area.level === 'barangay') {
        const M = nameOf(area.municityCode);
        const P = provinceOf(area);
        if (M === undefined || P === undefined) continue;
        const same = inTown.get(`${area.municityCode} ${plain(span.name)}`) ?? [];
        const names = { B: span.name, M, P };
        if (same.every((code) => code === area.code)) {
          if (span.last === newest || plain(span.name) === plain(area.name))
            this.named.push({ names, codes: [area.code] });
          else this.older.push({ names, codes: [area.code] });
        } else if (plain(span.name) !== plain(area.name)) this.older.push({ names, codes: [area.code] });
        continue;
      }
      const town = today.get(localCode(`${span.code.slice(0, 7)}000`));
      const P = town && provinceOf(town);
      const heirs = [...(leads.get(span.code) ?? [])];
      if (!town || P === undefined || heirs.length === 0) continue;
      this.older.push({ names: { B: span.name, M: town.name, P }, codes: heirs });
    }
  }

  #putPart(town: string, name: string): void {
    const key = localCode(town);
    const names = this.#parts.get(key);
    if (names) names.add(wordsOf(name));
    else this.#parts.set(key, new Set([wordsOf(name)]));
  }

  /**
   * Whether something in a town had a name in any edition, one with more words or fewer, or one that differs by a letter:
   * `Tambubong, Bocaue` is its Tambobong, and not the Tambubong next to it.
   */
  hasLike({ codes: [code = ''] }: NamedPlace, name: string): boolean {
    const words = wordsOf(name);
    const names = this.#parts.get(localCode(code)) ?? [];
    const isSame = (other: string) => slipsBetween(letters(other), letters(words)) <= 1;
    const isLike = (other: string) => other.includes(words) || (other.trim() !== '' && words.includes(other));
    return [...names].some((other) => isSame(other) || isLike(other));
  }

  /** Whether a region or province is called so, as `Caraga`, which then is as much what a text names. */
  isOfLargerArea(name: string): boolean {
    return this.#larger.some((area) => area.includes(wordsOf(name)));
  }

  /** The names that at least fifty barangays have, and that say a place: no Poblacion and no number. */
  get commonNames(): readonly string[] {
    const counts = new Map<string, number>();
    for (const { names, codes } of this.named) {
      if (/\d|pob|barangay|zone|district/i.test(names.B) || codes.length !== 1) continue;
      counts.set(names.B, (counts.get(names.B) ?? 0) + 1);
    }
    return [...counts].flatMap(([name, count]) => (count >= COMMON ? [name] : []));
  }

  #use(name: string, code: string): void {
    this.#spelled.add(letters(name));
    const key = plain(name);
    const codes = this.#uses.get(key);
    if (codes) codes.add(localCode(code));
    else this.#uses.set(key, new Set([localCode(code)]));
  }

  /** Whether a name is that of an area in any edition, or one of the names beside those. */
  isKnown(name: string): boolean {
    return this.#uses.has(plain(name)) || this.#spelled.has(letters(name));
  }

  isOnlyName(name: string): boolean {
    return /\p{L}{4}/u.test(name) && this.#uses.get(plain(name))?.size === 1;
  }

  isOnlyTown(name: string): boolean {
    return (this.#townUses.get(plain(name)) ?? 1) === 1;
  }
}
