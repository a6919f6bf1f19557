import { zstdCompressSync } from 'node:zlib';
import type { Column, Value } from '../../../src/layer-files/columns.ts';
import { GeoParquet } from '../../../src/layer-files/geoparquet.ts';
import type { Shape } from '../../../src/layer-files/shapes.ts';
import { fileWriter } from './file-writer.ts';

/**
 * Writes GeoParquet. Rows that come in the order of a curve make row groups of small extent, so that a reader with a box
 * passes over most of them.
 */
export function geoParquetWriter(path: string, { columns }: { columns: readonly Column[] }) {
  const file = fileWriter(path);
  const parquet = new GeoParquet({
    columns,
    groupBytes: 1024 * 1024,
    groupRows: 1024,
    compression: { codec: 'ZSTD', pack: (bytes) => new Uint8Array(zstdCompressSync(bytes)) },
    statistics: true,
    isOriented: true,
  });
  return {
    /** Features come in the order of `hilbertOrder`. */
    async add(feature: { values: readonly Value[]; shape: Shape }): Promise<void> {
      const bytes = parquet.add(feature);
      if (bytes) await file.write(bytes);
    },

    async end(): Promise<void> {
      await file.write(parquet.end());
      await file.end();
    },
  };
}
