/** What a server did under load. */
export interface Load {
  /** Requests answered per second. */
  rps: number;
  /** Milliseconds that half of the requests, and that 99 of 100, took at most. */
  p50: number;
  p99: number;
  /** Bytes of one body. */
  bytes: number;
}

/**
 * Asks a server for one thing again and again, several at a time, and reads every body to its end. With `fresh` every
 * request has an address of its own, so that nothing kept from another can answer it.
 *
 * @throws Error when an answer is not 200, or not as long as the first
 */
export async function loadOf(
  url: string,
  {
    headers = {},
    concurrency = 8,
    seconds = 5,
    fresh = false,
  }: { headers?: Record<string, string>; concurrency?: number; seconds?: number; fresh?: boolean },
): Promise<Load> {
  const bytes = await lengthOf(url, headers);
  const times: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  const client = async () => {
    while (performance.now() < until) {
      const asked = performance.now();
      const length = await lengthOf(fresh ? `${url}&fresh=${times.length}-${asked}` : url, headers);
      if (length !== bytes) throw new Error(`${url} answered ${length} bytes after ${bytes}`);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const elapsed = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { rps: times.length / elapsed, p50: at(0.5), p99: at(0.99), bytes };
}

async function lengthOf(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  let length = 0;
  for await (const chunk of response.body ?? []) length += (chunk as Uint8Array).length;
  return length;
}
