import { Agent, get } from 'node:http';

/** How a server performed under load. */
export interface Load {
  /** Requests answered per second. */
  rps: number;
  /** Milliseconds within which half of the requests were answered, and 99 of 100. */
  p50: number;
  p99: number;
  /** Bytes of one body, on average. */
  bytes: number;
}

/**
 * Sends requests to one URL, or to several in turn, from several clients at a time, and reads every body to its end.
 * With `fresh` every request has a different URL, so that no cached answer is used.
 *
 * @throws Error when a status is not 200, or a body is not as long as the first one of its URL
 */
export async function measureLoad(
  given: string | readonly string[],
  {
    headers = {},
    concurrency = 8,
    seconds = 5,
    fresh = false,
  }: { headers?: Record<string, string>; concurrency?: number; seconds?: number; fresh?: boolean },
): Promise<Load> {
  const urls = [given].flat();
  const lengths: number[] = [];
  for (const url of urls) lengths.push(await fetchLength(url, headers));
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const client = async () => {
    while (performance.now() < until) {
      const asked = performance.now();
      const turn = next++ % urls.length;
      const url = urls[turn] as string;
      const length = await fetchLength(fresh ? `${url}&fresh=${next}-${asked}` : url, headers);
      if (length !== lengths[turn]) throw new Error(`${url} answered ${length} bytes after ${lengths[turn]}`);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const elapsed = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const bytes = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return { rps: times.length / elapsed, p50: at(0.5), p99: at(0.99), bytes };
}

const agent = new Agent({ keepAlive: true });

/** Sends a request with the simplest client, because on a machine with few cores its work slows the server down. */
function fetchLength(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      response.on('end', () => resolve(length));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
