import type { Map as GlMap } from 'maplibre-gl';
import { number } from '../../shared/format.ts';
import { type Drawing, LABEL_LAYERS } from './layers.ts';

/** How many areas of the part of the world that the map shows have their numbers on them. */
export interface ValuesShown {
  readonly shown: number;
  readonly all: number;
}

/** Counts the numbers on areas that the map had room for, as it is painted. */
export function valuesShown(map: GlMap, { labels }: Pick<Drawing, 'labels'>): ValuesShown {
  const bounds = map.getBounds();
  const all = labels.filter(({ value, at: [lon, lat] }) => value !== '' && bounds.contains([lon, lat])).length;
  const layers = LABEL_LAYERS.filter((layer) => map.getLayer(layer) !== undefined);
  if (all === 0 || layers.length === 0) return { shown: 0, all };
  const painted = map.queryRenderedFeatures({ layers }).filter(({ properties }) => properties.value !== '');
  return { shown: Math.min(all, new Set(painted.map(({ properties }) => properties.order)).size), all };
}

/** Says that not all numbers have room; empty where all of them have. */
export function sentenceOfValues({ shown, all }: ValuesShown): string {
  return shown < all ? `${number(shown)} of ${number(all)} have room at this zoom. Zoom in for the rest.` : '';
}

let listener: ((sentence: string) => void) | undefined;

/** Lets the form of the map that is shown say how many numbers have room. */
export function listenForValues(next: (sentence: string) => void): void {
  listener = next;
}

/** Call this whenever the map is painted. */
export function tellValues(map: GlMap, drawing: Drawing | undefined): void {
  listener?.(drawing ? sentenceOfValues(valuesShown(map, drawing)) : '');
}
