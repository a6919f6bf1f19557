import { gzipSync } from 'node:zlib';
import { editionId } from '../../../src/areas/edition-id.ts';
import { nameKey } from '../../../src/areas/names.ts';
import type { BoundarySet } from '../../../src/areas/store.ts';
import { type EncodedLink, type EncodedStep, encodeHistory, type NamedSpan } from '../../../src/editions/encoded.ts';
import { estimatedOf, type Link, relationsOf } from '../../../src/editions/link.ts';
import { listChanges } from '../editions/changes.ts';
import { type Comparison, compareAll, reverse } from '../editions/compare.ts';
import { type Edition, type EditionArea, editionsWith, findLocal, makeEdition } from '../editions/edition.ts';
import { changedCodes, formerCodesOf } from '../psgc/aliases.ts';
import { countAreas } from '../psgc/checks.ts';
import { formerCode } from '../psgc/former-codes.ts';
import { readHistory } from '../psgc/history.ts';
import { isRenamed } from '../psgc/name-changes.ts';
import type { SnapshotInput } from './areas.ts';

/**
 * The object `history` of a release's snapshot, compressed.
 *
 * @param includedSet the boundary set of the other editions that the snapshot includes
 */
export async function historyOf(
  input: Pick<SnapshotInput, 'edition' | 'publishedOn' | 'areas' | 'boundarySet'>,
  includedSet: BoundarySet,
): Promise<Uint8Array> {
  const areas = input.areas.map(
    (it): EditionArea => ({
      level: it.level,
      code: it.code,
      name: it.name,
      nameKey: nameKey(it.name),
      type: it.type as EditionArea['type'],
      cityClass: it.city_class as EditionArea['cityClass'],
      regionCode: it.r_code,
      provinceCode: it.p_code,
      municityCode: it.m_code,
      submunicipalityCode: it.sm_code,
      correspondence: it.correspondence,
      population: it.population,
      notes: it.notes ?? [],
      formerNames: [],
      areaKm2: it.area_km2,
    }),
  );
  const own = makeEdition({ id: editionId(input.edition), published: input.publishedOn }, areas);
  const boundarySetOf = (id: string) => (id === own.id ? input.boundarySet : includedSet);
  return packHistory(editionsWith(await readHistory(), own), boundarySetOf);
}

/** Encodes the history of some editions, oldest first. Pure. */
export function packHistory(editions: readonly Edition[], boundarySetOf: (id: string) => BoundarySet): Uint8Array {
  const bytes = encodeHistory({
    editions: editions.map(({ id, published, areas }) => ({
      id,
      published,
      counts: countAreas([...areas.values()]),
      boundary_set: boundarySetOf(id),
    })),
    spans: spansOf(editions),
    former: aliasesOf(editions),
    steps: compareAll(editions).map(encodeStep),
  });
  return gzipSync(bytes, { level: 9 });
}

/** In the order of codes and editions. */
function spansOf(editions: readonly Edition[]): NamedSpan[] {
  const byCode = new Map<string, { -readonly [Key in keyof NamedSpan]: NamedSpan[Key] }[]>();
  for (const [i, { areas }] of editions.entries()) {
    for (const { code, level, name, correspondence } of areas.values()) {
      const spans = byCode.get(code) ?? [];
      const span = spans.at(-1);
      if (span?.last === i - 1 && span.level === level && span.name === name) {
        span.last = i;
        span.correspondence = correspondence ?? span.correspondence;
      } else spans.push({ code, level, name, correspondence, first: i, last: i });
      byCode.set(code, spans);
    }
  }
  return [...byCode.values()].flat().sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : a.first - b.first));
}

/** Every code of nine or ten digits that no edition has, and the codes in editions that it stands for; in their order. */
function aliasesOf(editions: readonly Edition[]): [alias: string, code: string][] {
  const found = new Map<string, [string, string]>();
  const add = (alias: string, code: string) => found.set(`${alias} ${code}`, [alias, code]);
  const regions = new Set(editions.flatMap((edition) => edition.regions));
  const seen = new Set<EditionArea>();
  for (const edition of editions) {
    for (const area of edition.areas.values()) {
      if (seen.has(area)) continue;
      seen.add(area);
      for (const alias of formerCodesOf(area)) add(alias, area.code);
      // The last eight digits lead nowhere behind the number of a region that there was before all editions: the ARMM's.
      const nine = area.correspondence ?? formerCode(area.code);
      if (nine !== null && !regions.has(nine.slice(0, 2))) add(nine, area.code);
    }
    for (const { alias, code } of changedCodes((code) => findLocal(edition, code))) add(alias, code);
  }
  return [...found.keys()].sort().map((key) => found.get(key) as [string, string]);
}

function encodeStep(comparison: Comparison): EncodedStep {
  const { before, after, links } = comparison;
  const party = ({ code, share }: { code: string; share: number | null }) => [code, share] as const;
  return {
    changes: listChanges(comparison).map((change) => ({
      ...change,
      from: change.from.map(party),
      to: change.to.map(party),
    })),
    forward: encodeLinks(links, { ...comparison, from: before, to: after }),
    backward: encodeLinks(reverse(links, before), { ...comparison, from: after, to: before }),
  };
}

function encodeLinks(
  links: readonly Link[],
  { from, to, unchanged }: Pick<Comparison, 'unchanged'> & { from: Edition; to: Edition },
): EncodedLink[] {
  const linked = new Set(links.map((link) => link.from));
  const hasOtherName = (code: string) => {
    const [one, other] = [from.areas.get(code), to.areas.get(code)];
    return one !== undefined && other !== undefined && isRenamed(one, other);
  };
  const changed = relationsOf(links, hasOtherName).filter(({ relation }) => relation !== 'same');
  const lost = [...from.areas.keys()].filter((code) => !unchanged.has(code) && !linked.has(code));
  return [
    ...changed.map(
      ({ link }): EncodedLink => [link.from, link.to, link.area, link.population, estimatedOf(link), link.basis],
    ),
    ...lost.map((code): EncodedLink => [code, '', 0, 0, null, 'code']),
  ];
}
