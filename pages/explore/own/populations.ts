import { PsgcError } from '../../shared/api.ts';
import { codeOf, numberOf, textOf } from '../../shared/values.ts';
import type { Column, Row } from './rows.ts';

/** Names of columns with the residents of an area. */
const NAME = /^(total[ _]?)?(pop|population|residents|inhabitants|popn|populasyon)([ _-]?(total|20\d\d))?$/i;

export const isRegion = (code: string) => code.endsWith('00000000');
/** A city that belongs to no province has such a code too. */
export const isProvince = (code: string) => code.endsWith('00000') && !isRegion(code);

/** Asks the service. */
export type Ask = (path: string) => Promise<Response>;

interface Area {
  readonly code: string;
  readonly population: number | null;
  readonly p_code?: string | null;
  readonly host_province_code?: string | null;
  readonly r_code?: string | null;
}

/**
 * What lies on the land of a province: the cities of its region that it hosts, as its boundary has them, or all that it hosts,
 * as the service counts points.
 */
export type ProvinceLand = 'boundary' | 'hosted';

/**
 * The residents of each feature: those of a column of its own or, of areas that are named by codes of the PSGC, those
 * that the service knows.
 *
 * @param land of the provinces in which something was counted; without it their residents are those of the census
 * @returns a list with a number for each row; NaN where it is not known
 */
export async function populationsOf(
  rows: readonly Row[],
  columns: readonly Column[],
  ask: Ask,
  land?: ProvinceLand,
): Promise<Float64Array> {
  const own = ownColumn(columns);
  if (own) return Float64Array.from(rows, ({ properties }) => numberOf(properties[own.name]) ?? Number.NaN);
  const coded = codeColumn(rows, columns);
  if (!coded) return new Float64Array(rows.length).fill(Number.NaN);
  const codes = rows.map(({ properties }) => codeOf(properties[coded.name]) ?? '');
  const known = new Map<string, number>();
  const readLevel = async (level: string) => {
    for (const { code, population } of await areasIn<Area>(level, ask))
      if (population !== null) known.set(code, population);
  };
  if (codes.some(isRegion)) await readLevel('region');
  if (land)
    for (const [code, residents] of residentsOn(land, await areasIn<Area>('municity', ask))) known.set(code, residents);
  else if (codes.some(isProvince)) await readLevel('province');
  if (codes.some((code) => code.endsWith('000') && !isRegion(code) && !known.has(code))) await readLevel('municity');
  return Float64Array.from(codes, (code) => known.get(code) ?? Number.NaN);
}

/** The residents of provinces with those of all cities and municipalities on their land, by code; NaN where one is not known. */
function residentsOn(land: ProvinceLand, municities: readonly Area[]): Map<string, number> {
  const residents = new Map<string, number>();
  for (const { p_code, host_province_code: host, r_code, population } of municities) {
    const isOnLand = land === 'hosted' || host?.slice(0, 2) === r_code?.slice(0, 2);
    const province = p_code ?? (isOnLand ? host : undefined);
    if (province) residents.set(province, (residents.get(province) ?? 0) + (population ?? Number.NaN));
  }
  return residents;
}

/** What a reader of a rate should know of the residents that `populationsOf` finds; empty where there is nothing. */
export function remarkOnResidents(rows: readonly Row[], columns: readonly Column[], land?: ProvinceLand): string {
  if (land) return 'Residents of provinces are those of all cities and municipalities in them, as the points are.';
  if (ownColumn(columns)) return '';
  const coded = codeColumn(rows, columns);
  const isOfProvinces = coded && rows.some(({ properties }) => isProvince(codeOf(properties[coded.name]) ?? ''));
  return isOfProvinces ? 'Residents of provinces are those of the census, without highly urbanised cities.' : '';
}

/** All areas of a level, from a file that everybody may read: the list would be a request for each hundred. */
export async function areasIn<Kept>(level: string, ask: Ask): Promise<Kept[]> {
  const list = await ask(`/v1/downloads?level=${level}&format=ndjson.gz`);
  const { data } = (await list.json()) as { data: { id: string }[] };
  const file = data[0] && (await ask(`/v1/downloads/${data[0].id}`));
  if (!file?.body)
    throw new PsgcError({ code: 'not_published', message: 'The tables of areas are not published yet.' });
  const lines = await new Response(file.body.pipeThrough(new DecompressionStream('gzip'))).text();
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Kept]));
}

/** The column that says the residents. */
function ownColumn(columns: readonly Column[]): Column | undefined {
  return columns.find(({ name, isNumeric }) => isNumeric && NAME.test(name));
}

/** The column in which every value is a code of the PSGC. */
export function codeColumn(rows: readonly Row[], columns: readonly Column[]): Column | undefined {
  return columns.find(({ name }) => {
    const values = rows.map(({ properties }) => textOf(properties[name])).filter((text) => text !== '');
    return values.length > 0 && values.every((text) => codeOf(text) !== undefined);
  });
}
