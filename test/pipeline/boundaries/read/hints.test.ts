import { describe, expect, it } from 'vitest';
import { levelOfFeature, levelOfName, resolutionOfName } from '../../../../scripts/pipeline/boundaries/read/hints.ts';

describe('a file’s name', () => {
  it.each([
    ['barangays.detailed.ndjson.gz', 'barangay', 'detailed'],
    ['regions.simple.ndjson.gz', 'region', 'simple'],
    ['2023/geojson/municities/lowres/municities-provdist-102800000.0.001.json', 'municity', 'simple'],
    ['2023/geojson/provdists/medres/provdists-region-100000000.0.01.json', 'province', 'medium'],
    ['2023/topojson/barangays/hires/bgysubmuns-municity-1380600000.0.1.json', 'barangay', 'detailed'],
    ['phl_admbnda_adm3_psa_namria_20231106.zip', 'municity', null],
    ['medium/Provinces.geojson', 'province', 'medium'],
    ['submunicipalities.json', 'submunicipality', null],
    ['country.0.01.json', null, 'medium'],
    ['phl.geojson', null, null],
    ['monument.geojson', null, null],
  ])('%s tells %s, %s', (name, level, resolution) => {
    expect([levelOfName(name), resolutionOfName(name)]).toEqual([level, resolution]);
  });
});

describe('a feature', () => {
  it.each([
    [{ level: 'Bgy' }, '', 'barangay'],
    [{ Geo_Level: 'SubMun' }, '', 'submunicipality'],
    [{ level: 'Dist' }, 'adm4', 'province'],
    [{ level: 3 }, 'phl_adm2', 'province'],
    [{}, '', null],
  ])('with %j in layer "%s" is of level %s', (properties, layer, level) => {
    expect(levelOfFeature({ at: '', layer, id: null, properties, geometry: null })).toBe(level);
  });
});
