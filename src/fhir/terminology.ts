import { editionText, lastDayOf } from '../areas/edition-id.ts';
import { lacksZero } from '../areas/psgc.ts';
import { servedAreas } from '../areas/served-areas.ts';
import type { Area, AreaStore, Level } from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import type { CodedArea, History } from '../editions/history.ts';
import { openHistory } from '../editions/open.ts';
import type { CrosswalkRow } from '../editions/schemas.ts';
import { listEditions } from '../editions/service.ts';
import { DomainError } from '../errors.ts';
import { type Given, quoted } from './given.ts';

/** The canonical URL of the code system, as PH Core has it. */
export const SYSTEM = 'https://psa.gov.ph/classification/psgc';

/** An edition of the PSGC as a version of the code system. */
export interface Version {
  /** `2026-3q` */
  readonly edition: string;
  /** `3Q-2026`; of an interim list `July-2025` */
  readonly version: string;
  /** The day that its list is of. */
  readonly day: string;
  readonly isActive: boolean;
}

/** A code of a version. */
export interface Concept extends Pick<CodedArea, 'code' | 'name' | 'correspondence'> {
  /** Null for a heading of the list. */
  readonly level: Area['level'] | null;
  /** The newest edition up to the version that has the code. */
  readonly edition: string;
  /** Whether the version has it. A code that only earlier versions have is not active. */
  readonly isActive: boolean;
}

/** Rows of the list that have a code and no level, what lies in them, and the region that they lie in. */
export const HEADINGS = [
  { code: '0990100000', name: 'City of Isabela (Not a Province)', region: '0900000000', first: '0990101000' },
  { code: '1999900000', name: 'Special Geographic Area', region: '1900000000', first: '1999901001' },
] as const;

/**
 * The functions that tell what became of codes of one edition in another. To make one takes some milliseconds, and they are large: as
 * many are kept, of those that were used last, as the code system of one version needs.
 */
const counterparts = new WeakMap<History, Map<string, (code: string) => CrosswalkRow[]>>();

/** The PSGC as a code system: its versions, and what a code is in each. */
export class Terminology {
  readonly #ctx: ServiceContext;
  readonly history: History;
  readonly release: string;
  /** Changes with what is answered. */
  readonly state: string;
  /** All editions of the history, the newest first. Maps lead from each to each. */
  readonly editions: readonly Version[];
  /** Those of them whose areas are published, the active one first. */
  readonly versions: readonly Version[];

  constructor(
    ctx: ServiceContext,
    history: History,
    { editions, release, state }: Awaited<ReturnType<typeof listEditions>>,
  ) {
    this.#ctx = ctx;
    this.history = history;
    this.release = release;
    this.state = state;
    const answered = new Map(editions.map(({ id, active }) => [id, active]));
    this.editions = history.editions
      .map(({ id, published }) => ({
        edition: id,
        version: versionOf(id),
        day: published ?? lastDayOf(id),
        isActive: answered.get(id) === true,
      }))
      .reverse();
    const isFirst = ({ isActive }: Version) => Number(isActive);
    const published = this.editions.filter(({ edition }) => answered.has(edition));
    this.versions = published.sort((a, b) => isFirst(b) - isFirst(a));
  }

  /** The version that answers where none is named. */
  get active(): Version {
    const [found] = this.versions;
    if (!found) throw new DomainError('data_not_loaded', 'There is no edition of the PSGC yet.');
    return found;
  }

  /**
   * @param among versions that it may be one of
   * @throws DomainError `edition_not_found`
   */
  version(name: string | undefined, among = this.versions): Version {
    if (name === undefined || name === '') return this.active;
    const found = this.find(name, among);
    if (found) return found;
    const all = among.map(({ version }) => version);
    const message = `version: ${SYSTEM} has no version ${quoted(name)} here. It has ${all.join(', ')}.`;
    throw new DomainError('edition_not_found', message, { facts: { editions: all } });
  }

  /** A version by its name, in any case. */
  find(name: string, among = this.versions): Version | undefined {
    return among.find(({ version }) => version.toLowerCase() === name.toLowerCase());
  }

  /** What a code is in a version; undefined if neither it nor an earlier one has the code. */
  concept({ edition }: Version, code: string): Concept | undefined {
    if (!/^\d{10}$/.test(code)) return undefined;
    const found = this.history.latest(code, edition);
    if (found) return { ...found, isActive: found.edition === edition };
    const heading = HEADINGS.find((it) => it.code === code);
    if (!heading || !this.hasHeading(edition, heading)) return undefined;
    return { code, name: heading.name, level: null, edition, isActive: true, correspondence: null };
  }

  /** Whether a heading stands over something in an edition. */
  hasHeading(edition: string, { first }: { readonly first: string }): boolean {
    return this.history.latest(first, edition)?.edition === edition;
  }

  /** @throws DomainError `area_not_found` */
  known(version: Version, code: string): Concept {
    const found = this.concept(version, code);
    if (found) return found;
    throw new DomainError('area_not_found', this.unknown(version, code));
  }

  /** Says that a version does not have a code, and what it may be. */
  unknown({ version }: Version, code: string): string {
    const hint = lacksZero(code)
      ? ` Codes are text of ten digits: was it 0${code}?`
      : /^\d{9}$/.test(code) && this.history.codesOfCorrespondence(code).length > 0
        ? ' It is a correspondence code of nine digits: ConceptMap/$translate has its code of ten digits.'
        : '';
    return `${quoted(code)} is no code of ${SYSTEM} in the version ${version}.${hint}`;
  }

  /** What became of a code of one edition in another, as the crosswalk has it. */
  rowsBetween(from: string, to: string): (code: string) => CrosswalkRow[] {
    const known = counterparts.get(this.history) ?? new Map<string, (code: string) => CrosswalkRow[]>();
    counterparts.set(this.history, known);
    const key = `${from} ${to}`;
    const rows = known.get(key) ?? this.history.counterparts(from, to);
    known.delete(key);
    known.set(key, rows);
    const [oldest = ''] = known.keys();
    if (known.size > this.history.editions.length) known.delete(oldest);
    return rows;
  }

  /** The codes of a version that took the place of one that it does not have. */
  successors({ edition }: Version, { code, edition: last, isActive }: Concept): { code: string; name: string }[] {
    if (isActive) return [];
    return this.rowsBetween(
      last,
      edition,
    )(code).flatMap(({ to_code, to_name }) => (to_code === null ? [] : [{ code: to_code, name: to_name ?? '' }]));
  }

  /** The areas of a version. */
  areas({ edition, isActive }: Version): Promise<AreaStore> {
    return servedAreas(this.#ctx, isActive ? undefined : edition);
  }

  /** The area of a code that a version has, with its former names; undefined for a heading and a former code. */
  async area(
    version: Version,
    { code, level, isActive }: Concept,
  ): Promise<{ readonly area: Area; readonly formerNames: readonly string[] } | undefined> {
    if (level === null || !isActive) return undefined;
    const at: Level = level === 'submunicipality' ? 'municity' : level;
    const { area, formerNames } = (await (await this.areas(version)).find(at, code, {})).value;
    return area?.code === code ? { area, formerNames } : undefined;
  }
}

/** The error for a resource that is not here. */
export function resourceNotFound(type: string, name: string): DomainError {
  return new DomainError(
    'resource_not_found',
    `There is no ${type} ${quoted(name)}. See /fhir/${type} for those there are.`,
  );
}

export async function openTerminology(ctx: ServiceContext): Promise<Terminology> {
  const { history } = await openHistory(ctx);
  return new Terminology(ctx, history, await listEditions(ctx));
}

/** What parameters say about the version of the code system. What they say about others is not for this service. */
export function versionsIn(given: Given): {
  /** Takes the place of the version of the value set. */
  readonly forced: string | undefined;
  /** For codes and sets that have none. */
  readonly fallback: string | undefined;
  /** The only one that is right. */
  readonly checked: string | undefined;
} {
  const checked = given.versionFor('check-system-version', SYSTEM);
  const fallback = given.versionFor('system-version', SYSTEM) ?? checked;
  return { forced: given.versionFor('force-system-version', SYSTEM), fallback, checked };
}

/** `2026-3q` → `3Q-2026`, `2025-07` → `July-2025` */
export function versionOf(edition: string): string {
  return editionText(edition).replace(' ', '-');
}

/** The codes of the areas that an area lies in, from the smallest. Those that only host it are none of them. */
export function parentsOf({ code, submunicipalityCode, municityCode, provinceCode, regionCode }: Area): string[] {
  return [submunicipalityCode, municityCode, provinceCode, regionCode].filter(
    (it) => it !== null && it !== code,
  ) as string[];
}
