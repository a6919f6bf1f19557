import type pg from 'pg';
import type { Area, AreaLevel } from '../../psgc/area.ts';
import type { LevelPlan, Plan } from '../plan/level-plan.ts';
import { type Ring, ringsOf, tidyGeometry } from '../read/geometry.ts';
import type { Survey } from '../read/survey.ts';
import { dissolveBoundaries } from './dissolve.ts';
import { type Reassignment, reassignBarangays } from './reassign.ts';
import { type CountryInput, type Outline, type RedrawnCountry, redrawCountry } from './redraw.ts';
import { BoundaryWriter, type Repair } from './writer.ts';

export interface WrittenBoundaries extends RedrawnCountry {
  repaired: Repair[];
  vanished: Repair[];
  reassigned: Reassignment;
}

/** Shares of the time that storing the source's polygons takes, and completing those below provinces. */
const STORING = 0.35;
const COMPLETING = 0.1;

/** Levels whose polygons only take part in the topology; those below them are first put right in the database. */
const OUTLINES: readonly AreaLevel[] = ['province', 'region'];

interface Input {
  areas: readonly Area[];
  plan: Plan;
  survey: Survey;
  /** The directory of the readers, the same one as at the survey. */
  scratch: string;
  /** Called with 0 to 1 and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

/** Writes the boundaries of a release as planned, at three resolutions, within the open transaction of the client. */
export async function writeBoundaries(
  client: pg.ClientBase,
  releaseId: string,
  { areas, plan, survey, scratch, onProgress }: Input,
): Promise<WrittenBoundaries> {
  const writer = new BoundaryWriter(client, releaseId);
  const source = await storeFeatures(writer, {
    plan,
    survey,
    scratch,
    onProgress: (fraction) => onProgress?.(STORING * fraction, 'Storing boundaries'),
  });
  let reassigned: Reassignment = { moved: [], left: [] };
  // Levels are completed from barangays up, because parents are dissolved from the complete level below them.
  for (const levelPlan of plan) {
    const { level, dissolve } = levelPlan;
    if (OUTLINES.includes(level)) continue;
    onProgress?.(STORING, `Completing boundaries: ${level}`);
    await dissolveBoundaries(client, releaseId, levelPlan);
    if (level !== 'municity') continue;
    reassigned = await reassignBarangays(
      client,
      releaseId,
      dissolve.map(({ area }) => area.code),
    );
  }
  const redrawn = await redrawCountry(client, releaseId, {
    areas,
    plan,
    ...source,
    reassigned,
    onProgress: (fraction, label) => onProgress?.(STORING + COMPLETING + (1 - STORING - COMPLETING) * fraction, label),
  });
  return { repaired: writer.repaired, vanished: writer.vanished, reassigned, ...redrawn };
}

type StoreInput = Pick<Input, 'plan' | 'survey' | 'scratch'> & { onProgress: (fraction: number) => void };

/**
 * Stores the finest polygon of each area below provinces, and reads those of provinces and regions.
 *
 * @returns members of `CountryInput`
 */
async function storeFeatures(
  writer: BoundaryWriter,
  { plan, survey, scratch, onProgress }: StoreInput,
): Promise<Pick<CountryInput, 'outlines' | 'sourceSizes' | 'sourceCodes'>> {
  const plans = new Map(plan.map((levelPlan): [AreaLevel, LevelPlan] => [levelPlan.level, levelPlan]));
  const dissolved = new Set(plan.flatMap((levelPlan) => levelPlan.dissolve.map(({ area }) => area.code)));
  const outlines: Outline[] = [];
  /** Areas that get the polygons of abolished ones, and what was read of these. */
  const joint = new Set(
    survey.files.flatMap(({ features }) => features.flatMap((it) => (it?.inherited ? [it.area.code] : []))),
  );
  const parts = new Map<string, { level: AreaLevel; at: string; polygons: Ring[][] }>();
  const sourceSizes = new Map<string, number>();
  const sourceCodes = new Map<string, string>();
  const total = survey.files.reduce((sum, { features }) => sum + features.length, 0);
  let done = 0;
  for (const { file, features } of survey.files) {
    // A file without needed polygons is not read again.
    if (!features.some((it) => it && plans.get(it.area.level)?.places.has(it.at))) {
      done += features.length;
      continue;
    }
    let index = 0;
    for await (const feature of file.format.read(file, scratch)) {
      const found = features[index++];
      if (++done % 500 === 0) onProgress(done / total);
      if (!found) continue;
      const { level, code } = found.area;
      const isOutline = OUTLINES.includes(level);
      if (!plans.get(level)?.places.has(found.at) || (!isOutline && dissolved.has(code))) continue;
      const tidied = tidyGeometry(feature.geometry);
      if (tidied === null) continue;
      const { rings, area } = ringsOf(tidied.geometry);
      sourceSizes.set(code, (sourceSizes.get(code) ?? 0) + area);
      if (!found.inherited || !sourceCodes.has(code)) sourceCodes.set(code, found.sourceCode);
      if (isOutline) outlines.push({ level, code, rings, area });
      else if (joint.has(code)) {
        const polygons =
          tidied.geometry.type === 'Polygon' ? [tidied.geometry.coordinates] : tidied.geometry.coordinates;
        const part = parts.get(code) ?? { level, at: found.at, polygons: [] };
        part.polygons.push(...polygons);
        parts.set(code, part);
      } else {
        const geojson = JSON.stringify(tidied.geometry);
        await writer.add({ level, resolution: 'detailed', code, geojson, at: found.at });
      }
    }
  }
  // PostGIS finds that the polygons touch or overlap, and repairs them, which makes one of them.
  for (const [code, { level, at, polygons }] of parts) {
    const geojson = JSON.stringify({ type: 'MultiPolygon', coordinates: polygons });
    await writer.add({ level, resolution: 'detailed', code, geojson, at });
  }
  await writer.flush();
  return { outlines, sourceSizes, sourceCodes };
}
