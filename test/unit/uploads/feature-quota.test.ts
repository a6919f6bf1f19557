import { describe, expect, it } from 'vitest';
import { FeatureQuota } from '../../../src/uploads/feature-quota.ts';
import { readInChunks } from './read.ts';

describe('what one file may store', () => {
  it('is a million features', () => {
    const quota = new FeatureQuota();
    const feature = { geometry: null, properties: '{}' };
    for (let i = 0; i < 1_000_000; i += 1) quota.take(feature, 4326);
    expect(() => quota.take(feature, 4326)).toThrow(/more than 1000000 features/);
  });

  it('is 512 Mi characters, however often a table repeats the names of its columns', () => {
    const names = Array.from({ length: 998 }, (_, i) => `${i}`.padEnd(256, 'n'));
    const [feature] = readInChunks('a.csv', `${names.join(',')},lat,lon\n${','.repeat(999)}\n`);
    if (!feature) throw new Error('There is no feature');
    const quota = new FeatureQuota();
    const store = () => {
      for (let stored = 0; ; stored += feature.properties.length) {
        quota.take(feature, 4326);
        if (stored > 2 ** 29) return;
      }
    };
    expect(store).toThrow(/more than 536870912 characters/);
  });

  it('counts a boundary that many features have by reference with each of them', () => {
    const quota = new FeatureQuota();
    const feature = { geometry: null, properties: '{}', shape: { key: 'a', bytes: 1024 * 1024 } };
    for (let i = 0; i < 511; i += 1) quota.take(feature, 4326);
    expect(quota.leastBytes).toBe(511 * (1024 * 1024 + 2 + 256));
    expect(() => quota.take(feature, 4326)).toThrow('has more than 536870912 characters of features');
  });
});
