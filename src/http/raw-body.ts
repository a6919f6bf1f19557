import type { Context } from 'hono';
import { DomainError } from '../errors.ts';
import { collectBytes } from './stream.ts';

/**
 * The announced length of the body, bytes. The bucket has to know it before it takes the first byte.
 *
 * @param noun what is sent, for the message
 * @throws DomainError `length_required`
 */
export function announcedSize(c: Context, noun: string): number {
  const length = c.req.header('Content-Length');
  if (length !== undefined && /^\d{1,15}$/.test(length)) return Number(length);
  throw new DomainError('length_required', `Send the size of the ${noun} as Content-Length.`);
}

/**
 * Reads the body of a request as it was sent. Reading stops at the limit, even if Content-Length announced less.
 *
 * @throws DomainError `payload_too_large`
 */
export async function rawBody(c: Context, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new DomainError('payload_too_large', `The body must have at most ${maxBytes} bytes.`);
  if (Number(c.req.header('Content-Length')) > maxBytes) throw tooLarge();
  return collectBytes(c.req.raw.body ?? [], maxBytes, tooLarge);
}
