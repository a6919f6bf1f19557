import { editionId } from '../areas/edition-id.ts';
import { LEVEL_NAMES } from '../areas/level-names.ts';
import { boundariesOf } from '../areas/portions.ts';
import { hintOfCode, requireCurrentCode } from '../areas/refusals.ts';
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

/** Stands for the whole country in place of a PSGC code, as in ISO 3166-1. */
export const COUNTRY_CODE = 'PH';

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
  /** The number of rows, and the length of all boundary texts in characters. */
  readonly size: { readonly rows: number; readonly text: number };
  /** The values of all areas, those without a boundary included, in the order of their codes. Computed at each call. */
  rows(): (readonly Value[])[];
  /**
   * Reads the areas that have a boundary, some at a time, in the order of their codes.
   *
   * @param options `isAnswering`: whether bytes of the answer were already sent; true unless given. Then every read gets the whole
   * deadline again
   */
  features(options?: { isAnswering?: boolean }): AsyncGenerator<ExtractedFeature[]>;
}

interface ExtractRequest {
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

/** The most boundary text in an extract, characters. Every region fits at any resolution; the country fits except at `detailed`. */
const MAX_TEXT = 24 * 1024 * 1024;

/** Features are yielded when their boundary texts reach this many characters. */
const FEATURES_TEXT = 256 * 1024;

/**
 * Reads the areas of a level inside an area. Boundaries are read later, in portions, each time that `features()` is called.
 *
 * @returns `value` is undefined if the caller already has this version (304)
 * @throws DomainError `area_not_found`, `area_abolished`, `edition_not_found`; `download_not_found` if no area of the level
 * is inside, `boundaries_not_loaded` if none of them has a boundary, `extract_too_large`
 */
export async function readExtract(
  ctx: ServiceContext,
  request: ExtractRequest,
): Promise<Read<Extract | undefined> & { currentCode: string }> {
  const { code, level, resolution, edition, knownVersions } = request;
  const areas = await servedAreas(ctx, edition);
  const enclosing = code === COUNTRY_CODE ? undefined : await getEnclosing(areas, code, edition);
  const currentCode = enclosing?.code ?? COUNTRY_CODE;
  const listed = level === 'submunicipality' ? 'municity' : level;
  const read = await areas.list(listed, filterOf(enclosing, request), { resolution, knownVersions });
  if (read.unchanged) return { ...read, currentCode, value: undefined };
  const found = read.value.areas;
  if (found.length === 0) refuseEmpty(enclosing, level);
  const bounded = found.filter(({ boundaryBytes }) => boundaryBytes > 0);
  if (resolution !== undefined) requireLayer(bounded, level, resolution);
  const { edition: editionName, publishedOn, sources } = (await areas.listSources({})).value;
  const columns = columnsOf(level, resolution === undefined ? 'table' : 'layer');
  const names = await findParentNames(areas, found);
  const boundaryTerms = resolution === undefined ? null : termsOf(sources, 'boundaries');
  const plural = FILE_LEVELS[level];
  const extract: Extract = {
    name: plural,
    fileName: [
      // A release carries older editions too.
      ...[isReleaseOfEdition(read.release, edition) ? read.release : edition, currentCode, plural],
      ...(enclosing?.level === 'province' && request.scope === 'admin' ? ['admin'] : []),
      ...(resolution ? [resolution] : []),
    ].join('.'),
    release: read.release,
    edition: editionId(editionName),
    columns,
    ...joinedTerms([boundaryTerms, termsOf(sources, 'codes')]),
    published: publishedOf(publishedOn, editionName),
    size: { rows: found.length, text: resolution === undefined ? 0 : textOf(bounded) },
    rows: () => found.map((area) => valuesOf(level, area, { columns, names })),
    async *features({ isAnswering = true } = {}) {
      const { release } = read;
      const boundaries = boundariesOf(bounded, async (wanted) => {
        const texts = await areas.boundaries({ release, level: listed, resolution: resolution as Resolution }, wanted);
        if (isAnswering) ctx.deadline.renew();
        else ctx.deadline.partDone();
        return texts;
      });
      let features: ExtractedFeature[] = [];
      let length = 0;
      for await (const { area, text } of boundaries) {
        const shape = multiPolygonOf(JSON.parse(text));
        features.push({
          code: area.code,
          values: valuesOf(level, area, { columns, names }),
          shape,
          box: boxOf(shape) as Box,
          text,
        });
        length += text.length;
        if (length < FEATURES_TEXT) continue;
        yield features;
        await turn();
        [features, length] = [[], 0];
      }
      if (features.length > 0) yield features;
    },
  };
  return { ...read, currentCode, value: extract };
}

/** The names of the parents of areas, by their codes. */
async function findParentNames(areas: AreaStore, found: readonly Area[]): Promise<ReadonlyMap<string, string>> {
  const wanted = parentCodesOf(found).filter(([, codes]) => codes.length > 0);
  const parents = await Promise.all(wanted.map(([level, codes]) => areas.findMany(level, codes, {})));
  return new Map(parents.flatMap(({ value }) => value.areas.map(({ code, name }) => [code, name])));
}

function isReleaseOfEdition(release: string, edition: string | undefined): boolean {
  return edition === undefined || release.startsWith(`${edition}-`);
}

/** @throws DomainError `area_abolished`; `area_not_found` if no area of any level has the code */
async function getEnclosing(areas: AreaStore, code: string, edition: string | undefined): Promise<Area> {
  let abolished: { level: Level; lookup: Lookup } | undefined;
  for (const level of Object.keys(LEVEL_NAMES) as Level[]) {
    const { value: lookup } = await areas.find(level, code, {});
    if (lookup.area) return lookup.area;
    if (lookup.successors) abolished ??= { level, lookup };
  }
  if (abolished) requireCurrentCode(abolished.level, code, abolished.lookup, edition);
  const where = edition === undefined ? '' : ` in the edition ${edition}`;
  const hint = edition === undefined ? '' : ` /v1/changes/${code} tells what is known of it in others.`;
  throw new DomainError('area_not_found', `No area has the PSGC code ${code}${where}.${hintOfCode(code)}${hint}`);
}

/** @throws DomainError `download_not_found` if the level is above the area's own */
function filterOf(enclosing: Area | undefined, { level, scope }: ExtractRequest): AreaFilter {
  const type = level === 'submunicipality' ? SUB_MUNICIPALITY : undefined;
  if (!enclosing) return { type };
  const { code } = enclosing;
  if (enclosing.level === level) return { codes: [code], type };
  if (LEVELS.indexOf(level) < LEVELS.indexOf(enclosing.level)) refuseEmpty(enclosing, level);
  if (enclosing.level === 'region') return { regions: [{ code }], type };
  if (enclosing.level === 'province') return { province: { parent: { code }, scope }, type };
  return { municity: { code }, type };
}

function refuseEmpty(enclosing: Area | undefined, level: FileLevel): never {
  const place = enclosing ? `${enclosing.name} (${enclosing.code})` : 'the country';
  const plural = FILE_LEVELS[level];
  throw new DomainError('download_not_found', `level: there are no ${plural} in ${place}. Take another level.`);
}

/** @throws DomainError `boundaries_not_loaded` if no area has a boundary, `extract_too_large` if their text exceeds `MAX_TEXT` */
function requireLayer(bounded: readonly Area[], level: FileLevel, resolution: Resolution): void {
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

/** The length of the boundary texts of areas, characters. */
function textOf(areas: readonly Area[]): number {
  return areas.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0);
}

/** The day of an edition; of one that was published on no known day, the first of its year. */
function publishedOf(day: string | null, edition: string): Date {
  return new Date(day ?? `${/\d{4}/.exec(edition)?.[0]}-01-01`);
}
