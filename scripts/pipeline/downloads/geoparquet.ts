import { zstdCompressSync } from 'node:zlib';
import { joinBytes } from '../../../src/bytes.ts';
import type { Column } from '../../../src/layer-files/columns.ts';
import { GeoParquet } from '../../../src/layer-files/geoparquet.ts';
import type { LayerFeature } from './layer-feature.ts';

/**
 * A GeoParquet file. Rows that come in the order of a curve make row groups of small extent, so that a reader with a box
 * passes over most of them.
 *
 * @param features in the order of `hilbertOrder`
 */
export function geoParquetOf(features: readonly LayerFeature[], columns: readonly Column[]): Uint8Array {
  const parquet = new GeoParquet({
    columns,
    groupBytes: 1024 * 1024,
    groupRows: 1024,
    compression: { codec: 'ZSTD', pack: (bytes) => new Uint8Array(zstdCompressSync(bytes)) },
    statistics: true,
    isOriented: true,
  });
  const groups = features.flatMap((feature) => parquet.add(feature) ?? []);
  return joinBytes([...groups, parquet.end()]);
}
