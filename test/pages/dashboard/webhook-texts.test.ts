import { describe, expect, it } from 'vitest';
import { logNote, stateOf } from '../../../pages/dashboard/webhook-texts.ts';

describe('the state of a webhook', () => {
  const endpoint = { enabled: true, disabled_reason: null, failing_since: null };
  const failing_since = '2026-11-28T12:00:00Z';

  it('is that of its deliveries while it is enabled', () => {
    expect(stateOf(endpoint)).toBe('works');
    expect(stateOf({ ...endpoint, failing_since })).toMatch(/^failing since 28 Nov 2026/);
  });

  it('says who disabled it, also if its deliveries failed before', () => {
    expect(stateOf({ ...endpoint, enabled: false })).toBe('disabled by you');
    expect(stateOf({ ...endpoint, enabled: false, failing_since })).toBe('disabled by you');
    const disabled_reason = 'It answered 410: it is gone.';
    expect(stateOf({ enabled: false, disabled_reason, failing_since })).toBe(disabled_reason);
  });
});

describe('the log of a webhook', () => {
  it('says how many deliveries it leaves out', () => {
    expect(logNote(50, 1234)).toBe('These are the newest 50 of the 1,234 of the last 30 days.');
    expect(logNote(50, 50)).toBeUndefined();
    expect(logNote(0, 0)).toBe('It was told nothing in the last 30 days.');
  });
});
