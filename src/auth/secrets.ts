/** Whether two texts are the same, in a time that shows neither content nor length: their digests are compared. */
export async function sameText(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [a, b].map((text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  );
  return crypto.subtle.timingSafeEqual(first as ArrayBuffer, second as ArrayBuffer);
}
