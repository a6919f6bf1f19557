import type { MockInstance } from 'vitest';
import type { Answer, Body } from './api.ts';

/** The lines of the log for some answers. Other requests, and what goes on after an answer, may leave lines beside them. */
export function linesOf(printed: MockInstance<typeof console.log>, answers: readonly Answer[]): Body[] {
  const ids = answers.map(({ headers }) => headers.get('X-Request-Id'));
  return printed.mock.calls.map(([line]) => JSON.parse(line)).filter((line) => ids.includes(line.request_id));
}
