import type { AppContext, ServiceContext } from '../context.ts';
import { nameRelease } from '../http/answers.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { snapshotsIn } from './snapshot/active.ts';
import { rememberedAt } from './snapshot/answers.ts';
import { memory } from './snapshot/objects.ts';

/** The largest answer without boundaries that an instance remembers, and the longest address, characters. */
const MAX_TEXT = 64 * 1024;
const LONGEST_ADDRESS = 1024;

/** An answer, and what it was made from: the id of a release, and the version that tells this load of it from others. */
interface Known {
  readonly text: string | Uint8Array<ArrayBuffer>;
  /** Its media type, where it is not JSON. */
  readonly type?: string | null;
  readonly release: string;
  readonly version: string;
}

/** The JSON text of an answer without boundaries, which every caller may have who may ask. */
interface KnownAnswer extends Known {
  readonly byteLength: number;
}

/**
 * The answer to a request that this instance has answered from the release that is served, or 304 where the caller has it.
 * Nothing of the request but its address and its caller is read.
 */
export function knownAnswer(c: AppContext, ctx: ServiceContext): Promise<Response | undefined> {
  return sendKnown(c, ctx, textAt(c));
}

/** The same for an operation whose answers with boundaries are never stored packed. */
export function knownRecord(c: AppContext, ctx: ServiceContext): Promise<Response | undefined> {
  return sendKnown(c, ctx, textAt(c) ?? copyAt(c, ctx));
}

async function sendKnown(c: AppContext, ctx: ServiceContext, known: Known | undefined): Promise<Response | undefined> {
  if (known === undefined || !(await snapshotsIn(ctx.bucket).serves(ctx, known.version))) return undefined;
  ctx.noteAreas('snapshot');
  nameRelease(c, known.release);
  const validator = validatorOf(c, ctx.config);
  setCaching(c, validator.etag(known.version), ctx.principal);
  if (validator.matches(known.version)) return c.body(null, 304);
  c.header('Content-Type', known.type ?? 'application/json');
  return c.body(known.text);
}

function textAt(c: AppContext): KnownAnswer | undefined {
  return memory.get(keyOf(c)) as KnownAnswer | undefined;
}

/** The copy of an answer with boundaries, for callers with credentials, where the address has the one spelling of copies. */
function copyAt(c: AppContext, { principal }: ServiceContext): Known | undefined {
  if (principal.kind === 'anonymous') return undefined;
  const copy = rememberedAt(c.req.url);
  // These have headers that an address alone does not tell.
  if (copy === undefined || copy.headers.get('Content-Location') !== null || c.req.query('output') !== undefined)
    return undefined;
  return { ...copy, text: copy.body, type: copy.headers.get('Content-Type') };
}

/** Remembers the JSON text of an answer that has no headers of its own but those of every answer from a release. */
export function rememberAnswer(c: AppContext, text: string, made: Pick<KnownAnswer, 'release' | 'version'>): void {
  const key = keyOf(c);
  if (text.length > MAX_TEXT || key.length > LONGEST_ADDRESS) return;
  const known: KnownAnswer = { ...made, text, byteLength: 2 * (text.length + key.length) };
  memory.set(key, known);
}

function keyOf(c: AppContext): string {
  return `json ${c.req.url}`;
}
