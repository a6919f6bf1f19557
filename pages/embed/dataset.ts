import { type Choices, choicesAt } from '../explore/own/address.ts';
import { featuresFor, landOf } from '../explore/own/counted.ts';
import { extentOf } from '../explore/own/extent.ts';
import { knownFilters } from '../explore/own/filters.ts';
import type { Drawing } from '../explore/own/layers.ts';
import { openFeatures } from '../explore/own/open-features.ts';
import { headOf } from '../explore/own/public.ts';
import { columnsOf, factsOf, ordered, type Row } from '../explore/own/rows.ts';
import { withSavedStyle } from '../explore/own/saved-style.ts';
import { createStyling } from '../explore/own/styling.ts';
import type { Box } from '../explore/places.ts';
import type { MunicityOverview, Overview } from '../shared/overview.ts';
import { type Topology, unfold } from '../shared/topology.ts';
import { ask } from './ask.ts';

/** What the page shows. */
export interface Shown {
  readonly choices: Choices;
  readonly name: string;
  readonly description: string | null;
  /** Whether it has no features yet. */
  readonly isEmpty: boolean;
  /** The part of the world to show first; undefined if no feature has a geometry. */
  readonly box: Box | undefined;
  /** How the map looks first. */
  readonly drawing: Drawing;
  /** The feature that the URL marks. */
  readonly marked: Row | undefined;
  rowAt(index: number | undefined): Row | undefined;
  /** The name of a feature: empty where it has none. */
  nameOf(row: Row): string;
  /** The properties of a feature, with their values for people. */
  factsOf(row: Row): readonly (readonly [name: string, value: string])[];
  /** The name of a feature, by its index, and the value that colours it. */
  hintOf(index: number): string;
  /** The same drawing with another feature marked. */
  drawingWith(marked: Row | undefined): Promise<Drawing>;
  /** The zoom at which a cluster becomes several. */
  zoomOf(cluster: number): Promise<number>;
}

/** @throws RequestFailed */
export async function readMunicities(): Promise<MunicityOverview> {
  const answer = await ask('/v1/downloads/overview?level=municity');
  return unfold((await answer.json()) as Topology) as unknown as MunicityOverview;
}

/**
 * Reads a dataset for everyone and prepares it as a URL says, or else as its author has saved it.
 *
 * @param fragment of the URL
 * @param country by whose areas points may be counted
 *
 * @throws RequestFailed
 */
export async function readShown(id: string, fragment: string, country: Promise<Overview | undefined>): Promise<Shown> {
  const bytes = await (await ask(`/embed/datasets/${id}`)).arrayBuffer();
  const { name, description, bbox, map_style: style } = headOf(bytes);
  const choices = choicesAt(withSavedStyle(fragment, style));
  const read = await openFeatures(bytes);
  // The explorer opens on the same part of the world.
  const { main } = await read.whereabouts();
  const ofMap = await featuresFor(choices, read, { overview: () => country, municities: readMunicities });
  const { features } = ofMap;
  const { rows } = features;
  const columns = columnsOf(rows);
  const filters = knownFilters(choices.filters, columns);
  const [land, isCounted] = [landOf(choices, ofMap), choices.areas !== undefined];
  const isCoarse = isCounted && !ofMap.isExact;
  const styling = createStyling({ features, columns, name, isCounted, isCoarse, ask, land });
  await styling.classify(choices);
  const listed = styling.only(ordered(rows, columns, { ...choices, filters, sort: undefined }), choices);
  const styled = await styling.show(listed, { ...choices, filters });
  const drawingWith = async (row: Row | undefined): Promise<Drawing> => ({
    tiles: features.tiles,
    revision: styled?.revision ?? 0,
    legend: styled?.legend,
    sizes: styled?.sizes,
    isOfAreas: styling.isOfAreas,
    labels: styled?.labels ?? [],
    marked: row ? await features.geometryOf(row) : null,
  });
  // A feature that is filtered out is not marked either.
  const marked = listed.find((row) => row.id === choices.feature);
  const drawing = await drawingWith(marked);
  return {
    choices,
    name,
    description,
    drawing,
    marked,
    drawingWith,
    isEmpty: rows.length === 0,
    box: choices.bbox ?? extentOf(drawing.marked) ?? main ?? bbox,
    rowAt: (index) => (index === undefined ? undefined : rows[index]),
    nameOf: styling.nameOf,
    factsOf: (row) => factsOf(row, columns),
    hintOf: (index) => styling.hintOf(rows[index], choices),
    zoomOf: features.zoomOf,
  };
}
