import type pg from 'pg';
import type { Resolution } from '../../../../src/areas/store.ts';
import type { Area, AreaLevel } from '../../psgc/area.ts';
import type { Plan } from '../plan/level-plan.ts';
import { ringsOf } from '../read/geometry.ts';
import { type Country, type CountryShape, drawCountry, RANKS, type Taken, type Unit } from '../topology/country.ts';
import type { Deviation } from '../topology/measure.ts';
import type { Reassignment } from './reassign.ts';
import { BoundaryWriter } from './writer.ts';

/** The source's polygon of a province or region. */
export interface Outline {
  level: AreaLevel;
  code: string;
  rings: readonly Int32Array[];
  /** Square microdegrees. */
  area: number;
}

/** How the simplified areas of a level differ from the detailed ones. */
export interface LevelDeviations {
  level: AreaLevel;
  resolution: Exclude<Resolution, 'detailed'>;
  deviations: Deviation[];
}

/** The land of areas before and after each step of a load. Sizes are square microdegrees. */
export interface Ledger {
  areas: readonly Area[];
  /** The polygons that the topology was made of. */
  shapes: readonly { level: AreaLevel; code: string; area: number }[];
  /** The source's polygons of provinces and regions that the topology was not made of, because the areas below fill them. */
  outlines: readonly { level: AreaLevel; code: string; area: number }[];
  /** By code: the size of the polygon in the source. */
  sourceSizes: ReadonlyMap<string, number>;
  /** By code: the size of the boundary that was stored before the country was redrawn. */
  storedSizes: ReadonlyMap<string, number>;
  /** By the index of a shape: its land that belongs to no area of its level in the end. */
  lost: Float64Array;
  /** By the index of an outline: its land that belongs to no area of its level in the end. */
  uncovered: Float64Array;
  /** By the index of a shape: its land that belongs to other areas of its level in the end. */
  taken: Taken;
  reassigned: Reassignment;
}

/** What redrawing the country gives, for the checks of a load. */
export interface RedrawnCountry {
  deviations: LevelDeviations[];
  ledger: Ledger;
  /** Codes of areas whose polygon is not valid, with the reason: a fault of the topology. */
  broken: string[];
  /** The topology that the boundaries were made of. */
  country: Pick<Country, 'units' | 'topologies'>;
}

export interface CountryInput {
  areas: readonly Area[];
  plan: Plan;
  outlines: Outline[];
  /** By code: the size of the polygon in the source, square microdegrees. */
  sourceSizes: ReadonlyMap<string, number>;
  /** By code: the code that the area has in the source. */
  sourceCodes: ReadonlyMap<string, string>;
  reassigned: Reassignment;
  /** Called with 0 to 1 and what is being done. */
  onProgress: (fraction: number, label: string) => void;
}

/**
 * If its areas leave out more than this share of an outline, it becomes part of the topology: a lake may belong to no
 * municipality, or no barangay be drawn on some land. Smaller remains are slivers.
 */
const LEFT_OUT = 0.0005;

/** The progress, from 0 to 1, when all borders are read, and when they are drawn. */
const READ = 0.1;
const DRAWN = 0.4;

/**
 * Redraws the whole country as one topology from the detailed boundaries that are written, and writes the boundaries
 * of all levels at three resolutions in their place.
 */
export async function redrawCountry(
  client: pg.ClientBase,
  releaseId: string,
  { areas, plan, outlines, sourceSizes, sourceCodes, reassigned, onProgress }: CountryInput,
): Promise<RedrawnCountry> {
  onProgress(0, 'Reading the borders of the country');
  const unitOf = unitsOf(areas, plan, reassigned);
  const dissolved = new Set(plan.flatMap(({ dissolve }) => dissolve.map(({ area }) => area.code)));
  const shapes: (CountryShape & { area: number })[] = [];
  for (const level of RANKS) {
    for await (const { code, geojson } of detailedTexts(client, releaseId, level)) {
      if (dissolved.has(code)) continue;
      shapes.push({ level, code, unit: unitOf(code), ...ringsOf(JSON.parse(geojson)) });
    }
  }
  const storedSizes = new Map(shapes.map(({ code, area }) => [code, area]));
  const incomplete = incompleteOutlines(areas, outlines, { unitOf, storedSizes, sourceCodes });
  for (const outline of incomplete) shapes.push({ ...outline, unit: unitOf(outline.code) });
  const filled = outlines.filter((outline) => !incomplete.includes(outline));
  onProgress(READ, 'Drawing the borders of the country');
  const { resolutions, lost, uncovered, taken, units, topologies } = drawCountry(shapes, filled);
  onProgress(DRAWN, 'Writing boundaries');
  await client.query('delete from boundaries where release_id = $1', [releaseId]);
  const writer = new BoundaryWriter(client, releaseId);
  const deviations: LevelDeviations[] = [];
  const total = resolutions.length * RANKS.length;
  let done = 0;
  for (const { resolution, polygons, deviations: deviationsAt } of resolutions) {
    for (const level of RANKS) {
      for (const { name: code, geojson } of polygons(level)) {
        await writer.add({ level, resolution, code, geojson, at: code });
      }
      if (resolution !== 'detailed') deviations.push({ level, resolution, deviations: deviationsAt(level) });
      done += 1;
      onProgress(DRAWN + ((1 - DRAWN) * done) / total, 'Writing boundaries');
    }
  }
  await writer.flush();
  const broken = [...writer.repaired, ...writer.vanished].map(
    ({ code, resolution, reason }) => `${code} ${resolution}: ${reason}`,
  );
  // The rings are no longer needed.
  const sizes = (all: readonly Outline[]) => all.map(({ level, code, area }) => ({ level, code, area }));
  const ledger: Ledger = {
    areas,
    shapes: sizes(shapes),
    outlines: sizes(filled),
    sourceSizes,
    storedSizes,
    lost,
    uncovered,
    taken,
    reassigned,
  };
  return { deviations, ledger, broken, country: { units, topologies } };
}

/** Makes the function that says to which area of each level the land of an area belongs; for land, see `Unit`. */
function unitsOf(areas: readonly Area[], plan: Plan, { left }: Reassignment): (code: string) => Unit {
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const absent = new Set(plan.flatMap(({ missing }) => missing.map(({ area }) => area.code)));
  // A barangay that stays in another city or municipality belongs to that one's land.
  const hosts = new Map(left.map(({ code, host }) => [code, host]));
  const present = (code: string | null | undefined) =>
    code === null || code === undefined || absent.has(code) || !byCode.has(code) ? null : code;
  const upwards = (municity: Area | undefined): Pick<Unit, 'province' | 'region'> => {
    const host = byCode.get(municity?.hostProvinceCode ?? '');
    const province = municity?.provinceCode ?? (host?.regionCode === municity?.regionCode ? host?.code : null);
    return { province: present(province), region: present(municity?.regionCode) };
  };
  return (code) => {
    const area = byCode.get(code) as Area;
    const none: Unit = { barangay: null, submunicipality: null, municity: null, province: null, region: null };
    if (area.level === 'region') return { ...none, region: code };
    if (area.level === 'province') return { ...none, province: code, region: present(area.regionCode) };
    if (area.level === 'municity') return { ...none, municity: code, ...upwards(area) };
    const host = hosts.get(code);
    const municity = host ?? area.municityCode;
    const unit = { ...none, municity: present(municity), ...upwards(byCode.get(municity ?? '')) };
    if (area.level === 'submunicipality') return { ...unit, submunicipality: code };
    return { ...unit, barangay: code, submunicipality: host === undefined ? present(area.submunicipalityCode) : null };
  };
}

/** The provinces and regions whose polygons in the source are larger than the areas in them, by more than `LEFT_OUT`. */
function incompleteOutlines(
  areas: readonly Area[],
  outlines: readonly Outline[],
  {
    unitOf,
    storedSizes,
    sourceCodes,
  }: Pick<CountryInput, 'sourceCodes'> & Pick<Ledger, 'storedSizes'> & { unitOf: (code: string) => Unit },
): Outline[] {
  /** The sizes of the areas in each area, by code; in a region of the source by the digits of the region. */
  const sizes = new Map<string, number>();
  const add = (code: string | null, size: number) => {
    if (code !== null) sizes.set(code, (sizes.get(code) ?? 0) + size);
  };
  const at = (level: AreaLevel) => areas.filter((area) => area.level === level);
  for (const { code } of at('barangay')) add(unitOf(code).municity, storedSizes.get(code) ?? 0);
  for (const { code } of at('municity')) {
    const unit = unitOf(code);
    const size = storedSizes.get(code) ?? sizes.get(code) ?? 0;
    add(unit.province, size);
    // The source draws its regions with the provinces that they had then. Codes begin with the digits of the region.
    add(regionDigits(sourceCodes.get(code) ?? code), size);
  }
  const incomplete: Outline[] = [];
  for (const level of ['province', 'region'] as const) {
    for (const outline of outlines.filter((it) => it.level === level)) {
      const source = sourceCodes.get(outline.code) ?? outline.code;
      const leftOut = outline.area - (sizes.get(level === 'region' ? regionDigits(source) : outline.code) ?? 0);
      if (leftOut <= LEFT_OUT * outline.area) continue;
      incomplete.push(outline);
      if (level === 'province') add(regionDigits(source), leftOut);
    }
  }
  return incomplete;
}

function regionDigits(code: string): string {
  return code.slice(0, 2);
}

/** Bytes of GeoJSON that one query reads, about. */
const PAGE_BYTES = 4_000_000;

/** The detailed boundaries of a level in the order of their codes, as GeoJSON texts. */
export async function* detailedTexts(
  client: pg.ClientBase,
  releaseId: string,
  level: AreaLevel,
): AsyncGenerator<{ code: string; geojson: string }> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ code: string; geojson: string }>(
      `select code, geojson from (
         select code, geojson, sum(bytes) over (order by code) - bytes as before from boundaries
         where release_id = $1 and level = $2 and resolution = 'detailed' and code > $3
       ) page where before < $4 order by code`,
      [releaseId, level, after, PAGE_BYTES],
    );
    if (rows.length === 0) return;
    yield* rows;
    after = rows.at(-1)?.code ?? '';
  }
}
