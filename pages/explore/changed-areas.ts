import type { Feature, FeatureCollection } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { requestJson } from '../shared/api.ts';
import { number } from '../shared/format.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { type Change, type ChangeFilter, outcomeOf, readChanges } from './changes.ts';
import { type Edition, inAddress } from './editions.ts';
import { COLOR_OF_KIND, KIND_WORDS, KINDS, type Kind } from './kinds.ts';
import type { Palette } from './map-colors.ts';
import { type Box, ofEdition } from './places.ts';

/** The shapes of areas that changed, each with its kind of change. */
export interface ChangedAreas {
  readonly features: FeatureCollection;
  readonly kinds: ReadonlySet<Kind>;
  /** What the map leaves out; empty if it leaves out nothing. */
  readonly left: string;
  /** The extent of all of them; undefined without shapes. */
  readonly box: Box | undefined;
}

/** Max pages of changes that are read for one level. */
const MAX_PAGES = 20;

/** Max areas of a level that the service gives at once, and what it calls their codes. */
const BATCHES: Readonly<Record<Level, { size: number; field: 'ids' | 'codes' }>> = {
  region: { size: 100, field: 'ids' },
  province: { size: 100, field: 'codes' },
  municity: { size: 1000, field: 'codes' },
  submunicipality: { size: 1000, field: 'codes' },
  barangay: { size: 1000, field: 'codes' },
};

const SOURCE = 'changes';

/** Areas that changed, by code: what happened to each, and an edition that has it. */
type Marks = Map<string, { kind: Kind; edition: string }>;

/**
 * Reads the shapes of the areas that changed: those of the later edition, and of what it does not have as that was after the
 * change, or before it where nothing came of it. So one edition is asked for nearly all of them. Barangays are so many that
 * they are only drawn if they are asked for.
 *
 * @throws PsgcError
 */
export async function readChangedAreas(filter: ChangeFilter, editions: readonly Edition[]): Promise<ChangedAreas> {
  const levels = filter.level ? [filter.level] : LEVEL_NAMES.filter((level) => level !== 'barangay');
  const read = await Promise.all(levels.map((level) => readLevel({ ...filter, level }, editions)));
  const features = read.flatMap((part) => part.features);
  const missing = read.reduce((sum, part) => sum + part.missing, 0);
  const left = [
    filter.level ? '' : 'Barangays are drawn if you choose their level.',
    ...read.map((part) => part.left),
    missing > 0 ? `${number(missing)} ${missing === 1 ? 'area has' : 'areas have'} no boundary.` : '',
  ];
  return {
    features: { type: 'FeatureCollection', features },
    kinds: new Set(features.map(({ properties }) => properties?.kind as Kind)),
    left: left.filter((sentence) => sentence !== '').join(' '),
    box: boxAround(features),
  };
}

async function readLevel(filter: ChangeFilter & { level: Level }, editions: readonly Edition[]) {
  const { level } = filter;
  const { changes, total } = await readFirst(filter);
  const marks = marksOf(changes);
  const features: Feature[] = [];
  const read = async (edition: string, codes: readonly string[]) => {
    const { size, field } = BATCHES[level];
    const shown = inAddress(edition, editions);
    const address = ofEdition(`/v1/${LEVELS[level].path}/search`, shown);
    for (let start = 0; start < codes.length; start += size) {
      const body = { [field]: codes.slice(start, start + size), format: 'geojson', geometry: 'simple' };
      const batch = await requestJson<FeatureCollection>(address, { method: 'POST', body });
      for (const { bbox, geometry, properties } of batch.features) {
        const { code, name } = properties ?? {};
        // A code that leads to another area stands for that one.
        const kind = marks.get(code)?.kind;
        if (!geometry || !kind) continue;
        const hint = `${name} · ${KIND_WORDS[kind].title.toLowerCase()}`;
        features.push({
          type: 'Feature',
          ...(bbox && { bbox }),
          geometry,
          properties: { code, hint, kind, level, ...(shown && { edition: shown }) },
        });
      }
    }
  };
  await read(filter.to, [...marks.keys()]);
  const drawn = new Set(features.map(({ properties }) => properties?.code));
  const others = [...marks].filter(([code]) => !drawn.has(code));
  for (const [edition, entries] of Map.groupBy(others, ([, mark]) => mark.edition)) {
    const codes = entries.map(([code]) => code);
    if (edition !== filter.to) await read(edition, codes);
  }
  const left =
    changes.length < total
      ? `The map has the first ${number(changes.length)} of ${number(total)} changes of ${LEVELS[level].nouns.toLowerCase()}.`
      : '';
  return { features, left, missing: marks.size - features.length };
}

/** The first pages of changes. */
async function readFirst(filter: ChangeFilter): Promise<{ changes: Change[]; total: number }> {
  const first = await readChanges(filter);
  const changes = [...first.changes];
  for (let next = first.next; next !== null && next <= MAX_PAGES; ) {
    const page = await readChanges(filter, next);
    changes.push(...page.changes);
    next = page.next;
  }
  return { changes, total: first.total };
}

/** Of several things that happened to an area, the map shows the one that comes first among the kinds. */
function marksOf(changes: readonly Change[]): Marks {
  const marks: Marks = new Map();
  for (const change of changes.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))) {
    const { parties, edition } = outcomeOf(change);
    for (const { code } of parties) if (!marks.has(code)) marks.set(code, { kind: change.kind, edition });
  }
  return marks;
}

function boxAround(features: readonly Feature[]): Box | undefined {
  const boxes = features.flatMap(({ bbox }) => (bbox ? [bbox] : []));
  if (boxes.length === 0) return undefined;
  const side = (at: number, pick: (...values: number[]) => number) => pick(...boxes.map((box) => box[at] ?? 0));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

/** Names of the layers that can be pointed at, the smallest areas last. */
export const CHANGED_LAYERS = LEVEL_NAMES.map(layerOf);

function layerOf(level: Level): string {
  return `changed-${level}`;
}

export function changedSource({ features }: ChangedAreas): Record<string, SourceSpecification> {
  return { [SOURCE]: { type: 'geojson', data: features, promoteId: 'code', tolerance: 0.2 } };
}

/** Small areas lie over the large ones that they are part of. */
export function changedLayers({ edge, hover }: Palette): LayerSpecification[] {
  const hovered: ExpressionSpecification = ['boolean', ['feature-state', 'hover'], false];
  const kind: ExpressionSpecification = [
    'match',
    ['get', 'kind'],
    ...KINDS.flatMap((name) => [name, COLOR_OF_KIND[name]]),
    edge,
  ] as unknown as ExpressionSpecification;
  return LEVEL_NAMES.flatMap((level): LayerSpecification[] => [
    {
      id: layerOf(level),
      type: 'fill',
      source: SOURCE,
      filter: ['==', ['get', 'level'], level],
      metadata: { level },
      paint: { 'fill-color': ['case', hovered, hover, kind], 'fill-opacity': level === 'region' ? 0.3 : 0.75 },
    },
    {
      id: `${layerOf(level)}-edge`,
      type: 'line',
      source: SOURCE,
      filter: ['==', ['get', 'level'], level],
      layout: { 'line-join': 'round' },
      paint: { 'line-color': edge, 'line-width': level === 'barangay' ? 0.3 : 0.6 },
    },
  ]);
}
