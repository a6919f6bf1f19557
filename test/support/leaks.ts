import { expect, vi } from 'vitest';
import type { Answer } from './api.ts';
import * as asked from './api.ts';
import type { Headers } from './people.ts';
import * as people from './people.ts';

/** All answers to the requests of a test file and all lines of the log, without the tokens of keys that were created. */
const seen: string[] = [];
const issued: string[] = [];

const hear = (...words: unknown[]) => void seen.push(words.join(' '));

/** Hears the log. Files that run in the same process may have silenced it since. */
function listen(): void {
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation(hear);
  }
}

function remembered(answer: Answer): Answer {
  const key = answer.body?.data?.key;
  if (key) issued.push(key);
  seen.push(key ? answer.text.replace(key, '') : answer.text, JSON.stringify([...answer.headers]));
  return answer;
}

export const get = async (...request: Parameters<typeof asked.get>) => {
  listen();
  return remembered(await asked.get(...request));
};
export const post = async (...request: Parameters<typeof asked.post>) => {
  listen();
  return remembered(await asked.post(...request));
};

/** A request without a body. */
export const act = async (path: string, headers: Headers) => {
  listen();
  return remembered(await asked.send('POST', path, headers));
};

export const newKey = (owner: Headers, input?: object) => people.newKey(owner, input, post);

/** Lines of the log that contain a text. */
export const logged = (text: string) => seen.filter((line) => line.startsWith('{"level"') && line.includes(text));

/** Expects that no answer, header or log line of the file holds a key, the secret part of one, or a hash. */
export async function expectNothingSecret(): Promise<void> {
  const everything = seen.join('\n');
  expect(logged('"route":"/v1/api-keys').length).toBeGreaterThan(20);
  expect(issued.length).toBeGreaterThan(10);
  for (const key of issued) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
    const hash = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    for (const secret of [key.slice(-38), hash]) expect(everything.includes(secret)).toBe(false);
  }
  expect(everything).not.toMatch(/svc_sk_\w|"hash"|eyJ|test-master-token/);
}
