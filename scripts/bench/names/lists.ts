import { formerParents } from '../../../src/names/former-parents.ts';
import type { Release } from '../../pipeline/psgc/area.ts';
import { combined, DAMAGES, OF_BARANGAYS, OF_CITIES } from './damage.ts';
import { Random } from './random.ts';

/** A row as typed. */
interface TypedRow {
  readonly region?: string;
  readonly province?: string;
  readonly municity?: string;
  readonly barangay?: string;
  readonly text?: string;
}

/** A row and the area that it means. */
export interface Question {
  readonly row: TypedRow;
  readonly code: string;
}

/** Rows with one kind of damage. */
export interface List {
  readonly level: 'municity' | 'barangay';
  readonly kind: string;
  readonly questions: readonly Question[];
  /** Rows that the damage leaves as they are, or that have nothing to damage. */
  readonly unchanged: number;
  /** Rows that mean several areas as typed: any other area is a wrong result. */
  readonly shared: readonly Question[];
  /** Rows that by their damage mean another area. */
  readonly others: number;
}

type Area = Release['areas'][number];

/** Makes lists of every kind from a seed. Rows that by their damage mean another area are left out and counted. */
export function makeLists(release: Release, { seed, barangays }: { seed: number; barangays: number }): List[] {
  const country = new Country(release);
  const random = new Random(seed);
  const municities = release.areas.filter(({ level }) => level === 'municity');
  const all = release.areas.filter(({ level }) => level === 'barangay');
  const sample = Array.from({ length: barangays }, () => random.pick(all));
  const lists: List[] = [];
  const add = (level: List['level'], kind: string, make: (row: TypedRow, area: Area) => TypedRow | undefined) => {
    const questions: Question[] = [];
    const shared: Question[] = [];
    let unchanged = 0;
    let others = 0;
    for (const area of level === 'municity' ? municities : sample) {
      const row = make(country.rowOf(area), area);
      if (row === undefined) unchanged += 1;
      else if (!country.isUndecided(area, row)) questions.push({ row, code: area.code });
      else if (country.isAnother(area, row)) others += 1;
      else shared.push({ row, code: area.code });
    }
    if (questions.length > 0) lists.push({ level, kind, questions, shared, unchanged, others });
  };

  for (const level of ['municity', 'barangay'] as const) {
    const changed = (row: TypedRow, change: (name: string) => string): TypedRow | undefined => {
      const name = row[level] as string;
      const other = change(name);
      return other === name ? undefined : { ...row, [level]: other };
    };
    add(level, 'clean, all parents', (row) => row);
    add(level, 'clean, no region', ({ region: _, ...row }) => row);
    const damages = { ...DAMAGES, ...(level === 'municity' ? OF_CITIES : OF_BARANGAYS), combined };
    for (const [kind, damage] of Object.entries(damages)) {
      add(level, kind, ({ region: _, ...row }) => changed(row, (name) => damage(name, random)));
    }
    add(level, 'province missing', ({ region: _, province: __, ...row }) => row);
    add(level, 'province wrong', (row) => ({
      ...row,
      region: '',
      province: country.otherProvince(row.province, random),
    }));
    add(level, 'region wrong', (row, area) => ({ ...row, region: country.otherRegion(area, random) }));
    add(level, 'province with a slip', ({ region: _, ...row }) => {
      const { province } = row;
      return province === undefined ? undefined : { ...row, province: DAMAGES['one letter'](province, random) };
    });
    add(level, 'former name', ({ region: _, ...row }, area) => {
      const names = country.formerNames.get(area.code);
      return names === undefined ? undefined : { ...row, [level]: random.pick(names) };
    });
    add(level, 'text', (row) => ({
      text: [row.barangay, row.municity, row.province]
        .filter((it) => it !== undefined)
        .join(random.pick([', ', ',', ', ', ' , '])),
    }));
    add(level, 'text, a slip in it', (row, area) => {
      const slipped = changed(row, (name) => DAMAGES['one letter'](name, random));
      if (slipped === undefined || country.isUndecided(area, slipped)) return undefined;
      return {
        text: [slipped.barangay, slipped.municity, slipped.province].filter((it) => it !== undefined).join(', '),
      };
    });
    add(level, 'all in capitals, combined', ({ region: _, ...row }) => {
      const upper = changed(row, (name) => combined(name, random).toUpperCase());
      return upper && { ...upper, ...(row.province === undefined ? {} : { province: row.province.toUpperCase() }) };
    });
  }
  add('municity', 'province in the city column', ({ municity, province }) =>
    province === undefined ? undefined : { municity: `${municity}, ${province}` },
  );
  add('municity', 'columns swapped', ({ municity, province }) =>
    province === undefined ? undefined : { municity: province, province: municity as string },
  );
  add('barangay', 'city with a slip', ({ region: _, ...row }) => ({
    ...row,
    municity: DAMAGES['one letter'](row.municity as string, random),
  }));
  add('barangay', 'city by another form', ({ region: _, ...row }) => ({
    ...row,
    municity: (OF_CITIES['City of, City, Municipality of'] as (typeof DAMAGES)['case'])(row.municity as string, random),
  }));
  add('barangay', 'city missing', ({ region: _, municity: __, ...row }, area) =>
    country.isAloneInProvince(area) ? row : undefined,
  );
  add('barangay', 'slips in name and city', ({ region: _, ...row }) => ({
    ...row,
    barangay: DAMAGES['one letter'](row.barangay as string, random),
    municity: DAMAGES['by ear'](row.municity as string, random),
  }));
  add('barangay', 'barangay and city in one column', ({ barangay, municity, province }) => ({
    barangay: `${barangay}, ${municity}`,
    ...(province === undefined ? {} : { province }),
  }));
  add('barangay', 'text without commas', ({ barangay, municity }) => ({ text: `${barangay} ${municity}` }));
  add('barangay', 'text, upper case, no commas, all parents', ({ barangay, municity, province }) => ({
    text: [barangay, municity, province].join(' ').toUpperCase(),
  }));
  add('barangay', 'text, postal code', ({ barangay, municity, province }) => ({
    text: `Brgy. ${barangay}, ${municity}, ${province ?? ''} ${1000 + random.below(8000)}, Philippines`,
  }));
  add('barangay', 'text, telephone', ({ barangay, municity }) => ({
    text: `${barangay}, ${municity} , 09${100000000 + random.below(899999999)}`,
  }));
  add('barangay', 'text, parents first', ({ region, province, municity, barangay }) => ({
    text: [region, province, municity, barangay].filter((it) => it !== undefined).join(' - '),
  }));
  add('barangay', 'address, street named as a place', ({ barangay, municity, province }) => ({
    text: `${1 + random.below(300)} ${random.pick(['San Jose', 'Mabini', 'Quezon', 'Makati', 'Burgos'])} ${random.pick(['St.', 'Street', 'Ave.'])}, ${barangay}, ${municity}, ${province ?? ''}`,
  }));
  add('barangay', 'address', ({ barangay, municity, province }) => ({
    text: [`${1 + random.below(300)} Rizal St.`, `Brgy. ${barangay}`, municity, province]
      .filter((it) => it !== undefined)
      .join(', '),
  }));
  return lists;
}

/** Rows of barangays with all of their parents, one of the three names damaged, without an end. */
export function* damagedRows(release: Release, seed: number): Generator<Question & { readonly row: TypedRow }> {
  const country = new Country(release);
  const random = new Random(seed);
  const barangays = release.areas.filter(({ level }) => level === 'barangay');
  const damages = Object.values(DAMAGES);
  for (;;) {
    const area = random.pick(barangays);
    const row = country.rowOf(area);
    const column = random.pick(['barangay', 'barangay', 'municity', 'province'] as const);
    const name = row[column] ?? (row.barangay as string);
    const damaged = random.pick(damages)(name, random);
    yield { row: { ...row, [row[column] === undefined ? 'barangay' : column]: damaged }, code: area.code };
  }
}

/** Facts of the country that decide what a row means. */
class Country {
  readonly formerNames = new Map<string, string[]>();
  readonly #byCode: Map<string, Area>;
  readonly #provinces: Area[];
  readonly #regions: Area[];
  /** Quarters of cities by their province: La Paz in Iloilo, from `Luna (La Paz)`. */
  readonly #quarters = new Set<string>();
  /** How many areas of a level have a name in a parent. */
  readonly #counts = new Map<string, Set<string>>();

  constructor({ areas, formerNames }: Release) {
    this.#byCode = new Map(areas.map((area) => [area.code, area]));
    this.#provinces = areas.filter(({ level }) => level === 'province');
    this.#regions = areas.filter(({ level }) => level === 'region');
    for (const { code, name } of formerNames) this.formerNames.set(code, [...(this.formerNames.get(code) ?? []), name]);
    for (const area of areas) {
      const quarter = area.level === 'barangay' ? /\(([^)]+)\)/.exec(area.name)?.[1] : undefined;
      if (quarter !== undefined) this.#quarters.add(`${this.#provinceOf(area)} ${plain(quarter)}`);
      for (const name of [area.name, ...(this.formerNames.get(area.code) ?? [])]) {
        for (const parent of ['', this.#provinceOf(area) ?? area.regionCode, area.municityCode]) {
          // `PoblacionVI` is Poblacion VI, also where it comes from Poblacion VII.
          for (const spelled of [name, name.replace(/\s+(?=\S+$)/, '')]) {
            const key = `${area.level} ${parent} ${plain(spelled)}`;
            this.#counts.set(key, (this.#counts.get(key) ?? new Set()).add(area.code));
          }
        }
      }
    }
  }

  #provinceOf(area: Area): string | null {
    return area.provinceCode ?? area.hostProvinceCode;
  }

  rowOf(area: Area): TypedRow {
    const nameOf = (code: string | null) => (code === null ? undefined : this.#byCode.get(code)?.name);
    const province = nameOf(this.#provinceOf(area)) ?? (area.regionCode === '1300000000' ? 'Metro Manila' : undefined);
    return {
      region: nameOf(area.regionCode) as string,
      ...(province === undefined ? {} : { province }),
      ...(area.level === 'municity'
        ? { municity: area.name }
        : { municity: nameOf(area.municityCode) as string, barangay: area.name }),
    };
  }

  /** Whether a row's name is also, or only, that of another area in the parents that the row has. */
  isUndecided(area: Area, row: TypedRow): boolean {
    if (row.text !== undefined) return this.#others(area, area.name, this.#parentOf(area)).length > 0;
    const name = (area.level === 'municity' ? row.municity : row.barangay) ?? '';
    if (plain(name).replace(/\d{4,}/, '') === '') return true;
    const hasProvince = row.province !== undefined && row.region !== '';
    if (area.level === 'barangay' && row.municity !== undefined) {
      if (
        this.#others(area, name, area.municityCode).length > 0 ||
        this.#others(area, area.name, area.municityCode).length > 0
      )
        return true;
      const town = this.#byCode.get(area.municityCode ?? '');
      return !hasProvince && town !== undefined && this.#others(town, town.name, '').length > 0;
    }
    const parent = area.level === 'municity' && !hasProvince ? '' : this.#parentOf(area);
    return this.#others(area, name, parent).length > 0 || this.#others(area, area.name, parent).length > 0;
  }

  /** Whether a row with a shared name means another area, by its published name or its province. */
  isAnother(area: Area, row: TypedRow): boolean {
    if (row.text !== undefined) return false;
    const province = this.#provinces.find((it) => it.name === row.province);
    const town = area.level === 'municity' ? area : this.#byCode.get(area.municityCode ?? '');
    if (province && town && province.code !== this.#provinceOf(area)) {
      const parted = formerParents.filter(([, , parent]) => parent === province.code).map(([code]) => code);
      if ([province.code, ...parted].some((code) => this.#others(town, town.name, code).length > 0)) return true;
      // The City of San Juan was in Rizal.
      const isNamesake = (code: string) =>
        code !== town.code && plain(this.#byCode.get(code)?.name ?? '') === plain(town.name);
      if (parted.some(isNamesake)) return true;
      if (this.#quarters.has(`${province.code} ${plain(town.name)}`)) return true;
      // Isabela beside Quirino is as well Quirino in Isabela.
      const turned = this.#provinces.find((it) => plain(it.name) === plain(town.name));
      if (turned && this.#counts.has(`municity ${turned.code} ${plain(province.name)}`)) return true;
    }
    const name = (area.level === 'municity' ? row.municity : row.barangay) ?? '';
    if (plain(name) !== plain(area.name)) return true;
    const parent = area.level === 'barangay' && row.municity !== undefined ? area.municityCode : this.#parentOf(area);
    const published = this.#others(area, name, parent).map((code) => this.#byCode.get(code)?.name ?? '');
    return letters(name) !== letters(area.name) && published.some((other) => letters(other) === letters(name));
  }

  isAloneInProvince(area: Area): boolean {
    return this.#others(area, area.name, this.#provinceOf(area) ?? area.regionCode).length === 0;
  }

  #parentOf(area: Area): string | null {
    return area.municityCode ?? this.#provinceOf(area) ?? area.regionCode;
  }

  #others(area: Area, name: string, parent: string | null): string[] {
    const codes = this.#counts.get(`${area.level} ${parent} ${plain(name)}`) ?? new Set();
    return [...codes].filter((code) => code !== area.code);
  }

  otherProvince(name: string | undefined, random: Random): string {
    return random.pick(this.#provinces.filter((province) => province.name !== name)).name;
  }

  otherRegion({ regionCode }: Area, random: Random): string {
    return random.pick(this.#regions.filter(({ code }) => code !== regionCode)).name;
  }
}

/** A name reduced for comparison: without case, accents, kinds of numerals, words for a city, and `(Cappital)`. */
export function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/^(?:.* )?city of | city$|^municipality of /g, '')
    .replace(/[\s-]+\d{4,}\s*$/, '')
    .replace(/ *\([capitl]{6,8}\)/g, '')
    .replace(/[ (]+pob(?:lacion)?\b[.)]*$/, '')
    .replace(/^pob\b/, 'poblacion')
    .replace(/\b(?:sta|sto|ma|gen|pres)\b/g, (short) => WRITTEN_OUT[short] ?? short)
    .replace(/\b[ivx]+\b/g, (numeral) => String(arabicOf(numeral)))
    .replace(/\b(?:brgy|bgy|barangay)\b\.?/g, '')
    .replace(/[^a-z0-9]/g, '');
}

/** The letters of a name, whatever their case and accents. */
export function letters(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\bpoblacion\b/g, 'pob')
    .replace(/[^a-z0-9]/g, '');
}

/** What the damage shortens: `Sta. Rita` is as much the name of another barangay as `Santa Rita` is. */
export const WRITTEN_OUT: Readonly<Record<string, string>> = {
  sta: 'santa',
  sto: 'santo',
  ma: 'maria',
  gen: 'general',
  pres: 'president',
};

/** The number that a Roman numeral is: a letter before a larger one counts against it. */
export function arabicOf(numeral: string): number {
  const values = [...numeral].map((letter) => ({ i: 1, v: 5, x: 10 })[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
