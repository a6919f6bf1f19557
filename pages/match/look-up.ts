import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { PsgcError, requestJson } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import type { Fields, Group, Outcome } from './groups.ts';
import { FREE_BATCH, free } from './limits.ts';

/** Rows of a request with credentials. */
const KNOWN_BATCH = 1000;

/** Max characters of a request, far below what the service takes. */
const MAX_CHARACTERS = 500_000;

/** How long to wait for a service that does not say how long, seconds. */
const SHORT_WAIT = 3;

/** How often in a row it is waited for a service that is in trouble, or out of reach. */
const MAX_WAITS = 3;

export interface LookUp {
  readonly groups: readonly Group[];
  /** Called after every answer. */
  readonly onAnswer: () => void;
  /** Waits, and tells why. It may end early, for instance when there is another key. */
  readonly wait: (seconds: number, reason: PsgcError) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Asks the service for every group that has no answer, some at a time. Where a limit is used up it waits as long as the
 * service says. What was answered stays, so whatever ends it, it can be called again.
 *
 * @throws PsgcError, or the reason of the signal if it is aborted
 */
export async function lookUp({ groups, onAnswer, wait, signal }: LookUp): Promise<void> {
  let waits = 0;
  for (let from = 0; ; ) {
    while (groups[from]?.outcome) from += 1;
    const batch = batchFrom(groups, from);
    if (batch.length === 0) return;
    try {
      const answers = await ask(
        batch.map(({ fields }) => fields),
        signal,
      );
      for (const [i, group] of batch.entries()) {
        const outcome = answers[i];
        if (outcome) group.outcome = outcome;
      }
      if (answers.length < batch.length) throw new Error('The service has answered fewer rows than it was asked for.');
      waits = 0;
      onAnswer();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PsgcError) || !isTemporary(error)) throw error;
      // A limit that is used up is no trouble, however often.
      waits = error.status === 429 ? 0 : waits + 1;
      if (waits > MAX_WAITS) throw error;
      await wait(error.retryAfter ?? SHORT_WAIT, error);
      signal.throwIfAborted();
    }
  }
}

/** The least score of a candidate that is spelled as in a text, of which there may be several. */
const AS_SPELLED = 0.95;

/** Whether a text is the name of a place, or of several, and not a word for what a column has. */
export async function namesPlace(text: string): Promise<boolean> {
  const [outcome] = await ask([{ text }], new AbortController().signal);
  return outcome?.candidates.some(({ score }) => score >= AS_SPELLED) ?? false;
}

/** About how many minutes the limit of those who have not signed in makes of some rows with different texts; 0 where it is not reached. */
export function minutesFor(rows: number): number {
  return Math.max(0, Math.ceil(rows / FREE_BATCH / free.requestsPerMinute) - 1);
}

function isTemporary({ status }: PsgcError): boolean {
  return status === undefined || status === 429 || status >= 500;
}

function batchFrom(groups: readonly Group[], from: number): Group[] {
  const most = currentToken() === undefined ? FREE_BATCH : KNOWN_BATCH;
  const batch: Group[] = [];
  let characters = 0;
  for (let at = from; at < groups.length && batch.length < most && characters < MAX_CHARACTERS; at += 1) {
    const group = groups[at];
    if (!group || group.outcome) continue;
    batch.push(group);
    for (const text of Object.values(group.fields)) characters += text.length;
  }
  return batch;
}

async function ask(rows: readonly Fields[], signal: AbortSignal): Promise<Outcome[]> {
  const { data } = await requestJson<JsonOf<'match_places'>>('/v1/match', { method: 'POST', body: { rows }, signal });
  return data;
}
