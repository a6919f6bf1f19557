import { describe, expect, it } from 'vitest';
import type { Area } from '../../../scripts/pipeline/psgc/area.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import { publicationOf, readBuiltin } from '../../../scripts/pipeline/psgc/builtin.ts';
import { checkRelease } from '../../../scripts/pipeline/psgc/checks.ts';
import table from '../../../scripts/pipeline/psgc/hosts.json' with { type: 'json' };
import { checkHostTable } from '../../../scripts/pipeline/psgc/hosts.ts';

const publication = await readBuiltin();
const release = toRelease(publication);
const areas = new Map(release.areas.map((area) => [area.code, area]));

function area(code: string): Area {
  const found = areas.get(code);
  if (!found) throw new Error(`no area ${code}`);
  return found;
}

function aliases(alias: string): string[] {
  return release.aliases.filter((it) => it.alias === alias).map((it) => `${it.level} ${it.change} ${it.code}`);
}

describe('the built-in list of 2Q 2025', () => {
  it('passes every check', () => {
    const { problems, report } = checkRelease(release);
    expect(problems).toEqual([]);
    expect(publication.edition).toBe('2Q 2025');
    expect(report.counts).toEqual({
      regions: 18,
      provinces: 82,
      cities: 149,
      'highly urbanised cities': 33,
      'independent component cities': 5,
      municipalities: 1493,
      'sub-municipalities': 14,
      barangays: 42_011,
      'former names': 1703,
      'former codes': 4566,
    });
  });

  it('has each area of the hosting table and its host, by their names there', () => {
    const named = new Map(release.areas.map(({ code, name }) => [code.slice(2), name]));
    for (const { code, name, host, host_name } of checkHostTable(table)) {
      expect([code, named.get(code)]).toEqual([code, expect.stringContaining(name)]);
      expect([host, named.get(host)]).toEqual([host, host_name]);
    }
  });

  it.each([
    [[{ ...table[0], host: '0705400000' }], 'hosts.json, 0.host: must be the last eight digits of a code'],
    [[{ ...table[0], independent: false }], 'hosts.json, 0.independent'],
    [[table[0], table[0]], '30100000 Angeles stands twice'],
  ])('is not hosted by a table that is wrong: %j', (rows, message) => {
    expect(() => checkHostTable(rows)).toThrow(message);
  });

  // psgc.md, "Hosting table"
  it.each([
    ['0330100000', '0305400000'],
    ['0331400000', '0307100000'],
    ['0431200000', '0405600000'],
    ['1731500000', '1705300000'],
    ['1430300000', '1401100000'],
    ['0631000000', '0603000000'],
    ['1830200000', '1804500000'],
    ['0730600000', '0702200000'],
    ['0731100000', '0702200000'],
    ['0731300000', '0702200000'],
    ['0831600000', '0803700000'],
    ['1030900000', '1003500000'],
    ['1130700000', '1102400000'],
    ['1230800000', '1206300000'],
    ['1630400000', '1600200000'],
    ['0931700000', '0907300000'],
    ['1030500000', '1004300000'],
    ['0105518000', '0105500000'],
    ['0203135000', '0203100000'],
    ['0501724000', '0501700000'],
    ['0803738000', '0803700000'],
    ['1908703000', '1908700000'],
    ['0990101000', '1900700000'],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((cluster) => [`199990${cluster}000`, '1204700000']),
  ])('%s belongs to no province and lies in %s', (code, host) => {
    expect(area(code)).toMatchObject({ pCode: null, hostProvinceCode: host });
  });

  it('hosts nothing else', () => {
    const hosted = release.areas.filter((it) => it.level === 'municity' && it.hostProvinceCode !== null);
    expect(hosted).toHaveLength(31);
  });

  it('has a capital region without provinces, in which nothing has a host', () => {
    const capital = release.areas.filter((it) => it.rCode === '1300000000');
    expect(capital.every((it) => it.pCode === null && it.hostProvinceCode === null)).toBe(true);
    expect(area('1300000000')).toMatchObject({ provinceCount: 0, municityCount: 17, barangayCount: 1715 });
    expect(area('1381701000')).toMatchObject({ name: 'Pateros', type: 'Municipality', cityClass: null });
  });

  it('gives Manila its 897 barangays, by way of its 14 sub-municipalities', () => {
    const manila = release.areas.filter((it) => it.mCode === '1380600000');
    expect(manila.filter((it) => it.level === 'submunicipality')).toHaveLength(14);
    expect(manila.filter((it) => it.level === 'barangay' && it.smCode !== null)).toHaveLength(897);
    expect(area('1380600000').barangayCount).toBe(897);
    expect(area('1380602001')).toMatchObject({ mCode: '1380600000', smCode: '1380602000', pCode: null });
    expect(release.areas.some((it) => it.level === 'municity' && /^13806(?!00)/.test(it.code))).toBe(false);
  });

  it('counts the Special Geographic Area as eight municipalities with 63 barangays, in BARMM and in no province', () => {
    const special = release.areas.filter((it) => it.code.startsWith('19999'));
    expect(special.filter((it) => it.type === 'Municipality')).toHaveLength(8);
    expect(special.filter((it) => it.level === 'barangay')).toHaveLength(63);
    expect(special.every((it) => it.rCode === '1900000000' && it.pCode === null)).toBe(true);
    expect(area('1204700000')).toMatchObject({ municityCount: 18, hostedMunicityCount: 8 });
  });

  it('counts a city where it belongs and, apart from that, where it lies', () => {
    expect(area('0702200000')).toMatchObject({ name: 'Cebu', municityCount: 50, hostedMunicityCount: 3 });
    expect(area('0803700000')).toMatchObject({ name: 'Leyte', municityCount: 41, hostedMunicityCount: 2 });
    expect(area('1900700000')).toMatchObject({ name: 'Basilan', hostedMunicityCount: 1 });
    expect(area('0900000000')).toMatchObject({ provinceCount: 3, municityCount: 72 });
  });

  it('tells a barangay the province of its city, not the one in its digits', () => {
    expect(area('0105518001')).toMatchObject({ pCode: null, hostProvinceCode: '0105500000', mCode: '0105518000' });
    expect(area('0105501001')).toMatchObject({ pCode: '0105500000', hostProvinceCode: null });
  });

  it('repairs the codes of highly urbanised cities', () => {
    expect(area('1830200000')).toMatchObject({ name: 'City of Bacolod', cityClass: 'HUC', type: 'City' });
    expect(release.areas.every((it) => /^\d{10}$/.test(it.code))).toBe(true);
  });

  it('repairs the plainly wrong names and no others', () => {
    expect(publication.repairs).toHaveLength(5);
    expect(area('1903638000').name).toBe('Tagoloan II');
    expect(area('1900000000').name).toBe('Bangsamoro Autonomous Region in Muslim Mindanao (BARMM)');
    expect(area('1907004015').name).toBe('Bagid');
    expect(area('1030500000').name).toBe('City of Cagayan De Oro');
    expect(release.areas.every((it) => it.name === it.name.trim())).toBe(true);
  });

  it('keeps former names for people and as search keys', () => {
    expect(release.formerNames).toContainEqual({ code: '0731100000', name: 'Opon' });
    expect(release.formerNames).toContainEqual({ code: '0306905054', name: 'Cobra' });
    expect(release.names).toContainEqual({ level: 'municity', code: '0731100000', key: 'opon', former: true });
    expect(release.names).toContainEqual({ level: 'municity', code: '1381000000', key: 'paranaque', former: false });
  });
});

describe('former codes in the built-in list', () => {
  it.each([
    ['035401000', ['municity renumbered 0330100000']],
    ['064501000', ['municity renumbered 1830200000']],
    ['072217000', ['municity renumbered 0730600000']],
    ['133900000', ['municity renumbered 1380600000']],
    ['133902000', ['submunicipality renumbered 1380602000']],
    ['133902001', ['barangay renumbered 1380602001']],
    ['137602000', ['municity renumbered 1380300000']],
    ['137606000', ['municity renumbered 1381701000']],
    ['099701000', ['municity renumbered 0990101000']],
    ['129804000', ['municity renumbered 1908703000']],
    ['150000000', ['region renumbered 1900000000']],
    ['010000000', ['region renumbered 0100000000']],
  ])('%s is %j', (alias, expected) => {
    expect(aliases(alias)).toEqual(expected);
  });

  it.each([
    ['137602003', '1380300003', '1381500029'],
    ['137602004', '1380300004', '1381500030'],
    ['137602007', '1380300007', '1381500031'],
    ['137602016', '1380300016', '1381500032'],
    ['137602019', '1380300019', '1381500033'],
    ['137602021', '1380300021', '1381500034'],
    ['137602022', '1380300022', '1381500035'],
    ['137602033', '1380300033', '1381500036'],
    ['137602028', '1380300028', '1381500037'],
    ['137602032', '1380300032', '1381500038'],
  ])('finds the EMBO barangay %s, later %s, as %s', (nine, ten, code) => {
    expect(aliases(nine)).toEqual([`barangay renumbered ${code}`]);
    expect(aliases(ten)).toEqual([`barangay renumbered ${code}`]);
  });

  it('finds the municipalities and barangays of undivided Maguindanao', () => {
    expect(aliases('1903801000')).toEqual(['municity renumbered 1908801000']);
    expect(aliases('153801004')).toEqual(['barangay renumbered 1908801001']);
    expect(aliases('1903801004')).toEqual(['barangay renumbered 1908801001']);
    expect(aliases('1903800000')).toEqual(['province abolished 1908700000', 'province abolished 1908800000']);
    expect(aliases('153800000')).toEqual(['province abolished 1908700000', 'province abolished 1908800000']);
  });

  it('finds the barangays of the Special Geographic Area by every code they had', () => {
    const panicupan = ['barangay renumbered 1999908010'];
    expect(aliases('124712048')).toEqual(panicupan);
    expect(aliases('1204712048')).toEqual(panicupan);
    expect(aliases('1999906008')).toEqual(panicupan);
  });

  it('names every successor of an abolished barangay', () => {
    const parts = [189, 190, 191, 192, 193, 194].map((digits) => `barangay abolished 1380100${digits}`);
    expect(aliases('1380100176')).toEqual(parts);
    expect(aliases('137501176')).toEqual(parts);
    expect(aliases('0402103001')).toEqual(['barangay abolished 0402103089']);
    expect(aliases('042103001')).toEqual(['barangay abolished 0402103089']);
  });

  it('stores nothing that the last eight digits tell', () => {
    expect(aliases('015501001')).toEqual([]);
    expect(aliases('0906600000')).toEqual([]);
    expect(aliases('0630200000')).toEqual([]);
  });

  it('stores nothing that names an area today', () => {
    expect(release.aliases.filter((it) => areas.get(it.alias)?.level === it.level)).toEqual([]);
  });
});

describe('publicationOf', () => {
  const city = {
    psgcCode: '30100',
    regCode: '03',
    munCityCode: '30100',
    munCityName: 'City of Angeles ',
    munCityOldName: '',
  };
  const lists = { regions: [], provinces: [], muncities: [city], barangays: [] };

  it('says when the two places of a highly urbanised city disagree', () => {
    const province = { psgcCode: '0330100000', provName: 'City of Angeles', provOldName: '', cityClass: 'HUC' };
    expect(publicationOf({ ...lists, provinces: [province] }, '2Q 2025', '').problems).toEqual([]);
    expect(publicationOf(lists, '2Q 2025', '').problems).toEqual([
      {
        at: 'muncities.json #0',
        what: 'highly urbanised city 0330100000 City of Angeles is not in provinces.json by that code and name',
      },
    ]);
    const other = { ...province, psgcCode: '0330200000' };
    expect(publicationOf({ ...lists, provinces: [province, other] }, '2Q 2025', '').problems).toEqual([
      { at: 'provinces.json', what: '0330200000 City of Angeles has a city class but is no city of muncities.json' },
    ]);
  });
});
