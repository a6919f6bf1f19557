import { describe, expect, it } from 'vitest';
import { type ListedRelease, toDelete } from '../../../scripts/pipeline/release/prune.ts';

/** Releases as a service lists them, the newest first. `*` marks the active one, `?` one whose load was never completed. */
const listed = (...names: string[]): ListedRelease[] =>
  names.map((name) => ({
    id: name.replace(/[*?]/, ''),
    status: name.endsWith('*') ? 'active' : 'inactive',
    checked_at: name.endsWith('?') ? null : '2026-11-30T00:00:00Z',
  }));

const deleted = (keep: number, ...names: string[]) => toDelete(listed(...names), keep).map(({ id }) => id);

describe('the releases that nobody needs', () => {
  it('are the oldest first, and never the newest that are kept', () => {
    expect(deleted(1, '2026-3q-4*', '2026-3q-3', '2026-3q-2', '2026-3q-1')).toEqual([
      '2026-3q-1',
      '2026-3q-2',
      '2026-3q-3',
    ]);
    expect(deleted(3, '2026-3q-4*', '2026-3q-3', '2026-3q-2', '2026-3q-1')).toEqual(['2026-3q-1']);
    expect(deleted(4, '2026-3q-4*', '2026-3q-3', '2026-3q-2', '2026-3q-1')).toEqual([]);
  });

  it('are neither the active one nor the newest of an edition', () => {
    expect(deleted(1, '2026-3q-11', '2026-3q-2*', '2026-3q-1', '2025-4q-2', '2025-4q-1')).toEqual([
      '2025-4q-1',
      '2026-3q-1',
    ]);
  });

  it('include those whose load was never completed, which are not the newest of their edition', () => {
    expect(deleted(1, '2026-3q-1*', '2025-4q-3?', '2025-4q-2', '2024-4q-1?')).toEqual(['2024-4q-1', '2025-4q-3']);
  });
});
