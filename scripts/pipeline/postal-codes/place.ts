import { buildIndex } from '../../../src/names/build.ts';
import type { NameIndex } from '../../../src/names/index.ts';
import { matchRow } from '../../../src/names/match.ts';
import { areaOf, isDecided } from '../../../src/names/result.ts';
import { sourceOf } from '../../../src/names/source.ts';
import { releaseOf } from '../editions/release.ts';
import { readHistory } from '../psgc/history.ts';
import { decisions } from './decisions.ts';
import type { Line, Lists } from './lists.ts';

/** Codes of areas by ZIP code. */
type Placed = Map<string, Set<string>>;

const METRO_MANILA = 'Metro Manila';
const MANILA = '1380600000';

/** The names of the newest edition. */
export async function newestNames(): Promise<NameIndex> {
  const history = await readHistory();
  const { areas, formerNames, aliases } = releaseOf(history, history.editions.at(-1)?.id ?? '');
  return buildIndex(sourceOf(areas, { names: formerNames, codes: aliases }));
}

/** The ZIP codes of areas by their names, and sentences about what is left. */
export function placed({ post, community }: Lists, index: NameIndex) {
  const unplaced: string[] = [];
  const decided = new Map(decisions.map(({ zip, areas }) => [zip, areas.map(({ code }) => code)]));
  const placeAll = (lines: readonly Line[], list: string): Placed => {
    const found: Placed = new Map();
    for (const line of lines) {
      const code = decided.has(line.zip) ? undefined : codeOf(index, line);
      if (code !== undefined) found.set(line.zip, (found.get(line.zip) ?? new Set()).add(code));
      else if (!decided.has(line.zip))
        unplaced.push(`${list}: ${line.zip} ${[line.place, line.city, line.province].filter(Boolean).join(', ')}`);
    }
    return found;
  };
  // The post office names the places of Metro Manila without their cities. Which these are, the other list says.
  const lines = post.filter(({ province }) => province !== METRO_MANILA);
  const [first, second] = [placeAll(lines, 'phzipcodes'), placeAll(community, 'psgc')];
  const known = new Set([...first.keys(), ...second.keys(), ...decided.keys()]);
  for (const { zip, place, province } of post) {
    if (province === METRO_MANILA && !known.has(zip)) unplaced.push(`phzipcodes: ${zip} ${place}, ${province}`);
  }
  const contradictions: string[] = [];
  const zips = new Map<string, string[]>();
  for (const zip of known) {
    const codes = new Set(decided.get(zip) ?? first.get(zip));
    // Where the post office has the ZIP code for another place, the other list has it by mistake.
    const others = [...(second.get(zip) ?? [])].filter((code) => !codes.has(code));
    if (codes.size === 0) for (const code of others) codes.add(code);
    else if (others.length > 0)
      contradictions.push(`${zip}: ${namesOf(index, codes)}; psgc also has ${namesOf(index, others)}`);
    for (const code of codes) zips.set(code, [...(zips.get(code) ?? []), zip]);
  }
  // A sub-municipality's ZIP code is also its city's.
  const cities = [...zips].filter(([code]) => index.rowOf('submunicipality', code) !== -1).flatMap(([, own]) => own);
  zips.set(MANILA, [...new Set([...(zips.get(MANILA) ?? []), ...cities])]);
  const without = codesOf(index).filter((code) => !zips.has(code));
  return { zips, unplaced, contradictions, without: without.map((code) => `${code} ${namesOf(index, [code])}`) };
}

const LEVELS = ['municity', 'submunicipality'] as const;

function codesOf(index: NameIndex): string[] {
  return LEVELS.flatMap((level) => {
    const { first, end } = index.source.rowsOf(level);
    return Array.from({ length: end - first }, (_, at) => index.codeOf(first + at));
  });
}

/** The city, municipality or sub-municipality of a line; undefined if it is not sure. */
function codeOf(index: NameIndex, { place, city, province }: Line): string | undefined {
  if (/^(?:City of )?Manila$/.test(city)) {
    const district = matchRow(index, {
      province: 'Manila',
      municity: place.replace(/,.*| (?:North|South|East|West)$/g, ''),
    });
    return district.level === 'submunicipality' && isDecided(district) ? (district.code ?? MANILA) : MANILA;
  }
  const matches = [
    matchRow(index, { province, municity: city || place }, 'municity'),
    ...(city ? [] : [matchRow(index, { text: `${place}, ${province}` })]),
  ];
  for (const match of matches) {
    const area = areaOf(index, match);
    const town = area === undefined ? undefined : index.ancestorAt(area, 'municity');
    if (town !== undefined) return index.codeOf(town);
  }
  return undefined;
}

function namesOf(index: NameIndex, codes: Iterable<string>): string {
  const rows = Array.from(codes, (code) => LEVELS.map((level) => index.rowOf(level, code)).find((row) => row !== -1));
  return rows.map((row) => (row === undefined ? 'an unknown area' : index.source.nameOf(row))).join(', ');
}
