import { describe, expect, it } from 'vitest';
import type { Group, View } from '../../../pages/explore/data.ts';
import type { Area, Place } from '../../../pages/explore/places.ts';
import { sceneOf, withFound } from '../../../pages/explore/scene.ts';

const [MANILA, ERMITA] = ['1380600000', '1380608000'];

const areaOf = (code: string, more: Partial<Area> = {}): Area => ({
  ...{ code, name: code, population: null, population_year: null, centroid: null, bbox: null, r_code: '1300000000' },
  ...more,
});

const groupOf = (level: Group['level']): Group => ({ level, title: '', areas: [], total: 1 });

/** The levels that the map shows of a place, with their roles and filters. */
function levelsOf(place: Place, area: Area, children: Group['level'], isCoarse = false): unknown[] {
  const view: View = { place, area, ancestors: [], children: [groupOf(children)], edition: undefined };
  return sceneOf({ view, edition: undefined }, isCoarse).shown.map(({ level, role, filter }) => [level, role, filter]);
}

describe('the scene of an edition without boundaries', () => {
  const edition = '2023-1q';
  const viewOf = (place: Place, today?: Area): View => ({
    ...{ place, area: areaOf(place.code), ancestors: [], children: [groupOf('municity')], edition },
    ...(today && { today }),
  });
  const sceneOfPlace = (place: Place, today?: Area, isCoarse = false) =>
    sceneOf({ view: viewOf(place, today), edition, isOnLandOfToday: true }, isCoarse);
  const levels = ({ shown }: ReturnType<typeof sceneOf>) =>
    shown.map(({ level, role, filter }) => [level, role, filter]);
  const CEBU = { level: 'province', code: '0702200000' } as const;
  const today = areaOf(CEBU.code, { centroid: [123.8, 10.5], bbox: [123, 9, 125, 12] });
  const land = ['region', 'around', undefined];

  it('is the land of the current one, without borders, names and choices', () => {
    const whole = sceneOf({ view: undefined, edition, isOnLandOfToday: true });
    expect(levels(whole)).toEqual([land]);
    expect(whole).toMatchObject({ edition: undefined, isLandOnly: true });
    expect(sceneOfPlace(CEBU)).toEqual(whole);
    const changes = { from: '2023-1q', to: '2023-4q' };
    expect(sceneOf({ view: undefined, changes, edition, isOnLandOfToday: true })).toEqual(whole);
  });

  it('has the place with its border of today where it has not changed', () => {
    expect(levels(sceneOfPlace(CEBU, today))).toEqual([
      land,
      ['province', 'inside', ['==', ['get', 'code'], CEBU.code]],
    ]);
    // The land of a region is one of those already.
    const region = { level: 'region', code: '0100000000' } as const;
    expect(sceneOfPlace(region, areaOf(region.code))).toMatchObject({ shown: [{ level: 'region' }], chosen: region });
    // Without a key there are no barangays, so it is marked.
    const barangay = { level: 'barangay', code: '0730600001' } as const;
    const coarse = sceneOfPlace(barangay, areaOf(barangay.code, { centroid: [123.9, 10.3] }), true);
    expect(levels(coarse)).toEqual([land]);
    expect(coarse.mark).toEqual({ name: barangay.code, at: [123.9, 10.3] });
  });
});

describe('the scene of a city with sub-municipalities', () => {
  const around = [
    ['region', 'around', undefined],
    ['municity', 'around', undefined],
  ];
  const ofManila = ['==', ['get', 'm_code'], MANILA];

  it('has these in it, and not its barangays', () => {
    expect(levelsOf({ level: 'municity', code: MANILA }, areaOf(MANILA), 'submunicipality')).toEqual([
      ...around,
      ['submunicipality', 'inside', ofManila],
    ]);
  });

  it('has the barangays of one of them that is chosen, or of that in which a barangay lies', () => {
    const district = areaOf(ERMITA, { m_code: MANILA });
    const barangay = areaOf('1380608003', { m_code: MANILA, sm_code: ERMITA });
    const inside = [
      ...around,
      ['submunicipality', 'around', ofManila],
      ['barangay', 'inside', ['==', ['get', 'sm_code'], ERMITA]],
    ];
    expect(levelsOf({ level: 'submunicipality', code: ERMITA }, district, 'barangay')).toEqual(inside);
    expect(levelsOf({ level: 'barangay', code: barangay.code }, barangay, 'barangay')).toEqual(inside);
  });

  it('has these without a key too, also where one of them is chosen', () => {
    const districts = [...around, ['submunicipality', 'inside', ofManila]];
    const district = areaOf(ERMITA, { m_code: MANILA });
    const coarse = (...of: Parameters<typeof levelsOf>) => levelsOf(of[0], of[1], of[2], true);
    expect(coarse({ level: 'municity', code: MANILA }, areaOf(MANILA), 'submunicipality')).toEqual(districts);
    expect(coarse({ level: 'submunicipality', code: ERMITA }, district, 'barangay')).toEqual(districts);
  });

  it('has the barangays of any other city at once', () => {
    const [shown] = levelsOf({ level: 'municity', code: '0730600000' }, areaOf('0730600000'), 'barangay').slice(-1);
    expect(shown).toEqual(['barangay', 'inside', ['==', ['get', 'm_code'], '0730600000']]);
  });
});

describe('a chosen area', () => {
  const area = areaOf('0730600001', { m_code: '0730600000', sm_code: null });
  const shownOf = (place: Place) =>
    sceneOf({
      view: { place, area, ancestors: [], children: [groupOf('barangay')], edition: undefined },
      edition: undefined,
    });
  const withChosen = ({ shown }: ReturnType<typeof sceneOf>) => shown.filter((one) => one.hasChosen);

  it('stands out of those of its level, but not where others are found', () => {
    const scene = shownOf({ level: 'barangay', code: area.code });
    expect(withChosen(scene).map(({ level }) => level)).toEqual(['barangay']);
    expect(withChosen(withFound(scene, { level: 'barangay', codes: [area.code] }))).toEqual([]);
    const larger = { ...scene, shown: [{ level: 'municity', role: 'inside', hasChosen: true } as const] };
    expect(withChosen(withFound(larger, { level: 'barangay', codes: [area.code] }))).toEqual([]);
  });

  it('is in one colour where its parts are shown', () => {
    expect(withChosen(shownOf({ level: 'municity', code: '0730600000' }))).toEqual([]);
  });
});

describe('the scene without a key', () => {
  const inCebu = ['any', ['==', ['get', 'p_code'], '0702200000'], ['==', ['get', 'host_province_code'], '0702200000']];

  it('has the cities and municipalities of a province, and no barangays of one of them', () => {
    const province = { level: 'province', code: '0702200000' } as const;
    const cebu = areaOf(province.code, { r_code: '0700000000' });
    expect(levelsOf(province, cebu, 'municity', true)).toEqual([
      ['region', 'around', undefined],
      ['province', 'around', undefined],
      ['municity', 'inside', inCebu],
    ]);
    for (const [level, code, children] of [
      ['municity', '0730600000', 'barangay'],
      ['barangay', '0730600001', 'barangay'],
    ] as const) {
      const view: View = {
        place: { level, code },
        area: areaOf(code, { r_code: '0700000000', m_code: '0730600000', sm_code: null }),
        ancestors: [{ name: 'Cebu', place: province }],
        children: [groupOf(children)],
        edition: undefined,
      };
      const { shown } = sceneOf({ view, edition: undefined }, true);
      expect(shown.map(({ level: of, role, filter }) => [of, role, filter])).toEqual([
        ['region', 'around', undefined],
        ['municity', 'inside', inCebu],
      ]);
    }
  });
});

describe('areas that were found', () => {
  it('are alone of their level, and no smaller ones are shown', () => {
    const shown = [
      { level: 'region', role: 'around' },
      { level: 'municity', role: 'inside', list: '/v1/municities?x' },
      { level: 'barangay', role: 'inside' },
    ] as const;
    const scene = { shown, edition: undefined };
    expect(withFound(scene, undefined)).toBe(scene);
    const codes = ['0730600000', '0731300000'];
    const filter = ['in', ['get', 'code'], ['literal', codes]];
    expect(withFound(scene, { level: 'municity', codes }).shown).toEqual([
      { level: 'region', role: 'around' },
      { level: 'municity', role: 'inside', filter, list: '/v1/municities?x' },
    ]);
    expect(withFound(scene, { level: 'province', codes }).shown).toEqual([
      { level: 'region', role: 'around' },
      { level: 'province', role: 'inside', filter },
    ]);
  });
});
