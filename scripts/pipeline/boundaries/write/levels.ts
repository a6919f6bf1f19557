import type pg from 'pg';
import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import { FINEST_FIRST, type LevelPlan, type Plan } from '../plan/level-plan.ts';
import { tidyGeometry } from '../read/geometry.ts';
import type { Survey } from '../read/survey.ts';
import { dissolveBoundaries } from './dissolve.ts';
import { type Filled, fillResolutions } from './fill.ts';
import { type Reassignment, reassignBarangays } from './reassign.ts';
import { simplifyLevel } from './simplify.ts';
import { BoundaryWriter, type Repair } from './writer.ts';

export interface WrittenBoundaries {
  repaired: Repair[];
  vanished: Repair[];
  filled: Map<AreaLevel, Filled[]>;
  reassigned: Reassignment;
}

/** Share of the time that reading and storing the source's own polygons takes where nothing is simplified. */
const STORING = 0.9;

interface Input {
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
  { plan, survey, scratch, onProgress }: Input,
): Promise<WrittenBoundaries> {
  const writer = new BoundaryWriter(client, releaseId);
  await storeFeatures(writer, {
    plan,
    survey,
    scratch,
    onProgress: (fraction) => onProgress?.(STORING * fraction, 'Storing boundaries'),
  });
  const filled = new Map<AreaLevel, Filled[]>();
  let reassigned: Reassignment = { moved: [], left: [] };
  // Levels are written from barangays up, because parents are dissolved from the complete level below them.
  for (const [i, levelPlan] of plan.entries()) {
    const { level, origins } = levelPlan;
    onProgress?.(STORING + ((1 - STORING) * i) / plan.length, `Completing boundaries: ${level}`);
    const given = FINEST_FIRST.filter((resolution) => origins[resolution].kind !== 'simplified');
    const fills = await fillResolutions(client, releaseId, { level, resolutions: given });
    for (const resolution of given) await dissolveBoundaries(client, releaseId, { levelPlan, resolution });
    if (level === 'municity') {
      const dissolved = levelPlan.dissolve.map(({ area }) => area.code);
      reassigned = await reassignBarangays(client, releaseId, { resolutions: given, dissolved });
    }
    const coarser = (['medium', 'simple'] as const).filter((resolution) => origins[resolution].kind === 'simplified');
    if (coarser.length > 0) {
      await simplifyLevel(client, releaseId, { level, resolutions: coarser, writer });
      fills.push(...(await fillResolutions(client, releaseId, { level, resolutions: FINEST_FIRST })));
    }
    filled.set(level, fills);
  }
  return { repaired: writer.repaired, vanished: writer.vanished, filled, reassigned };
}

async function storeFeatures(
  writer: BoundaryWriter,
  { plan, survey, scratch, onProgress }: Omit<Input, 'onProgress'> & { onProgress: (fraction: number) => void },
): Promise<void> {
  const plans = new Map(plan.map((levelPlan) => [levelPlan.level, levelPlan]));
  const dissolved = new Set(plan.flatMap((levelPlan) => levelPlan.dissolve.map(({ area }) => area.code)));
  const total = survey.files.reduce((sum, { features }) => sum + features.length, 0);
  let done = 0;
  for (const { file, features } of survey.files) {
    let index = 0;
    for await (const feature of file.format.read(file, scratch)) {
      const found = features[index++];
      if (++done % 500 === 0) onProgress(done / total);
      if (!found || dissolved.has(found.area.code)) continue;
      const { level, code } = found.area;
      const resolutions = storedResolutions(plans.get(level), found.resolution);
      const tidied = resolutions.length > 0 ? tidyGeometry(feature.geometry) : null;
      if (tidied === null) continue;
      const geojson = JSON.stringify(tidied.geometry);
      for (const resolution of resolutions) await writer.add({ level, resolution, code, geojson, at: found.at });
    }
  }
  await writer.flush();
}

/** The resolutions at which the source's polygons of one resolution are stored. */
function storedResolutions(plan: LevelPlan | undefined, given: Resolution): Resolution[] {
  if (!plan) return [];
  return FINEST_FIRST.filter((resolution) => {
    const origin = plan.origins[resolution];
    return origin.kind === 'source' && origin.resolution === given;
  });
}
