import { z } from 'zod';
import given from './code-changes.json' with { type: 'json' };

/**
 * A change that lists don't state: a merger, a division, or an area that moved. Renumberings by correspondence codes
 * follow from former-codes.ts. One code before and one after: the same area has another code.
 */
export interface CodeChange {
  /** Codes before, of any region: the last eight digits count. */
  from: string[];
  /** Codes after. */
  to: string[];
  /** What happened, and where it says so. */
  note: string;
  /** The codes of those after whose residents are still counted without the land that they won. */
  countedBefore?: string[] | undefined;
}

const code = z.string().regex(/^\d{10}$/, 'must be a code of ten digits');

const changeSchema = z.strictObject({
  from: z.array(code).min(1),
  to: z.array(code).min(1),
  note: z.string().min(10),
  countedBefore: z.array(code).min(1).optional(),
});

/**
 * Checks the manually recorded changes: their form and levels, and that there are no duplicates.
 *
 * @throws Error naming the change and what is wrong with it
 */
export function checkCodeChanges(changes: unknown): CodeChange[] {
  const parsed = z.array(changeSchema).safeParse(changes);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`code-changes.json, ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const seen = new Set<string>();
  for (const [i, { from, to }] of parsed.data.entries()) {
    const levels = new Set([...from, ...to].map(levelOf));
    if (levels.size > 1)
      throw new Error(`code-changes.json, change ${i + 1}: ${[...from, ...to].join(', ')} are of several levels`);
    const key = from.map((it) => `${it}>${to.join()}`).find((it) => seen.has(it));
    if (key !== undefined) throw new Error(`code-changes.json, change ${i + 1}: ${key} stands twice`);
    for (const it of from) seen.add(`${it}>${to.join()}`);
  }
  return parsed.data;
}

/** Roughly: barangays, what they lie in, and provinces and regions. */
function levelOf(it: string): string {
  if (!it.endsWith('000')) return 'barangay';
  return /^\d{2}0(?:\d{2}0{5}|0{7})$/.test(it) ? 'province' : 'municity';
}

/** The manually recorded changes of code-changes.json, to which anybody can add. */
export const CODE_CHANGES: readonly CodeChange[] = checkCodeChanges(given);
