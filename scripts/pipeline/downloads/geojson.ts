import { COLLECTION } from '../../../src/areas/records.ts';
import type { Column, Value } from '../../../src/layer-files/columns.ts';
import type { Box } from '../../../src/layer-files/shapes.ts';
import { fileWriter } from './file-writer.ts';

/** The GeoJSON text of a feature (RFC 7946) around the text of its boundary. */
export function featureText(
  { code, values, columns }: { code: string; values: readonly Value[]; columns: readonly Column[] },
  box: Box,
  boundary: string,
): string {
  const properties = JSON.stringify(Object.fromEntries(columns.map(({ name }, i) => [name, values[i]])));
  return `{"type":"Feature","id":"${code}","bbox":${JSON.stringify(box)},"properties":${properties},"geometry":${boundary}}`;
}

/** Writes a gzipped FeatureCollection, one feature per line. */
export function geoJsonWriter(path: string) {
  const file = fileWriter(path, { gzip: true });
  let separator = `${COLLECTION.head}\n`;
  return {
    async add(feature: string): Promise<void> {
      await file.write(separator + feature);
      separator = ',\n';
    },
    async end(): Promise<void> {
      await file.write(`\n${COLLECTION.tail}\n`);
      await file.end();
    },
  };
}
