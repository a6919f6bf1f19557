const encoder = new TextEncoder();

/** Whether two texts are the same. The time it takes shows at most their lengths. */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const [first, second] = [encoder.encode(a), encoder.encode(b)];
  return first.length === second.length && crypto.subtle.timingSafeEqual(first, second);
}
