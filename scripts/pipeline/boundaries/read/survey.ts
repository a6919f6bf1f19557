import type { Resolution } from '../../../../src/areas/store.ts';
import type { Area, AreaLevel, Release } from '../../psgc/area.ts';
import type { Problem } from '../../psgc/publication.ts';
import { codeOf } from './codes.ts';
import type { BoundaryFile } from './files.ts';
import { type SourceFeature, UnreadableFile } from './formats/format.ts';
import { BadGeometry, tidyGeometry } from './geometry.ts';
import { levelOfFeature, levelOfName, resolutionOfName } from './hints.ts';
import { areaFinder, type FindArea } from './join.ts';

/** A polygon that the source has of an area at one resolution. */
export interface FoundPolygon {
  area: Area;
  resolution: Resolution;
  /** Its location in the files: `barangays.detailed.ndjson.gz line 12`. */
  at: string;
  /** The code by which the area was found, of nine or ten digits. */
  sourceCode: string;
  /** Whether that code is not the area's own. */
  rekeyed: boolean;
  /** Whether it is the polygon of an abolished area, of which this area is the only successor. */
  inherited?: boolean;
}

/** A feature that is not stored. */
export interface LeftOut {
  at: string;
  level: AreaLevel | null;
  code: string;
  why: string;
}

/** Everything that the files contain, without the coordinates. */
export interface Survey {
  /** The features of each file in their order; null for those that belong to no area or have no geometry. */
  files: { file: BoundaryFile; features: (FoundPolygon | null)[] }[];
  /** Features that belong to no area for a known reason. */
  explained: (LeftOut & { successors: string[] })[];
  /** Features whose code names no area of the release. */
  unknown: LeftOut[];
  /** Areas whose feature has no geometry. */
  empty: { area: Area; resolution: Resolution; at: string }[];
  /** Areas in whose feature rings had to be closed. */
  closed: { area: Area; resolution: Resolution; at: string }[];
  /** Reasons to refuse the files regardless of the load's options. */
  problems: Problem[];
}

/** How many problems of each file are listed one by one. */
const LISTED = 10;

/**
 * Reads every feature once, joins it to an area of the release and checks its geometry. It never throws for what the
 * files contain: what is wrong with them is in the result.
 * @param options `scratch`: a directory for temporary files of the readers; `onProgress` is called with 0 to 1
 */
export async function surveyFiles(
  files: BoundaryFile[],
  release: Release,
  { scratch, onProgress }: { scratch: string; onProgress?: (fraction: number) => void },
): Promise<Survey> {
  const surveyor = new Surveyor(areaFinder(release));
  for (const [i, file] of files.entries()) {
    await surveyor.read(file, scratch);
    onProgress?.((i + 1) / files.length);
  }
  return surveyor.result;
}

/** A file, the facts in its name, and its problems. */
interface FileFacts {
  file: BoundaryFile;
  level: AreaLevel | null;
  resolution: Resolution | null;
  problems: Problem[];
}

/** Whether a geometry can become a boundary. */
function isPolygon(geometry: unknown): boolean {
  try {
    return tidyGeometry(geometry) !== null;
  } catch (error) {
    if (error instanceof BadGeometry) return false;
    throw error;
  }
}

class Surveyor {
  readonly result: Survey = { files: [], explained: [], unknown: [], empty: [], closed: [], problems: [] };
  readonly #findArea: FindArea;
  /** The location of the first feature, by resolution and code. */
  readonly #seen = new Map<string, string>();

  constructor(findArea: FindArea) {
    this.#findArea = findArea;
  }

  async read(file: BoundaryFile, scratch: string): Promise<void> {
    const features: Survey['files'][number]['features'] = [];
    const problems: Problem[] = [];
    const source = { file, level: levelOfName(file.name), resolution: resolutionOfName(file.name), problems };
    try {
      for await (const feature of file.format.read(file, scratch)) {
        features.push(this.#located(feature, source));
      }
      if (features.length === 0) problems.push({ at: file.name, what: 'holds no features' });
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.push({ at: [error.file, error.location].filter(Boolean).join(' '), what: error.reason });
    }
    this.result.files.push({ file, features });
    this.result.problems.push(...problems.slice(0, LISTED));
    if (problems.length > LISTED) {
      this.result.problems.push({ at: file.name, what: `and ${problems.length - LISTED} more problems in this file` });
    }
  }

  #located(
    feature: SourceFeature,
    { file, level: fileLevel, resolution: fileResolution, problems }: FileFacts,
  ): FoundPolygon | null {
    const at = `${file.name} ${feature.at}`;
    const published = codeOf(feature);
    if (published === null) {
      problems.push({ at, what: 'has no property with a PSGC code' });
      return null;
    }
    const code = String(published);
    const level = levelOfFeature(feature) ?? fileLevel;
    const found = this.#findArea(published, level);
    if (found.kind !== 'area') {
      if (found.kind === 'unknown') {
        this.result.unknown.push({ at, level, code, why: found.why });
        return null;
      }
      const { onlySuccessor, successors } = found;
      this.result.explained.push({ at, level, code, why: found.why, successors });
      if (!onlySuccessor || (level !== null && onlySuccessor.level !== level)) return null;
      const resolution = fileResolution ?? resolutionOfName(feature.layer) ?? 'detailed';
      return isPolygon(feature.geometry)
        ? { area: onlySuccessor, resolution, at, sourceCode: found.sourceCode ?? code, rekeyed: true, inherited: true }
        : null;
    }
    const { area, by, sourceCode } = found;
    // Without a resolution in names the source has only one, which counts as its best.
    const resolution = fileResolution ?? resolutionOfName(feature.layer) ?? 'detailed';
    const key = `${resolution} ${area.code}`;
    const first = this.#seen.get(key);
    if (first !== undefined) {
      problems.push({
        at,
        what: `is the second ${resolution} boundary of ${area.code} ${area.name}; ${first} is another`,
      });
      return null;
    }
    this.#seen.set(key, at);
    try {
      const tidied = tidyGeometry(feature.geometry);
      if (tidied === null) {
        this.result.empty.push({ area, resolution, at });
        return null;
      }
      if (tidied.closed > 0) this.result.closed.push({ area, resolution, at });
    } catch (error) {
      if (!(error instanceof BadGeometry)) throw error;
      problems.push({ at, what: `the boundary of ${area.code} ${area.name} ${error.message}` });
      return null;
    }
    return { area, resolution, at, sourceCode, rekeyed: by !== 'code' };
  }
}
