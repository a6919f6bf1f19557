import { LEVELS, type Level } from '../../shared/levels.ts';
import { codeOf } from '../../shared/values.ts';
import type { Row } from './rows.ts';

/** Cities and municipalities in 3Q 2026. A list of them is one of a region, so asking how many there are takes 18 requests. */
const MUNICITIES = 1642;

/** The region without provinces. */
const NATIONAL_CAPITAL = '13';

/**
 * Whether a map of areas leaves some land of the country grey, because they are not all of their level. Features without
 * codes of the PSGC are areas of another kind, which lack none.
 *
 * @param ask asks the service. Where it doesn't answer, none are said to lack.
 */
export async function lacksAreas(rows: readonly Row[], ask: (path: string) => Promise<Response>): Promise<boolean> {
  const codes = [...new Set(rows.flatMap(({ properties }) => codeOf(properties.psgc_code ?? properties.code) ?? []))];
  if (codes.length === 0) return false;
  const level = levelOf(codes);
  if (level === 'barangay') return true;
  if (level === 'municity') return codes.length < MUNICITIES;
  if (level === 'province' && !codes.some((code) => code.startsWith(NATIONAL_CAPITAL))) return true;
  // Beside provinces a list may have the capital and cities that belong to none.
  const own = codes.filter((code) => levelOf([code]) === level && !(level === 'province' && isCity(code)));
  try {
    const { meta } = (await (await ask(`/v1/${LEVELS[level].path}?limit=1`)).json()) as { meta: { total: number } };
    return own.length < meta.total;
  } catch {
    return false;
  }
}

/** Whether a code like that of a province is that of a city that belongs to none: their numbers begin at 300. */
function isCity(code: string): boolean {
  return Number(code.slice(2, 5)) >= 300;
}

/** The finest level of some codes. A city that belongs to no province has a code like that of one. */
function levelOf(codes: readonly string[]): Level {
  const zeros = Math.min(...codes.map((code) => /0*$/.exec(code)?.[0].length ?? 0));
  return zeros >= 8 ? 'region' : zeros >= 5 ? 'province' : zeros >= 3 ? 'municity' : 'barangay';
}
