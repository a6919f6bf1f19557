import { RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import { type DataRelease, densitiesOf } from '../data/release.ts';
import type { Release } from '../psgc/area.ts';
import { placesOf, type SnapshotArea, type SnapshotInput } from './areas.ts';
import type { SnapshotSource } from './build.ts';
import type { Points } from './points.ts';

interface Identity {
  /** `2026-3q-1` */
  readonly id: string;
  readonly version: string;
  /** The last id of areas that the database has where this release is loaded. */
  readonly firstId?: number | undefined;
}

/** Measures of an area by the borders, in degrees and square kilometres. */
export interface Measured {
  readonly km2: number | null;
  readonly centre: readonly [number, number] | null;
  readonly box: readonly [number, number, number, number] | null;
}

/** The areas of a release as its snapshot has them. */
export function snapshotAreasOf(
  release: Pick<Release, 'areas'>,
  measured: (code: string) => Measured | undefined,
  firstId = 0,
): SnapshotArea[] {
  const densities = densitiesOf(release.areas, (code) => measured(code)?.km2);
  return release.areas.map((area, row): SnapshotArea => {
    const { km2 = null, centre = null, box = null } = measured(area.code) ?? {};
    return {
      // As the database numbers the same areas.
      id: firstId + row + 1,
      level: area.level,
      code: area.code,
      name: area.name,
      type: area.type,
      city_class: area.cityClass,
      r_code: area.regionCode,
      p_code: area.provinceCode,
      host_province_code: area.hostProvinceCode,
      m_code: area.municityCode,
      sm_code: area.submunicipalityCode,
      urban_rural: area.urbanRural,
      population: area.population,
      population_year: area.populationYear,
      population_history: area.populations,
      income_class: area.incomeClass,
      area_km2: km2,
      density_km2: densities.get(area.code) ?? null,
      notes: area.notes.length > 0 ? area.notes : null,
      correspondence: area.correspondence,
      lon: centre?.[0] ?? null,
      lat: centre?.[1] ?? null,
      bbox: box ? [...box] : null,
      province_count: area.provinceCount,
      municity_count: area.municityCount,
      hosted_municity_count: area.hostedMunicityCount,
      barangay_count: area.barangayCount,
    };
  });
}

/** The names and former codes of a release, in the order in which a database would give them. */
export function namesOf({
  names,
  formerNames,
  aliases,
}: Release): Pick<SnapshotInput, 'names' | 'formerNames' | 'aliases'> {
  return {
    names,
    formerNames: sorted(formerNames, ({ code, name }) => `${code} ${name}`),
    aliases: sorted(aliases, ({ level, alias, code }) => `${level} ${alias} ${code}`),
  };
}

/** A release of what the repository has, as its snapshot is made of it. */
export function dataSource(
  { release, drawn, sources }: DataRelease,
  { id, version, firstId }: Identity,
  points: () => Promise<Points>,
): SnapshotSource {
  const areas = snapshotAreasOf(release, (code) => drawn.areas.get(code), firstId);
  const lengthsAt = (resolution: Resolution) =>
    Uint32Array.from(areas, ({ code }) => drawn.areas.get(code)?.bytes[resolution] ?? 0);
  const input: SnapshotInput = {
    release: id,
    version,
    edition: release.edition,
    publishedOn: release.publishedOn,
    boundarySet: 'full',
    sources: [...sources],
    areas,
    lengths: Object.fromEntries(RESOLUTIONS.map((it) => [it, lengthsAt(it)])) as SnapshotInput['lengths'],
    places: placesOf(areas),
    ...namesOf(release),
    neighbors: drawn.neighbors,
  };
  return {
    input,
    points,
    isDrawn: true,
    async *texts({ resolution, rows }) {
      for (const row of rows) {
        const text = drawn.areas.get(areas[row]?.code ?? '')?.text(resolution);
        if (text) yield { row, text };
      }
    },
  };
}

function sorted<T>(list: readonly T[], key: (item: T) => string): T[] {
  return list
    .map((item) => ({ item, by: key(item) }))
    .sort((a, b) => (a.by < b.by ? -1 : 1))
    .map(({ item }) => item);
}
