import { z } from 'zod';
import given from './hosts.json' with { type: 'json' };

const local = z.string().regex(/^\d{8}$/, 'must be the last eight digits of a code');

const hostSchema = z.strictObject({
  code: local,
  name: z.string().min(1),
  host: local,
  host_name: z.string().min(1),
  /**
   * Whether it is an independent component city. Its code contains the digits of a province. But by its charter its
   * voters don't vote in provincial elections, and the province doesn't supervise it (RA 7160, section 451).
   */
  independent: z.literal(true).optional(),
  source: z.string().min(5),
});

/** A city or municipality that lies in a province without belonging to it, by the last eight digits of both codes. */
export type Host = z.infer<typeof hostSchema>;

/**
 * Checks the manually maintained table: the form of its rows, and that no area occurs twice.
 *
 * @throws Error naming the row and what is wrong with it
 */
export function checkHostTable(rows: unknown): Host[] {
  const parsed = z.array(hostSchema).safeParse(rows);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`hosts.json, ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const seen = new Set<string>();
  for (const { code, name } of parsed.data) {
    if (seen.has(code)) throw new Error(`hosts.json: ${code} ${name} stands twice`);
    seen.add(code);
  }
  return parsed.data;
}

const TABLE = checkHostTable(given);

/** City or municipality → the province in which it lies without belonging to it. Anybody can add to hosts.json. */
export const HOSTS: ReadonlyMap<string, string> = new Map(TABLE.map(({ code, host }) => [code, host]));

export const INDEPENDENT_COMPONENT_CITIES: ReadonlySet<string> = new Set(
  TABLE.filter(({ independent }) => independent).map(({ code }) => code),
);
