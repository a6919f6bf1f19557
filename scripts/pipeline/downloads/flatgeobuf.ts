import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Column, Value } from '../../../src/layer-files/columns.ts';
import { flatGeobufFeature, flatGeobufHead } from '../../../src/layer-files/flatgeobuf.ts';
import { type Box, type Shape, unionOf } from '../../../src/layer-files/shapes.ts';
import { fileWriter } from './file-writer.ts';
import { NODE_SIZE, packedTree } from './packed-tree.ts';

/**
 * Writes a FlatGeobuf file of polygons with its spatial index: header, index, features in the order of the index. The
 * features are in a temporary file until their offsets are known.
 */
export function flatGeobufWriter(path: string, { name, columns }: { name: string; columns: readonly Column[] }) {
  const layer = { name, columns, type: 'MultiPolygon', hasZ: false } as const;
  const featuresPath = `${path}.features`;
  const features = fileWriter(featuresPath);
  const boxes: Box[] = [];
  const offsets: number[] = [];
  let bytes = 0;
  return {
    /** Features come in the order of `hilbertOrder`. */
    async add({ values, shape, box }: { values: readonly Value[]; shape: Shape; box: Box }): Promise<void> {
      const feature = flatGeobufFeature({ values, shape }, layer);
      boxes.push(box);
      offsets.push(bytes);
      bytes += feature.length;
      await features.write(feature);
    },

    async end(): Promise<void> {
      await features.end();
      const file = fileWriter(path);
      await file.write(flatGeobufHead(layer, { extent: unionOf(boxes), count: boxes.length, nodeSize: NODE_SIZE }));
      await file.write(packedTree(boxes, offsets));
      for await (const chunk of createReadStream(featuresPath)) await file.write(chunk as Buffer);
      await file.end();
      await rm(featuresPath);
    },
  };
}
