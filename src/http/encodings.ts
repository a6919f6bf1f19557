import type { Context } from 'hono';
import { ENCODINGS, type Encoding } from './codings.ts';

/** Whether the caller takes a body in gzip (RFC 9110, 12.5.3). A caller who names no encodings takes any. */
export function takesGzip(c: Context): boolean {
  return acceptedEncodings(c) === undefined || (weightOf(c, 'gzip') ?? 0) > 0;
}

/**
 * The encodings that the caller likes as much as the body without one or more, the best first, of equals the smaller.
 * None for a caller who names no encodings: many such can't decompress any.
 */
export function preferredEncodings(c: Context): Encoding[] {
  const least = weightOf(c, 'identity', false) ?? 0;
  const weight = (name: Encoding) => weightOf(c, name) ?? 0;
  return ENCODINGS.filter((name) => weight(name) > 0 && weight(name) >= least).sort((a, b) => weight(b) - weight(a));
}

/** An answer whose body is compressed already. Without `manual` the runtime would compress it a second time. */
export function withEncoding({ body, status, headers }: Response, encoding: Encoding): Response {
  const named = new Headers(headers);
  named.set('Content-Encoding', encoding);
  return new Response(body, { status, headers: named, encodeBody: 'manual' });
}

/** How much the caller likes an encoding, 0 to 1; undefined where it is not named, nor all with `*`. */
function weightOf(c: Context, name: string, byStar = true): number | undefined {
  const choices = (acceptedEncodings(c) ?? '').toLowerCase().split(',');
  const choiceOf = (wanted: string) => choices.find((choice) => choice.split(';')[0]?.trim() === wanted);
  const choice = choiceOf(name) ?? (byStar ? choiceOf('*') : undefined);
  if (choice === undefined) return undefined;
  const [, weight = '1'] = /;\s*q=([\d.]+)\s*$/.exec(choice) ?? [];
  return Number(weight) || (/^0?\.?0*$/.test(weight) ? 0 : 1);
}

/**
 * The encodings that the caller named. The platform puts gzip into the header Accept-Encoding of every request, and keeps
 * the caller's own header in `cf`.
 */
function acceptedEncodings(c: Context): string | undefined {
  const fromCaller = c.req.raw.cf?.clientAcceptEncoding;
  return typeof fromCaller === 'string' ? fromCaller : c.req.header('Accept-Encoding');
}
