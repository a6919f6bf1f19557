import { joinBytes } from '../../../src/bytes.ts';
import type { Column } from '../../../src/layer-files/columns.ts';
import { flatGeobufFeature, flatGeobufHead } from '../../../src/layer-files/flatgeobuf.ts';
import { unionOf } from '../../../src/layer-files/shapes.ts';
import type { LayerFeature } from './layer-feature.ts';
import { NODE_SIZE, packedTree } from './packed-tree.ts';

/**
 * A FlatGeobuf file of polygons with its spatial index: header, index, features in the order of the index.
 *
 * @param features in the order of `hilbertOrder`
 */
export function flatGeobufOf(
  features: readonly LayerFeature[],
  { name, columns }: { name: string; columns: readonly Column[] },
): Uint8Array {
  const layer = { name, columns, type: 'MultiPolygon', hasZ: false } as const;
  const boxes = features.map(({ box }) => box);
  const encoded = features.map((feature) => flatGeobufFeature(feature, layer));
  let bytes = 0;
  const offsets = encoded.map(({ length }) => {
    bytes += length;
    return bytes - length;
  });
  const head = flatGeobufHead(layer, { extent: unionOf(boxes), count: boxes.length, nodeSize: NODE_SIZE });
  return joinBytes([head, packedTree(boxes, offsets), ...encoded]);
}
