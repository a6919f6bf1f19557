import { describe, expect, it } from 'vitest';
import { capitalLayers } from '../../../pages/explore/capitals.ts';
import { paletteFor } from '../../../pages/explore/map-colors.ts';
import type { ShownLevel } from '../../../pages/explore/scene.ts';

/** The filter of the dots of capitals on a map with some cities and municipalities. */
function filterBeside(filter: ShownLevel['filter']): string {
  const shown: ShownLevel[] = [{ level: 'municity', role: 'inside', ...(filter && { filter }) }];
  const [dots] = capitalLayers({ palette: paletteFor(false), scene: { shown, edition: undefined } }, shown);
  return JSON.stringify(dots && 'filter' in dots ? dots.filter : undefined);
}

describe('the capitals', () => {
  it('are left out where the map names the cities of their region, by their codes, since they have no region', () => {
    const filter = filterBeside(['==', ['get', 'r_code'], '1300000000']);
    const region = ['concat', ['slice', ['get', 'code'], 0, 2], '00000000'];
    expect(filter).toContain(JSON.stringify(['!', ['==', region, '1300000000']]));
  });

  it('are left out where the map names the cities of their province', () => {
    const ofCebu = ['==', ['get', 'p_code'], '0702200000'] as const;
    expect(filterBeside(['==', ['get', 'p_code'], '0702200000'])).toContain(JSON.stringify(['!', ofCebu]));
  });
});
