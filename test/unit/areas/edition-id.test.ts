import { describe, expect, it } from 'vitest';
import { compareEditions, EDITION_ID, editionId, editionText } from '../../../src/areas/edition-id.ts';

describe('ids of editions', () => {
  it.each([
    ['4Q 2023', '2023-4q'],
    ['July 2025', '2025-07'],
    ['December 2026', '2026-12'],
  ])('say that %s is %s, and back', (text, id) => {
    expect([editionId(text), editionText(id), EDITION_ID.test(id)]).toEqual([id, text, true]);
  });

  it.each(['5Q 2023', 'Juli 2025', '2Q 25', '2025-2q', ''])('are made of editions only, not of "%s"', (text) => {
    expect(() => editionId(text)).toThrow(`"${text}" is no edition`);
  });

  it.each(['2025-13', '2025-00', '2025-5q', '2025-7', '2Q 2025', ''])('are not "%s"', (id) => {
    expect(() => editionText(id)).toThrow(`"${id}" is no id of an edition`);
  });

  it('sort by time, a quarter behind an interim list of its last month', () => {
    const ids = [
      '2023-4q',
      '2024-03',
      '2024-1q',
      '2024-04',
      '2024-2q',
      '2025-2q',
      '2025-07',
      '2025-3q',
      '2025-10',
      '2025-4q',
    ];
    expect(ids.toReversed().sort(compareEditions)).toEqual(ids);
    expect(compareEditions('2025-2q', '2025-2q')).toBe(0);
    expect(compareEditions('2025-2q', '2025-2Q')).toBe(0);
  });
});
