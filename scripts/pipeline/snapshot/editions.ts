import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { compareEditions, editionId, lastDayOf } from '../../../src/areas/edition-id.ts';
import { nameKey } from '../../../src/areas/names.ts';
import {
  editionBoundariesName,
  editionName,
  NO_ROW,
  type SnapshotObject,
  THROUGH_TIME,
} from '../../../src/areas/snapshot/layout.ts';
import type { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import { RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import { Drawing, type DrawnArea, type DrawnCountry } from '../boundaries/packed/draw.ts';
import { landIn } from '../boundaries/packed/land.ts';
import { type Borders, readBorders } from '../boundaries/packed/repository-files.ts';
import { RANKS, type Unit } from '../boundaries/topology/country.ts';
import { bordersSource } from '../data/release.ts';
import { openRelease } from '../downloads/release-files.ts';
import { WHOLE_COUNTRY } from '../editions/edition.ts';
import { releaseOf } from '../editions/release.ts';
import { writeObject } from '../object-files.ts';
import type { Area, AreaLevel, Release } from '../psgc/area.ts';
import { toRelease } from '../psgc/areas.ts';
import { publicationOf, readHistory } from '../psgc/history.ts';
import { encodeAreas, placesOf, type SnapshotArea } from './areas.ts';
import type { EditionObjects } from './build.ts';
import { type Measured, namesOf, snapshotAreasOf } from './data-source.ts';
import { AreaVersions, type EditionMember } from './versions.ts';

interface EditionsOptions {
  /** Whether the borders in the repository draw the release. Else the areas of other editions have no boundaries. */
  isDrawn: boolean;
  /** The ids of the editions; all in the repository where it is left out. */
  only?: readonly string[] | undefined;
}

/**
 * Makes the objects of the other editions in the repository for the snapshot of a release, and those of the versions of
 * areas in all editions. An area with the same land as one of the release has its boundary; only the
 * others are drawn. Takes some two seconds for each edition.
 *
 * @param directory that they are written to
 */
export async function* buildEditions(
  directory: string,
  { isDrawn, only }: EditionsOptions,
): AsyncGenerator<EditionObjects> {
  const [history, borders, opened] = await Promise.all([readHistory(), readBorders(), openRelease(directory)]);
  // The list of a part of the country stands alone: the editions are those of the whole country.
  const isPart = opened.size < WHOLE_COUNTRY * (history.editions.at(-1)?.areas ?? 0);
  const drawnBy = toRelease(publicationOf(history, borders.psgcEdition));
  const own = editionId(opened.facts.edition);
  const hashes = hashesOf(borders.country.units.length);
  const units = isDrawn && !isPart ? borders.country.units : [];
  const base = signatures(landIn(units, drawnBy, listOf(opened)), hashes);
  const drawing = new Drawing(borders.country);
  const drawn: DrawnByLand = new Map(RANKS.map((level) => [level, new Map()]));
  const listed = isPart ? [] : history.editions.map(({ id }) => id).filter((id) => only?.includes(id) ?? true);
  const ids = [...new Set([...listed, own])].sort(compareEditions);
  const versions = new AreaVersions();
  const write = async (name: string, { areas, boundaries }: { areas: Uint8Array; boundaries: Uint8Array }) => {
    const objects: SnapshotObject[] = [await writeObject(directory, editionName(name), gzipSync(areas, { level: 6 }))];
    if (boundaries.length > 0) objects.push(await writeObject(directory, editionBoundariesName(name), boundaries));
    return objects;
  };
  for (const [i, id] of ids.entries()) {
    const fraction = (i + 1) / (ids.length + 1);
    if (id === own) {
      versions.add(dated(id, opened.facts.publishedOn), membersOf(opened, base));
      continue;
    }
    const release = releaseOf(history, id);
    const encoded = encodeEdition(release, landIn(units, drawnBy, release), {
      borders,
      drawing,
      drawn,
      opened,
      base,
      hashes,
      isDrawn,
    });
    versions.add(dated(id, release.publishedOn), encoded.members);
    yield { objects: await write(id, encoded), fraction };
  }
  const { release, version, edition, publishedOn = null, boundarySet, sources } = opened.facts;
  const encoded = versions.encode({ release, version, edition, publishedOn, boundarySet, sources });
  yield { objects: await write(THROUGH_TIME, encoded), fraction: 1 };
}

function dated(id: string, publishedOn: string | null | undefined): { id: string; day: string } {
  return { id, day: publishedOn ?? lastDayOf(id) };
}

/** The areas of the release. */
function* membersOf(opened: OpenedAreas, base: Signatures): Generator<EditionMember> {
  for (let row = 0; row < opened.size; row += 1) {
    const it = opened.area(row, undefined);
    const area: SnapshotArea = {
      id: it.id,
      level: it.level,
      code: it.code,
      name: it.name,
      type: it.type,
      city_class: it.cityClass,
      r_code: it.regionCode,
      p_code: it.provinceCode,
      host_province_code: it.hostProvinceCode,
      m_code: it.municityCode,
      sm_code: it.submunicipalityCode,
      urban_rural: it.urbanRural,
      population: it.population,
      population_year: it.populationYear,
      population_history: null,
      income_class: it.incomeClass,
      area_km2: it.areaKm2,
      density_km2: it.densityKm2,
      notes: null,
      correspondence: null,
      lon: it.centroid?.[0] ?? null,
      lat: it.centroid?.[1] ?? null,
      bbox: it.bbox,
      province_count: it.provinceCount,
      municity_count: it.municityCount,
      hosted_municity_count: it.hostedMunicityCount,
      barangay_count: it.barangayCount,
    };
    yield { area, land: base.get(it.level)?.get(it.code), drawnBy: row, drawn: undefined };
  }
}

/** The list of a release, as far as land is found by it. It need not be in the repository. */
function listOf(opened: OpenedAreas): Parameters<typeof landIn>[2] {
  const { edition } = opened.facts;
  const areas = Array.from({ length: opened.size }, (_, row) => {
    const area = opened.area(row, undefined);
    const {
      level,
      code,
      name,
      cityClass,
      regionCode,
      provinceCode,
      hostProvinceCode,
      municityCode,
      submunicipalityCode,
      population,
    } = area;
    const belongs = { regionCode, provinceCode, hostProvinceCode, municityCode, submunicipalityCode };
    const type = area.type as Area['type'];
    return { level, code, name, nameKey: nameKey(name), type, cityClass, ...belongs, population } as Area;
  }).map((area): Area => ({ ...area, correspondence: null, notes: [] }));
  return { edition, publishedOn: null, areas, formerNames: [] };
}

/** Signatures of areas' land, by level and code. */
type Signatures = ReadonlyMap<AreaLevel, ReadonlyMap<string, string>>;

/** Areas that are drawn already, by level and signature. Most of an older edition have the same land in the next. */
type DrawnByLand = ReadonlyMap<AreaLevel, Map<string, DrawnArea>>;

interface EditionContext {
  readonly borders: Borders;
  readonly drawing: Drawing;
  readonly drawn: DrawnByLand;
  readonly opened: OpenedAreas;
  readonly base: Signatures;
  readonly hashes: readonly Uint32Array[];
  readonly isDrawn: boolean;
}

function encodeEdition(
  release: Release,
  units: readonly Unit[],
  { borders, drawing, drawn: drawnByLand, opened, base, hashes, isDrawn }: EditionContext,
): { areas: Uint8Array; boundaries: Uint8Array; members: EditionMember[] } {
  const own = signatures(units, hashes);
  const codeBySignature = new Map(
    RANKS.map((level) => [level, new Map([...(base.get(level) ?? [])].map(([code, signature]) => [signature, code]))]),
  );
  const drawnBy = Uint16Array.from(release.areas, ({ level, code }) => {
    const signature = own.get(level)?.get(code);
    const same = signature === undefined ? undefined : codeBySignature.get(level)?.get(signature);
    return same === undefined ? NO_ROW : opened.rowOf(level, same);
  });
  const rowOf = new Map(release.areas.map(({ code }, row) => [code, row]));
  const isShared = (code: string) => drawnBy[rowOf.get(code) ?? -1] !== NO_ROW;
  const drawn: DrawnCountry = isDrawn
    ? {
        areas: drawOnce(drawing, units, { own, drawnByLand, isShared }),
        neighbors: drawing.neighbors(units, (_, code) => !isShared(code)),
      }
    : { areas: new Map(), neighbors: [] };
  const areas = snapshotAreasOf(release, (code): Measured | undefined => {
    const shape = drawn.areas.get(code);
    if (shape) return shape;
    const row = drawnBy[rowOf.get(code) ?? -1];
    if (row === undefined || row === NO_ROW) return undefined;
    const { areaKm2: km2, centroid: centre, bbox: box } = opened.area(row, undefined);
    return { km2, centre, box };
  });
  const lengthsAt = (resolution: Resolution) =>
    Uint32Array.from(areas, ({ code }) => drawn.areas.get(code)?.bytes[resolution] ?? 0);
  const { version, release: id } = opened.facts;
  const input = {
    release: id,
    // Responses of different editions must not be confused.
    version: `${version}-${editionId(release.edition)}`,
    edition: release.edition,
    publishedOn: release.publishedOn,
    boundarySet: isDrawn ? ('full' as const) : ('none' as const),
    sources: [
      ...release.sources,
      ...(isDrawn ? [bordersSource(borders, release.areas, (code) => isShared(code) || drawn.areas.has(code))] : []),
    ],
    areas,
    lengths: Object.fromEntries(RESOLUTIONS.map((it) => [it, lengthsAt(it)])) as Record<Resolution, Uint32Array>,
    places: placesOf(areas),
    ...namesOf(release),
    neighbors: neighborsOf(release, { drawnBy, drawn, opened }),
  };
  const texts = RESOLUTIONS.flatMap((resolution) =>
    areas.flatMap(({ code }) => drawn.areas.get(code)?.text(resolution) ?? []),
  );
  const members = areas.map((area, row) => ({
    area,
    land: own.get(area.level)?.get(area.code),
    drawnBy: drawnBy[row] as number,
    drawn: drawn.areas.get(area.code),
  }));
  return { areas: encodeAreas(input, { cells: [], drawnBy, key: nameKey }), boundaries: Buffer.concat(texts), members };
}

/** Draws the areas of an edition that are not shared with the release, but those that were drawn for another edition. */
function drawOnce(
  drawing: Drawing,
  units: readonly Unit[],
  { own, drawnByLand, isShared }: { own: Signatures; drawnByLand: DrawnByLand; isShared: (code: string) => boolean },
): ReadonlyMap<string, DrawnArea> {
  const areas = new Map<string, DrawnArea>();
  for (const [level, signatures] of own) {
    for (const [code, signature] of signatures) {
      const drawn = isShared(code) ? undefined : drawnByLand.get(level)?.get(signature);
      if (drawn) areas.set(code, drawn);
    }
  }
  const isNew = (code: string) => !isShared(code) && !areas.has(code);
  for (const [code, area] of drawing.areas(units, (_, it) => isNew(it))) areas.set(code, area);
  for (const [level, signatures] of own) {
    for (const [code, signature] of signatures) {
      const drawn = areas.get(code);
      if (drawn) drawnByLand.get(level)?.set(signature, drawn);
    }
  }
  return areas;
}

/** Neighbours of areas with the land of areas of the release are those of these; of the others, those that they touch. */
function neighborsOf(
  release: Release,
  { drawnBy, drawn, opened }: { drawnBy: Uint16Array; drawn: DrawnCountry; opened: OpenedAreas },
) {
  const rowThen = new Map([...drawnBy].flatMap((now, row) => (now === NO_ROW ? [] : [[now, row] as const])));
  const shared = release.areas.flatMap(({ level, code }, row) => {
    const now = drawnBy[row] as number;
    if (now === NO_ROW) return [];
    return [...opened.neighborsOf(now)].flatMap((neighbor) => {
      const then = rowThen.get(neighbor);
      return then === undefined ? [] : [{ level, code, neighbor: release.areas[then]?.code as string }];
    });
  });
  return [...shared, ...drawn.neighbors].sort((a, b) => compare(a.code, b.code) || compare(a.neighbor, b.neighbor));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Two random numbers per unit, the same in every run. Their sums identify sets of units. */
function hashesOf(units: number): Uint32Array[] {
  return ['a', 'b'].map((salt) => {
    const bytes = new Uint8Array(4 * units);
    for (let at = 0; at < bytes.length; at += 32) {
      bytes.set(
        createHash('sha256')
          .update(`${salt}${at}`)
          .digest()
          .subarray(0, bytes.length - at),
        at,
      );
    }
    return new Uint32Array(bytes.buffer);
  });
}

function signatures(units: readonly Unit[], [one, other]: readonly Uint32Array[]): Signatures {
  return new Map(
    RANKS.map((level) => {
      const sums = new Map<string, [number, number, number]>();
      for (const [unit, { [level]: code }] of units.entries()) {
        if (code === null) continue;
        const sum = sums.get(code) ?? [0, 0, 0];
        sums.set(code, sum);
        sum[0] += 1;
        sum[1] = (sum[1] + (one?.[unit] as number)) >>> 0;
        sum[2] = (sum[2] + (other?.[unit] as number)) >>> 0;
      }
      return [level, new Map([...sums].map(([code, sum]) => [code, sum.join()]))] as const;
    }),
  );
}
