import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { describeError, writeLine } from '../log.ts';
import { header } from './error-schemas.ts';
import { type Meta, noticesMeta, withNotices } from './notices.ts';
import { startTexts, textStream } from './stream.ts';

/**
 * The schema of the envelope `{ data, meta?, error }`, in which most answers are.
 *
 * @param members those between `data` and `error`
 */
export function envelope(data: z.ZodType, members: z.ZodRawShape = {}) {
  return z.object({ data, meta: noticesMeta, ...members, error: z.null() });
}

/** The declared 200 of an operation that answers in the envelope. */
export function enveloped(description: string, data: z.ZodType, meta?: z.ZodType) {
  const schema = envelope(data, meta && { meta });
  return { 200: { description, content: { 'application/json': { schema } } } };
}

/** The origin that the request was sent to, for addresses in answers. */
export function originOf(c: Context): string {
  return new URL(c.req.url).origin;
}

/** The JSON text of an answer in the envelope. */
export function answerText(c: Context, data: unknown, meta?: Meta): string {
  return JSON.stringify(inEnvelope(c, data, meta));
}

function inEnvelope(c: Context, data: unknown, given: Meta | undefined): object {
  const meta = withNotices(c, given);
  return { data, ...(meta === undefined ? {} : { meta }), error: null };
}

/** An answer in the envelope. */
export function answer(c: Context, data: unknown, meta?: Meta): Response {
  return c.json(inEnvelope(c, data, meta));
}

/** The texts before and after the JSON text of `data` in the envelope. */
export function envelopeAround(c: Context, given?: Meta): { head: string; tail: string } {
  const meta = withNotices(c, given);
  const between = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  return { head: '{"data":', tail: `${between},"error":null}` };
}

/** The JSON text of `data` in the envelope. */
export function envelopedText(c: Context, data: string, meta?: Meta): string {
  const { head, tail } = envelopeAround(c, meta);
  return head + data + tail;
}

/** The header that says how many bytes the account of the caller stores, and may store: a dictionary of RFC 9651. */
export const STORAGE_QUOTA = 'X-Storage-Quota';

export function storageQuota(used: number, allowed: number): string {
  return `used=${used}, allowed=${allowed}`;
}

/** The responses of an operation that changes what an account stores, with that header, and others. */
export function storing<R extends { 200: object }>(responses: R, others: object = {}): R {
  const headers = {
    ...others,
    [STORAGE_QUOTA]: header('Storage of the account in bytes: used=1024, allowed=2147483648'),
  };
  return { ...responses, 200: { ...responses[200], headers } };
}

/** The declared 200 of an operation that deletes a thing. */
export const deletion = {
  200: {
    description: 'Deleted',
    content: { 'application/json': { schema: z.object({ message: z.string() }) } },
  },
};

/** Says that a thing was deleted: `dataset` and its id. */
export function deletionAnswer(c: Context, noun: string, id: string): Response {
  return c.json({ message: `The ${noun} ${id} has been deleted.` }, 200, PRIVATE);
}

/** Answers that only their caller may see: no cache on the way keeps them. */
export const PRIVATE = { 'Cache-Control': 'private, no-store' } as const;

/** A private answer in the envelope. */
export function privateAnswer(c: Context, data: unknown, meta?: Meta): Response {
  return c.json(inEnvelope(c, data, meta), 200, PRIVATE);
}

/** A private answer of ready text. */
export function privateText(c: Context, text: string, type = 'application/json'): Response {
  return c.body(text, 200, { ...PRIVATE, 'Content-Type': type });
}

/** A private answer of texts or bytes as they are made. A failure before the first text is thrown; a later one breaks the body off. */
export async function privateStream(
  c: Context,
  texts: AsyncGenerator<string | Uint8Array>,
  headers: Record<string, string>,
): Promise<Response> {
  return c.body(streamOf(c, await startTexts(texts)), 200, { ...PRIVATE, ...headers });
}

/** A body of texts or bytes as they are made. Where one fails, the body breaks off and the log says why. */
export function streamOf(c: Context, texts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const onFailure = (error: unknown) => {
    const { requestId, release } = c.var;
    const facts = { request_id: requestId, path: c.req.path, release, error: describeError(error) };
    writeLine('error', Date.now(), facts);
  };
  return textStream(texts, { onPull: () => c.var.deadline.renew(), onFailure });
}

/** Says which data release the answer is made from, in its header and in the log. */
export function nameRelease(c: Context, release: string): void {
  c.set('release', release);
  c.header('X-Data-Release', release);
}

/** Names the address by the current code, where the request has a former one. */
export function nameLocation(c: Context, path: string | undefined): void {
  if (path !== undefined) c.header('Content-Location', path + new URL(c.req.url).search);
}
