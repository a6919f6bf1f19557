import type { AppContext, ServiceContext } from '../context.ts';
import { nameRelease } from '../http/answers.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { snapshotsIn } from './snapshot/active.ts';
import { memory } from './snapshot/objects.ts';

/** The largest answer without boundaries that an instance remembers, and the longest address, characters. */
const MOST_TEXT = 64 * 1024;
const LONGEST_ADDRESS = 1024;

/** The JSON text of an answer without boundaries, which every caller may have who may ask. */
interface KnownAnswer {
  readonly text: string;
  /** What it was made from: the id of a release, and the version that tells this load of it from others. */
  readonly release: string;
  readonly version: string;
  readonly byteLength: number;
}

/**
 * The answer to a request that this instance has answered from the release that is served, or 304 where the caller has it.
 * Nothing of the request but its address is read.
 */
export async function knownAnswer(c: AppContext, ctx: ServiceContext): Promise<Response | undefined> {
  const known = memory.get(keyOf(c)) as KnownAnswer | undefined;
  if (known === undefined || !(await snapshotsIn(ctx.bucket).serves(ctx, known.version))) return undefined;
  ctx.noteAreas('snapshot');
  nameRelease(c, known.release);
  const validator = validatorOf(c, ctx.config);
  setCaching(c, validator.etag(known.version), ctx.principal);
  if (validator.matches(known.version)) return c.body(null, 304);
  c.header('Content-Type', 'application/json');
  return c.body(known.text);
}

/** Remembers the JSON text of an answer that has no headers of its own but those of every answer from a release. */
export function rememberAnswer(c: AppContext, text: string, made: Pick<KnownAnswer, 'release' | 'version'>): void {
  const key = keyOf(c);
  if (text.length > MOST_TEXT || key.length > LONGEST_ADDRESS) return;
  const known: KnownAnswer = { ...made, text, byteLength: 2 * (text.length + key.length) };
  memory.set(key, known);
}

function keyOf(c: AppContext): string {
  return `json ${c.req.url}`;
}
