import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { DataSource } from '../../../src/db/columns.ts';
import type { boundarySet } from '../../../src/db/schema/geography.ts';
import type { AreaLevel, Release } from '../psgc/area.ts';
import { LoadRefused } from '../psgc/checks.ts';
import { describeChanges } from './check/describe.ts';
import { findLosses } from './check/losses.ts';
import { type BoundaryReport, makeReport } from './check/report.ts';
import { findShapeProblems } from './check/shapes.ts';
import { verifyStored } from './check/verify.ts';
import type { Plan } from './plan/level-plan.ts';
import { CORRECT_BOUNDARIES, explainGaps, listUnexplained } from './plan/missing.ts';
import { planBoundaries } from './plan/origins.ts';
import { download, isUrl } from './read/download.ts';
import { findBoundaryFiles } from './read/files.ts';
import { readBoundarySource } from './read/source.ts';
import { type Survey, surveyFiles } from './read/survey.ts';
import { deriveFromBoundaries } from './write/derive.ts';
import { writeBoundaries } from './write/levels.ts';
import type { RedrawnCountry } from './write/redraw.ts';

export interface BoundaryOptions {
  /** A directory of boundary files, one such file, or the URL of one (a ZIP archive can contain several). */
  boundaries: string;
  /** Load although too many areas have no boundary for a known reason. The report lists them; for display only. */
  allowMissing?: boolean | undefined;
  /** Called with 0 to 1 and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

/** What a load stores in the row of the release, and the shapes of the country that were loaded. */
interface LoadedBoundaries {
  boundarySet: (typeof boundarySet.enumValues)[number];
  source: DataSource;
  report: BoundaryReport;
  country: RedrawnCountry['country'];
}

/** Boundary files that were read, joined to a release and found to be good. */
export interface PreparedBoundaries {
  /**
   * Writes the boundaries of a release and everything made from them, within the open transaction of the client.
   * @throws LoadRefused if PostGIS finds what the survey could not find; the caller then rolls back
   */
  write(
    client: pg.ClientBase,
    releaseId: string,
    onProgress?: (fraction: number, label: string) => void,
  ): Promise<LoadedBoundaries>;
}

/** Share of the time that writing takes; deriving the rest takes the remaining time. */
const WRITING = 0.7;

/**
 * Reads boundary files, checks them against a release and passes them to `work`. Downloaded and converted files exist
 * only until `work` ends.
 * @throws LoadRefused with the file and feature of everything that is wrong, before anything is written
 */
export async function withBoundaries<T>(
  release: Release,
  { boundaries: given, allowMissing, onProgress }: BoundaryOptions,
  work: (prepared: PreparedBoundaries) => Promise<T>,
): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'pgds-boundaries-'));
  try {
    const path = isUrl(given)
      ? await download(given, scratch, {
          onProgress: (bytes, total) => onProgress?.(total ? bytes / total / 2 : 0, describeDownload(bytes)),
        })
      : given;
    const files = await findBoundaryFiles(path);
    const { source, gaps } = await readBoundarySource(path, given);
    const survey = await surveyFiles(files, release, {
      scratch,
      onProgress: (fraction) => onProgress?.(isUrl(given) ? 0.5 + fraction / 2 : fraction, 'Reading boundaries'),
    });
    if (survey.problems.length > 0) throw new LoadRefused(survey.problems, CORRECT_BOUNDARIES);
    const plan = explainGaps(planBoundaries(release, survey), gaps, release);
    const unexplained = allowMissing ? [] : listUnexplained(plan, survey, release.areas);
    if (unexplained.length > 0) throw new LoadRefused(unexplained, CORRECT_BOUNDARIES);
    return await work(prepare({ release, plan, survey, source, scratch }));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Boundary files that were read and joined to a release. */
interface CheckedFiles {
  release: Release;
  plan: Plan;
  survey: Survey;
  source: DataSource;
  scratch: string;
}

function prepare({ release, plan, survey, source, scratch }: CheckedFiles): PreparedBoundaries {
  return {
    write: async (client, releaseId, onProgress) => {
      const written = await writeBoundaries(client, releaseId, {
        areas: release.areas,
        plan,
        survey,
        scratch,
        onProgress: (fraction, label) => onProgress?.(WRITING * fraction, label),
      });
      onProgress?.(WRITING, 'Checking boundaries');
      const { stored, problems } = await verifyStored(client, releaseId, {
        plan,
        vanished: written.vanished,
        broken: written.broken,
      });
      const losses = findLosses(written.ledger);
      const all = [...problems, ...findShapeProblems({ losses, stored, ...written })];
      if (all.length > 0) throw new LoadRefused(all, CORRECT_BOUNDARIES);
      await deriveFromBoundaries(client, releaseId, (fraction) =>
        onProgress?.(WRITING + (1 - WRITING) * fraction, 'Indexing boundaries'),
      );
      const areas = new Map<AreaLevel, number>();
      for (const { level } of release.areas) areas.set(level, (areas.get(level) ?? 0) + 1);
      const report = makeReport({ survey, plan, areas, stored, losses, ...written });
      const note = [source.note, describeChanges(report)].filter(Boolean).join('. ') || null;
      return {
        boundarySet: report.shortcomings.length === 0 ? 'full' : 'display',
        source: { ...source, note },
        report,
        country: written.country,
      };
    },
  };
}

function describeDownload(bytes: number): string {
  return `Downloading boundaries: ${(bytes / 1e6).toFixed(1)} MB`;
}
