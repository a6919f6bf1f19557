import { type Box, unionOf } from '../../../src/layer-files/shapes.ts';

/** Children of a node. */
export const NODE_SIZE = 16;

/** Four doubles and an offset. */
const NODE_BYTES = 40;

/**
 * The bytes of a packed Hilbert R-tree as FlatGeobuf has it: the root first, the leaves last, each level side by side.
 * https://flatgeobuf.org and https://worace.works/2022/03/12/flatgeobuf-implementers-guide/
 *
 * @param boxes of the features, in the order of the file
 * @param offsets where each feature begins, bytes from the first
 */
export function packedTree(boxes: readonly Box[], offsets: readonly number[]): Uint8Array {
  const levels: { box: Box; offset: number }[][] = [boxes.map((box, i) => ({ box, offset: offsets[i] as number }))];
  let below = levels[0] as { box: Box; offset: number }[];
  do {
    const parents = [];
    for (let first = 0; first < below.length; first += NODE_SIZE) {
      const children = below.slice(first, first + NODE_SIZE);
      // The first child's index among all nodes depends on the number of levels above.
      parents.push({ box: unionOf(children.map(({ box }) => box)), offset: first });
    }
    levels.push(parents);
    below = parents;
  } while (below.length > 1);
  levels.reverse();
  const bytes = new Uint8Array(NODE_BYTES * levels.reduce((sum, nodes) => sum + nodes.length, 0));
  const view = new DataView(bytes.buffer);
  let node = 0;
  for (const [i, nodes] of levels.entries()) {
    const firstChild = i === levels.length - 1 ? 0 : node + nodes.length;
    for (const { box, offset } of nodes) {
      const at = node * NODE_BYTES;
      for (const [side, value] of box.entries()) view.setFloat64(at + 8 * side, value, true);
      view.setBigUint64(at + 32, BigInt(firstChild + offset), true);
      node += 1;
    }
  }
  return bytes;
}
