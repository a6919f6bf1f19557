import { z } from '@hono/zod-openapi';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';

/** How long the development server may take to answer, milliseconds. */
const TIMEOUT_MS = 1000;

/** What a server for development makes after its start, in the order in which it is there. */
export const PREPARED = ['geography', 'boundaries', 'database', 'editions', 'files', 'copy', 'tiles'] as const;

const part = z.object({
  what: z.enum(PREPARED).openapi({
    description:
      'geography: lists, records, names, points and boundaries of provinces; boundaries: those of all levels, also where others were given; database: keys and datasets; editions: editions and changes; files: packed collections and downloads; copy: geography in the database, which answers where the object store does not; tiles: the map of all levels',
  }),
  progress: z.number().min(0).max(1).openapi({ description: 'Completed share, 0 to 1', example: 0.4 }),
});

export const preparingSchema = z
  .array(part)
  .nullable()
  .openapi({ description: 'What a server for development is still preparing. Null elsewhere, and where all is there' });

export type Preparing = z.output<typeof preparingSchema>;

/** The last answers of development servers, by their URLs. */
const lastAnswers = new Map<string, Preparing>();

/**
 * What the development server is still preparing. Null where nothing is, or nobody is asked. While the server is too busy to
 * answer, it is the last answer.
 */
export async function readPreparing({ LOCAL_PROGRESS_URL: url }: Config): Promise<Preparing> {
  if (url === undefined) return null;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    lastAnswers.set(url, preparingSchema.parse(await answer.json()));
  } catch {
    // The embedded database works in the process that answers, and may keep it busy for seconds.
  }
  return lastAnswers.get(url) ?? null;
}

/** @throws DomainError `storage_unavailable` while the development server still makes the tiles */
export async function requireTilesMade(config: Config): Promise<void> {
  const preparing = await readPreparing(config);
  if (!preparing?.some(({ what }) => what === 'tiles')) return;
  const message = 'The map of all levels is being prepared, and this needs it. Try again in a few seconds.';
  throw new DomainError('storage_unavailable', message);
}
