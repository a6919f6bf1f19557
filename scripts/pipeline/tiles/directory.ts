import { gzipSync } from 'node:zlib';

// Directories of PMTiles version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

/** Tiles that follow one another on the curve and have equal bytes. A `runLength` of 0 stands for a leaf directory. */
export interface Entry {
  tileId: number;
  /** Offset from the beginning of the tiles, or of the leaf directories. */
  offset: number;
  length: number;
  runLength: number;
}

/** Initial entries of a leaf: few enough to read for one tile, many enough to be worth caching for others. */
const LEAF_ENTRIES = 2048;

/**
 * Packs entries into a root directory of limited size, and into leaf directories where they don't fit into the root.
 * @param maxRoot max bytes of the compressed root
 */
export function packDirectories(entries: readonly Entry[], maxRoot: number): { root: Uint8Array; leaves: Uint8Array } {
  const whole = packDirectory(entries);
  if (whole.length <= maxRoot) return { root: whole, leaves: new Uint8Array() };
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const leaves: Uint8Array[] = [];
    const pointers: Entry[] = [];
    let offset = 0;
    for (let start = 0; start < entries.length; start += size) {
      const leaf = packDirectory(entries.slice(start, start + size));
      pointers.push({ tileId: entries[start]?.tileId as number, offset, length: leaf.length, runLength: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = packDirectory(pointers);
    if (root.length <= maxRoot) return { root, leaves: Buffer.concat(leaves) };
  }
}

/** Packs one directory: its columns as varints, gzipped. */
function packDirectory(entries: readonly Entry[]): Uint8Array {
  const bytes: number[] = [];
  appendVarint(bytes, entries.length);
  for (const [i, { tileId }] of entries.entries()) appendVarint(bytes, tileId - (entries[i - 1]?.tileId ?? 0));
  for (const { runLength } of entries) appendVarint(bytes, runLength);
  for (const { length } of entries) appendVarint(bytes, length);
  for (const [i, { offset }] of entries.entries()) {
    const before = entries[i - 1];
    // Zero says that the entry follows the previous one directly. Other offsets are one larger, so that zero is free.
    appendVarint(bytes, before && before.offset + before.length === offset ? 0 : offset + 1);
  }
  return gzipSync(Uint8Array.from(bytes), { level: 9 });
}

/** Appends a whole number up to 2^53 in groups of seven bits, the lowest group first. */
function appendVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
