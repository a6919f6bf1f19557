import { setTimeout as sleep } from 'node:timers/promises';

/** Sends a GET request. @throws Error if nobody answers */
export type Ask = (url: string) => Promise<{ status: number; body: unknown }>;

/** How often the URL is asked for the version before the command fails, and the poll interval, milliseconds. */
const MAX_TRIES = 30;
const POLL_INTERVAL_MS = 2000;

/** What must work, by its path: the parts, a list, and what lies at a point in Cebu City. */
const MUST_WORK = ['/healthcheck/ready', '/v1/regions', '/v1/geocode/reverse?lat=10.2929&lon=123.9017'];

/**
 * Waits until a URL answers with a version, and asks it for what must work.
 *
 * @returns what does not, in sentences
 */
export async function verify(
  address: string,
  { commit, ask, pollMs = POLL_INTERVAL_MS }: { commit: string; ask: Ask; pollMs?: number },
): Promise<string[]> {
  const asked = async (path: string) =>
    ask(address + path).catch((error: Error) => ({ status: 0, body: { message: error.message } }));
  let running: unknown;
  for (let attempt = 0; attempt < MAX_TRIES && running !== commit; attempt += 1) {
    if (attempt > 0) await sleep(pollMs);
    const { body } = await asked('/version');
    running = (body as { commitFull?: unknown } | null)?.commitFull;
  }
  if (running !== commit) return [`/version says ${running ?? 'nothing'}, not ${commit}.`];
  const answers = await Promise.all(MUST_WORK.map(async (path) => ({ path, ...(await asked(path)) })));
  return answers
    .filter(({ status }) => status !== 200)
    .map(({ path, status, body }) => {
      const message = (body as { message?: unknown } | null)?.message;
      return `${path}: ${status === 0 ? 'no answer' : status}${typeof message === 'string' ? `, ${message}` : ''}`;
    });
}

/** What should be changed although everything works, in sentences. */
export async function warningsOf(address: string, ask: Ask): Promise<string[]> {
  const { body } = await ask(`${address}/metrics`).catch(() => ({ body: undefined }));
  const mayAlter = typeof body === 'string' && /^pgds_database_role_may_alter_schema 1$/m.test(body);
  if (!mayAlter) return [];
  return ['The Worker connects as a role that may alter the schema. `npm run db:role` makes one that may not.'];
}
