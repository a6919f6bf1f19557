import { beforeAll, expect, inject, vi } from 'vitest';
import { MASTER, ON_TIME, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { publishFiles } from '../support/downloads.ts';
import { eventually } from '../support/eventually.ts';
import { publish, SNAPSHOTS } from '../support/snapshot.ts';
import { FAMILIES, type Family, FILES_OF_LEVELS, type Targets, targets } from './families.ts';

// What each thing outside of the Worker can do, with a request of each family. docs/reliability.md has the same as a table.

/**
 * Max time of a request, milliseconds. Its waits together end after 4.5 s (`TOTAL_MS` of src/deadline.ts), so that its answer begins
 * within five seconds. The bound is higher, because here the requests of all families share the processor, and because it includes
 * the time until a body breaks off. It is below 8 s, where a request would end that waits for two deadlines one after another.
 */
const BOUND_MS = 7500;

/**
 * Matches every outcome that is right while the bucket is late: an answer, or 503 of whichever outside service the deadline ended in
 * the wait for.
 *
 * @param healthy the status while everything works
 */
export const anyOfLate = (healthy: number) =>
  expect.stringMatching(new RegExp(`^(20[06]|${healthy}|503 (database|storage_unavailable))$`));

/** What no answer may contain. `(10001)` is the code that R2 gives to its internal errors. */
const INTERNAL =
  /secret|password|select |127\.0\.0\.1|neon|sqlstate|datasets\/|tiles\/[0-9a-f]{8}-|\(10001\)|at .*\.ts/i;

vi.spyOn(console, 'log').mockImplementation(() => undefined);
const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
const logged = () => printed.mock.calls.map(([line]) => String(line));

/**
 * Returns the outcome of one request: its status, with the code for 503 (`503 database` for both codes of the database), or `cut`
 * if its body broke off. Fails if it took longer than `BOUND_MS`.
 */
async function outcomeOf(family: Family, settings: object, given: Targets): Promise<string> {
  const started = Date.now();
  let outcome: string;
  try {
    const { status, headers, body, text } = await family.ask(workerWith({ ...ON_TIME, ...settings }), given);
    outcome = String(status);
    if (status === 503) {
      const id = headers.get('X-Request-Id') as string;
      const lines = logged().filter((line) => line.includes(id));
      // The answer to HEAD has no body, so its code is in the log only.
      const code = body?.code ?? /"code":"(\w+)"/.exec(lines.join())?.[1];
      outcome = /^database_(unavailable|timeout)$/.test(code) ? '503 database' : `503 ${code}`;
      expect(headers.get('Retry-After')).toMatch(/^\d+$/);
      expect(lines.join()).toContain('"status":503');
      // The log names the object.
      if (code === 'storage_unavailable') expect(lines.join()).toMatch(/(datasets|tiles|releases)\//);
    }
    if (status >= 400) expect(text).not.toMatch(INTERNAL);
  } catch (error) {
    if ((error as Error).name === 'AssertionError') throw error;
    expect(logged().join()).toMatch(/object_broke_off/);
    outcome = 'cut';
  }
  expect(Date.now() - started).toBeLessThan(BOUND_MS);
  return outcome;
}

/** How many families are asked at once. More would wait for the processor longer than for the service that has the fault. */
const AT_ONCE = 45;

/**
 * Asks every family once, and returns its outcome by the family's name.
 *
 * @param settings and bindings of the Worker that a family asks, which have the fault
 */
export async function outcomes(settings: (family: Family) => object): Promise<Record<string, string>> {
  const given = await targets();
  const families = Object.entries(FAMILIES);
  const found: [string, string][] = [];
  for (let i = 0; i < families.length; i += AT_ONCE) {
    const asked = families.slice(i, i + AT_ONCE).map(async ([name, family]): Promise<[string, string]> => {
      return [name, await outcomeOf(family, settings(family), given)];
    });
    found.push(...(await Promise.all(asked)));
  }
  return Object.fromEntries(found);
}

/** The bucket that a family is answered from. */
export const filesOf = ({ snapshot }: Family) => (snapshot ? SNAPSHOTS : bucket);
/** What `outcomes` must return, from the outcome of each family. */
export const expected = (outcome: (family: Family) => unknown) =>
  Object.fromEntries(Object.entries(FAMILIES).map(([name, family]) => [name, outcome(family)]));

/** Publishes what the families ask for, before the tests of a file. */
export function publishBefore(): void {
  beforeAll(async () => {
    await publish({ active: true });
    // Activating stores the pointer to the active release in the other bucket too, so that faults can meet it there.
    const activated = FAMILIES['an activated release'] as Family;
    await activated.ask(workerWith({ ...ON_TIME, FILES: bucket }), await targets());
    await publishFiles(SNAPSHOTS, inject('snapshot'), FILES_OF_LEVELS);
    // Another file of tests may have read the manifest before it had these files, and it is cached for ten seconds.
    const ask = workerWith({ ...ON_TIME, FILES: SNAPSHOTS });
    await eventually(async () => {
      const { body } = await ask('/v1/downloads', { headers: MASTER });
      expect(body.data).toHaveLength(FILES_OF_LEVELS.kinds.length);
    });
  });
}
