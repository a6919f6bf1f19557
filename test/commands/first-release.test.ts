import { describe, expect, it } from 'vitest';
import { FirstRelease, PARTS_OF_RELEASE } from '../../scripts/dev/first-release.ts';

const ACTIVE = '2026-3q-1';

describe('the process of a first release', () => {
  it('ends where it fails, and nothing of it is being prepared any more', async () => {
    const left = new Set<string>(PARTS_OF_RELEASE);
    const release = new FirstRelease(
      { id: ACTIVE, createdAt: new Date() },
      { onProgress: () => undefined, onEnd: (part) => left.delete(part) },
    );
    // Nobody listens there.
    release.give({ endpoint: { address: 'http://127.0.0.1:9', token: 'x' } });
    try {
      await expect(release.complete).rejects.toThrow("http://127.0.0.1:9 can't be reached");
      expect([...left]).toEqual([]);
      await release.ended;
    } finally {
      await release.stop();
    }
  });
});
