import { describe, expect, it } from 'vitest';
import { BUCKET_FAULTS, faultyBucket } from '../support/faulty-bucket.ts';
import { some } from '../support/some.ts';
import type { Family } from './families.ts';
import { anyOfLate, expected, filesOf, outcomes, publishBefore } from './outcomes.ts';

// What comes of the faults of the bucket, and of the counter.

publishBefore();

describe('the bucket', () => {
  const UNAVAILABLE = '503 storage_unavailable';

  function outcomeWith(fault: string, { bucket: need, healthy = 200, except = {} }: Family): unknown {
    const exception = except[fault];
    if (exception !== undefined) return exception === '503' ? UNAVAILABLE : exception;
    if (fault === 'is late') return need === '-' ? String(healthy) : anyOfLate(healthy);
    const isRefused = {
      '-': false,
      read: fault !== 'is read-only',
      write: ['refuses', 'hangs', 'breaks off', 'stands still', 'is read-only'].includes(fault),
    }[need];
    return isRefused ? UNAVAILABLE : String(healthy);
  }

  async function meets(fault: string): Promise<void> {
    const found = await outcomes((family) => ({ FILES: faultyBucket(filesOf(family), fault) }));
    expect(found).toEqual(expected((family) => outcomeWith(fault, family)));
  }

  it.each(some(BUCKET_FAULTS))('%s: what needs it is 503, and the rest is answered', meets);
});

describe('the counter', () => {
  const answers: Record<string, () => unknown> = {
    refuses: () => Promise.reject(new Error('Network connection lost.')),
    hangs: () => new Promise(() => undefined),
    'is late': async () => {
      await scheduler.wait(1500);
      return { allowed: true, remaining: 1, resetMs: 1 };
    },
    'says something else': async () => ({ status: 'active' }),
  };

  it.each(Object.entries(answers))('%s: what is counted is 503 if it does not answer', async (fault, answer) => {
    const methods = ['admit', 'take', 'record', 'learn', 'forget', 'isDeleted', 'noteAccount'].map((name) => [
      name,
      answer,
    ]);
    const METER = { idFromName: () => ({}), get: () => Object.fromEntries(methods) };
    const found = await outcomes((family) => ({ METER, FILES: filesOf(family) }));
    const isSilent = fault !== 'says something else';
    expect(found).toEqual(
      expected(({ healthy = 200, counter }) => (counter && isSilent ? '503 counter_unavailable' : String(healthy))),
    );
  });
});
