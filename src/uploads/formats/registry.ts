import type { Format } from './format.ts';
import { geojson } from './geojson.ts';
import { sequence } from './sequence.ts';

/** Every format that features are read from. */
export const FORMATS: readonly Format[] = [geojson, sequence];

/** The format that a file's name says it has. */
export function formatOf(fileName: string): Format | undefined {
  const name = fileName.toLowerCase();
  return FORMATS.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)));
}
