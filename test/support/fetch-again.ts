import { setTimeout as sleep } from 'node:timers/promises';

const MAX_ATTEMPTS = 5;

/** Fetches, and does so again after the time that a 503 names. The last 503 is returned. */
export async function fetchAgain(url: string, init?: RequestInit): Promise<Response> {
  for (let attempts = 1; ; attempts += 1) {
    const answer = await fetch(url, init);
    if (answer.status !== 503 || attempts === MAX_ATTEMPTS) return answer;
    await answer.body?.cancel();
    await sleep(1000 * Number(answer.headers.get('Retry-After') ?? 1));
  }
}
