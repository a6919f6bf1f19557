import type { Release } from '../../psgc/area.ts';
import { findBoundaryFiles } from '../read/files.ts';
import { ringsOf, tidyGeometry } from '../read/geometry.ts';
import { surveyFiles } from '../read/survey.ts';
import { pointOnSurface } from './centre.ts';
import { measureUnits } from './measure.ts';

/** Facts of an area by the files from which the borders were made. */
export interface Control {
  readonly code: string;
  /** Square kilometres of its own polygon on the ellipsoid, as `measureUnits` measures, with five significant digits. */
  readonly km2: number;
  /** For some barangays: a point inside the polygon, degrees with six decimals. */
  readonly point: { readonly lon: number; readonly lat: number } | null;
}

/** One in this many barangays has a point: 2,001 in all. */
const POINT_EVERY = 21;

/**
 * Measures the detailed polygons of boundary files as they are, one by one. Tests compare the borders with this,
 * because they don't have the files.
 *
 * @param path a directory of boundary files, or one of them, which were loaded without a problem
 * @param release whose areas are measured
 * @param scratch a directory for temporary files
 * @returns in the order of the codes; without areas that the files have no detailed polygon of
 * @throws Error if there are no boundary files
 */
export async function controlOf(path: string, release: Release, scratch: string): Promise<Control[]> {
  const barangays = release.areas.filter(({ level }) => level === 'barangay').map(({ code }) => code);
  const pointed = new Set(barangays.sort().filter((_, i) => i % POINT_EVERY === 0));
  const { files } = await surveyFiles(await findBoundaryFiles(path), release, { scratch });
  const control: Control[] = [];
  for (const { file, features } of files) {
    const isWanted = features.map((found) => found?.resolution === 'detailed' && !found.inherited);
    if (!isWanted.includes(true)) continue;
    let index = -1;
    for await (const { geometry } of file.format.read(file, scratch)) {
      index += 1;
      const code = features[index]?.area.code;
      const tidied = isWanted[index] ? tidyGeometry(geometry) : null;
      if (code === undefined || tidied === null) continue;
      control.push({ code, ...measured(ringsOf(tidied.geometry).rings, pointed.has(code)) });
    }
  }
  return control.sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** @param rings in microdegrees, longitudes and latitudes by turns, with the interior on their left */
function measured(rings: readonly Int32Array[], isPointed: boolean): Omit<Control, 'code'> {
  const flat = rings.flatMap((ring) => [...ring]);
  const vertices = {
    xs: Int32Array.from(flat.filter((_, i) => i % 2 === 0)),
    ys: Int32Array.from(flat.filter((_, i) => i % 2 === 1)),
  };
  let next = 0;
  const paths = rings.map((ring) => Array.from({ length: ring.length / 2 }, () => next++));
  const { km2 } = measureUnits({ ...vertices, arcs: paths.map((path) => ({ path, left: 0, right: -1 })) }, 1);
  const [lon, lat] = (isPointed && pointOnSurface(vertices, [[paths]])) || [];
  return {
    km2: Number((km2[0] as number).toPrecision(5)),
    point: lon === undefined || lat === undefined ? null : { lon: lon / 1e6, lat: lat / 1e6 },
  };
}
