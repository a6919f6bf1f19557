import { editionId } from '../areas/edition-id.ts';
import { LEVEL_NAMES } from '../areas/level-names.ts';
import { requireCurrentCode } from '../areas/lookup.ts';
import { boundariesOf } from '../areas/portions.ts';
import { servedAreas } from '../areas/served-areas.ts';
import { FILE_LEVELS, type FileLevel } from '../areas/snapshot/download-names.ts';
import {
  type Area,
  type AreaFilter,
  type AreaStore,
  type Level,
  type Lookup,
  type ProvinceScope,
  type Read,
  type Resolution,
  SUB_MUNICIPALITY,
} from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Column, Value } from '../layer-files/columns.ts';
import { type Box, boxOf, multiPolygonOf, type Shape } from '../layer-files/shapes.ts';
import { turn } from '../turn.ts';
import { columnsOf, parentCodesOf, valuesOf } from './columns.ts';
import { joinedTerms, termsOf } from './terms.ts';

/** Stands for the whole country in place of a code, as in ISO 3166-1. */
export const COUNTRY = 'PH';

/** An area with its boundary. */
interface ExtractedFeature {
  readonly code: string;
  /** In the order of the columns. */
  readonly values: readonly Value[];
  readonly shape: Shape;
  readonly box: Box;
  /** The GeoJSON text of the boundary. */
  readonly text: string;
}

/** All areas of a level inside one area, as a file has them. */
export interface Extract {
  /** `barangays`: the name of its layer. */
  readonly name: string;
  /** `2026-3q-1.0702200000.barangays.detailed`: the name of its file without the ending. */
  readonly fileName: string;
  readonly release: string;
  readonly edition: string;
  readonly columns: readonly Column[];
  readonly licence: string;
  readonly attribution: string;
  /** When the edition was published. Files have no other date, so that the same extract has the same bytes. */
  readonly published: Date;
  /** How many rows it has, and how long the texts of its boundaries are, characters. */
  readonly size: { readonly rows: number; readonly text: number };
  /** In the order of their codes. */
  readonly rows: readonly (readonly Value[])[];
  /**
   * The areas that have a boundary, some at a time, in the order of their codes. They are read again each time.
   *
   * @param options `hasBegun`: the answer has begun, so that each read has time of its own
   */
  features(options?: { hasBegun?: boolean }): AsyncGenerator<ExtractedFeature[]>;
}

interface Asked {
  /** A code, or `PH`. */
  readonly code: string;
  readonly level: FileLevel;
  /** Undefined for a table. */
  readonly resolution: Resolution | undefined;
  readonly scope: ProvinceScope;
  readonly edition?: string | undefined;
  readonly knownVersions: readonly string[];
}

const LEVELS = Object.keys(FILE_LEVELS) as FileLevel[];

/** How much text of boundaries an extract may have, characters: those of every region, and all but the detailed of the country. */
const MAX_TEXT = 24 * 1024 * 1024;

/** How much text of boundaries is worked on at once, characters. */
const PORTION = 256 * 1024;

/**
 * Finds the areas of a level inside an area, which are read from the bucket as the file is made.
 *
 * @returns the extract; undefined where the caller has what is made of it
 * @throws DomainError `area_not_found`, `area_abolished`, `edition_not_found`; `download_not_found` if no area of the level
 * is inside, `boundaries_not_loaded` if none of them has a boundary, `extract_too_large`
 */
export async function readExtract(ctx: ServiceContext, asked: Asked): Promise<Read<Extract | undefined>> {
  const { code, level, resolution, edition, knownVersions } = asked;
  const areas = await servedAreas(ctx, edition);
  const around = code === COUNTRY ? undefined : await findAround(areas, code, edition);
  const listed = level === 'submunicipality' ? 'municity' : level;
  const read = await areas.list(listed, filterOf(around, asked), { resolution, knownVersions });
  if (read.unchanged) return { ...read, value: undefined };
  const found = read.value.areas;
  if (found.length === 0) refuseEmpty(around, level);
  const bounded = found.filter(({ boundaryBytes }) => boundaryBytes > 0);
  if (resolution !== undefined) requireBounded(bounded, level, resolution);
  const { edition: name, publishedOn, sources } = (await areas.listSources({})).value;
  const columns = columnsOf(level, resolution === undefined ? 'table' : 'layer');
  const names = await findParentNames(areas, found);
  const boundaries = resolution === undefined ? null : termsOf(sources, 'boundaries');
  const plural = FILE_LEVELS[level];
  const extract: Extract = {
    name: plural,
    fileName: [
      // A release carries older editions too.
      ...[isOf(read.release, edition) ? read.release : edition, around?.code ?? COUNTRY, plural],
      ...(around?.level === 'province' && asked.scope === 'admin' ? ['admin'] : []),
      ...(resolution ? [resolution] : []),
    ].join('.'),
    release: read.release,
    edition: editionId(name),
    columns,
    ...joinedTerms([boundaries, termsOf(sources, 'codes')]),
    published: publishedOf(publishedOn, name),
    size: { rows: found.length, text: resolution === undefined ? 0 : textOf(bounded) },
    get rows() {
      return found.map((area) => valuesOf(level, area, { columns, names }));
    },
    async *features({ hasBegun = true } = {}) {
      const { release } = read;
      const boundaries = boundariesOf(bounded, async (wanted) => {
        const texts = await areas.boundaries({ release, level: listed, resolution: resolution as Resolution }, wanted);
        if (hasBegun) ctx.deadline.renew();
        else ctx.deadline.partDone();
        return texts;
      });
      let features: ExtractedFeature[] = [];
      let length = 0;
      for await (const { area, text } of boundaries) {
        const shape = multiPolygonOf(JSON.parse(text));
        features.push({
          ...{ code: area.code, values: valuesOf(level, area, { columns, names }) },
          ...{ shape, box: boxOf(shape) as Box, text },
        });
        length += text.length;
        if (length < PORTION) continue;
        yield features;
        await turn();
        [features, length] = [[], 0];
      }
      if (features.length > 0) yield features;
    },
  };
  return { ...read, value: extract };
}

/** The names of what areas lie in, by their codes. */
async function findParentNames(areas: AreaStore, found: readonly Area[]): Promise<ReadonlyMap<string, string>> {
  const wanted = parentCodesOf(found).filter(([, codes]) => codes.length > 0);
  const parents = await Promise.all(wanted.map(([level, codes]) => areas.findMany(level, codes, {})));
  return new Map(parents.flatMap(({ value }) => value.areas.map(({ code, name }) => [code, name])));
}

function isOf(release: string, edition: string | undefined): boolean {
  return edition === undefined || release.startsWith(`${edition}-`);
}

/** The area of any level that a code leads to. */
async function findAround(areas: AreaStore, code: string, edition: string | undefined): Promise<Area> {
  const found: Lookup[] = [];
  for (const level of ['region', 'province', 'municity', 'barangay'] as const) {
    const { value } = await areas.find(level, code, {});
    if (value.area) return value.area;
    found.push(value);
  }
  const abolished = found.findIndex(({ successors }) => successors !== null);
  const level = (Object.keys(LEVEL_NAMES) as Level[])[abolished] ?? 'barangay';
  requireCurrentCode(level, code, { ...(found[Math.max(abolished, 0)] as Lookup), otherLevel: null }, edition);
  throw new Error(`The code ${code} leads to an area that is not there`);
}

function filterOf(around: Area | undefined, { level, scope }: Asked): AreaFilter {
  const type = level === 'submunicipality' ? SUB_MUNICIPALITY : undefined;
  if (!around) return { type };
  const { code } = around;
  if (around.level === level) return { codes: [code], type };
  if (LEVELS.indexOf(level) < LEVELS.indexOf(around.level)) refuseEmpty(around, level);
  if (around.level === 'region') return { regions: [{ code }], type };
  if (around.level === 'province') return { province: { parent: { code }, scope }, type };
  return { municity: { code }, type };
}

function refuseEmpty(around: Area | undefined, level: FileLevel): never {
  const place = around ? `${around.name} (${around.code})` : 'the country';
  const plural = FILE_LEVELS[level];
  throw new DomainError('download_not_found', `level: there are no ${plural} in ${place}. Take another level.`);
}

function requireBounded(bounded: readonly Area[], level: FileLevel, resolution: Resolution): void {
  const plural = FILE_LEVELS[level];
  if (bounded.length === 0) {
    const message = `None of these ${plural} has a boundary. Tables, format=csv or xlsx, need none.`;
    throw new DomainError('boundaries_not_loaded', message);
  }
  const length = textOf(bounded);
  if (length <= MAX_TEXT) return;
  const message = `resolution: the ${resolution} boundaries of these ${plural} have ${length} characters, and a file is made of ${MAX_TEXT} at most. Take a coarser resolution, a smaller area, or the file of the whole level: GET /v1/downloads.`;
  throw new DomainError('extract_too_large', message);
}

/** How long the texts of the boundaries of some areas are, characters. */
function textOf(areas: readonly Area[]): number {
  return areas.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0);
}

/** The day of an edition; of one that was published on no known day, the first of its year. */
function publishedOf(day: string | null, edition: string): Date {
  return new Date(day ?? `${/\d{4}/.exec(edition)?.[0]}-01-01`);
}
