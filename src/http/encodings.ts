import type { Context } from 'hono';

/** Whether the caller takes a body in gzip (RFC 9110, 12.5.3). A caller who names no encodings takes any. */
export function takesGzip(c: Context): boolean {
  const accepted = acceptedEncodings(c);
  if (accepted === undefined) return true;
  const choices = accepted.toLowerCase().split(',');
  const choiceOf = (name: string) => choices.find((choice) => choice.split(';')[0]?.trim() === name);
  const choice = choiceOf('gzip') ?? choiceOf('*');
  return choice !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(choice);
}

/**
 * The encodings that the caller named. The platform puts gzip into the header Accept-Encoding of every request, and keeps
 * the caller's own header in `cf`.
 */
function acceptedEncodings(c: Context): string | undefined {
  const fromCaller = c.req.raw.cf?.clientAcceptEncoding;
  return typeof fromCaller === 'string' ? fromCaller : c.req.header('Accept-Encoding');
}
