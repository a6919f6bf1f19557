import type { Area, Level } from '../areas/store.ts';
import type { CrosswalkRow } from '../editions/schemas.ts';
import type { MatchedRow } from '../match/service.ts';
import { codeIn } from '../names/codes.ts';
import type { MatchInput } from '../names/match.ts';
import { isDecided } from '../names/result.ts';
import type { NameLevel } from '../names/source.ts';
import type { JoinSources } from './sources.ts';

/** An area of the answered edition that a row became, or a part of it. */
export interface Part extends Pick<CrosswalkRow, 'relation' | 'weight_area' | 'weight_population' | 'estimated'> {
  /** Null where nothing is known of what took its place. */
  readonly area: Area | null;
  /** What the area lies in. */
  readonly parents: Parents;
}

export interface Joined {
  readonly matched: MatchedRow;
  /** The last edition that has the code of the row; undefined unless only former ones have it. */
  readonly former?: string | undefined;
  /** Empty if the row is not decided. */
  readonly parts: readonly Part[];
}

/** What an area lies in, itself included at its own level. */
export const PARENTS = ['region', 'province', 'host_province', 'municity', 'submunicipality'] as const;

type Parent = (typeof PARENTS)[number];

type Parents = Readonly<Record<Parent, Pick<Area, 'code' | 'name'> | null>>;

/** The level whose lists have a parent. */
const LISTED: Readonly<Record<Parent, Level>> = {
  region: 'region',
  province: 'province',
  host_province: 'province',
  municity: 'municity',
  submunicipality: 'municity',
};

const WHOLE = { relation: 'same', weight_area: 1, weight_population: 1, estimated: null } as const;

type Link = Pick<CrosswalkRow, 'to_code' | 'relation' | 'weight_area' | 'weight_population' | 'estimated'>;

/** What a row became, before its areas are read. */
interface Linked extends Omit<Joined, 'parts'> {
  readonly links: readonly Link[];
}

/** Joins the rows of a table in batches. */
export class Join {
  readonly #sources: JoinSources;
  /** Names of parents by code, which are read once. */
  readonly #names = new Map<string, string>();

  constructor(sources: JoinSources) {
    this.#sources = sources;
  }

  /**
   * The areas of matched rows, in their order. A row that is not decided has none, unless all of its cells that are not
   * empty are one code, which a former edition has.
   *
   * @param level the requested one, which rows are matched at
   */
  async rows(
    rows: readonly { readonly row: MatchInput; readonly matched: MatchedRow }[],
    level: NameLevel | undefined,
  ): Promise<Joined[]> {
    const linked = await Promise.all(rows.map(({ row, matched }) => this.#linked(row, matched, level)));
    const wanted = linked.flatMap(({ matched: { level }, links }) =>
      links.flatMap(({ to_code: code }) => (code === null || level === null ? [] : [{ level: listedIn(level), code }])),
    );
    const areas = new Map((await this.#read(wanted)).map((area) => [area.code, area]));
    await this.#readNames([...areas.values()]);
    return linked.map(({ links, ...row }) => ({ ...row, parts: links.map((link) => this.#part(link, areas)) }));
  }

  async #linked(row: MatchInput, matched: MatchedRow, wanted: NameLevel | undefined): Promise<Linked> {
    const { code } = matched;
    if (isDecided(matched) && code !== null) {
      return { matched, links: this.#sources.counterparts?.(code) ?? [{ ...WHOLE, to_code: code }] };
    }
    const only = onlyCode(row);
    const former = only === undefined ? undefined : await this.#sources.former(only);
    if (only === undefined || !former || former.level !== (wanted ?? former.level)) return { matched, links: [] };
    const { level, name, edition, rows: links } = former;
    const own = { match: 'exact', code: only, level, name, score: 1 } as const;
    const matchedByCode = { ...matched, ...own, ancestors: [], candidates: [], notes: [] };
    return { matched: matchedByCode, former: edition, links };
  }

  #part(link: Link, areas: ReadonlyMap<string, Area>): Part {
    const { to_code: code, relation, weight_area, weight_population, estimated } = link;
    const area = areas.get(code ?? '');
    const codes = area ? parentCodes(area) : {};
    const parents = PARENTS.map((parent) => {
      const of = codes[parent] ?? null;
      return [parent, of === null ? null : { code: of, name: this.#names.get(of) ?? '' }];
    });
    const known = { relation, weight_area, weight_population, estimated };
    return { area: area ?? null, ...known, parents: Object.fromEntries(parents) };
  }

  async #readNames(areas: readonly Area[]): Promise<void> {
    const wanted = areas.flatMap((area) => {
      this.#names.set(area.code, area.name);
      const codes = parentCodes(area);
      return PARENTS.flatMap((parent) => {
        const code = codes[parent] ?? null;
        return code === null || this.#names.has(code) ? [] : [{ level: LISTED[parent], code }];
      });
    });
    for (const { code, name } of await this.#read(wanted)) this.#names.set(code, name);
  }

  /** Reads each area once: one round trip a level, which are made at once. */
  async #read(wanted: readonly { readonly level: Level; readonly code: string }[]): Promise<Area[]> {
    const byLevel = Map.groupBy(wanted, ({ level }) => level);
    const read = async (level: Level, codes: Set<string>) =>
      (await this.#sources.areas.findMany(level, [...codes], {})).value.areas;
    const found = [...byLevel].map(([level, all]) => read(level, new Set(all.map(({ code }) => code))));
    return (await Promise.all(found)).flat();
  }
}

/** The codes of what an area lies in, and its own. */
function parentCodes(area: Area): { [parent in Parent]?: string | null } {
  const own = area.level === 'barangay' ? {} : { [area.level]: area.code };
  return {
    region: area.regionCode,
    province: area.provinceCode,
    host_province: area.hostProvinceCode,
    municity: area.municityCode,
    submunicipality: area.submunicipalityCode,
    ...own,
  };
}

/** The level whose lists have the areas of a level. */
export function listedIn(level: NameLevel): Level {
  return level === 'submunicipality' ? 'municity' : level;
}

/** The code of ten digits that is all that a row has. */
function onlyCode(row: MatchInput): string | undefined {
  const cells = Object.values({ ...row, zip: undefined }).filter((cell) => cell?.trim());
  const code = codeIn(cells[0] ?? undefined);
  return cells.length === 1 && code?.length === 10 ? code : undefined;
}
