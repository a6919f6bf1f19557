import { toRelease } from './areas.ts';
import { readBuiltin } from './builtin.ts';
import type { Report } from './checks.ts';
import { activate, type Client, writeRelease } from './release.ts';
import { readWorkbook } from './workbook.ts';

interface LoadOptions {
  client: Client;
  /** `builtin` for the npm package's list, else the path of a PSA publication workbook (`.xlsx`). */
  psgc: 'builtin' | (string & {});
  /** Edition of a workbook that doesn't say its own: `1Q 2026`. */
  edition?: string | undefined;
  /** Whether to serve the release at once. */
  activate: boolean;
  /** Called with the share of the work done, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
}

export interface Loaded {
  releaseId: string;
  edition: string;
  report: Report;
}

/**
 * Reads, checks and writes a PSGC list as a new release, without boundaries. Throws `LoadRefused` with every problem
 * when the list fails the checks; then, and after any other error, the database is as it was.
 */
export async function loadPsgc({ client, psgc, edition, activate: now, onProgress }: LoadOptions): Promise<Loaded> {
  const publication = psgc === 'builtin' ? await readBuiltin() : await readWorkbook(psgc, { edition });
  const release = toRelease(publication);
  const { id, report } = await writeRelease(client, release, { onProgress });
  if (now) await activate(client, id);
  return { releaseId: id, edition: publication.edition, report };
}
