import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { checksumOf, frameOf } from '../../../src/areas/snapshot/collections.ts';
import { type CollectionLevel, collectionName } from '../../../src/areas/snapshot/layout.ts';
import { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import type { Area, Resolution } from '../../../src/areas/store.ts';
import type { Encoding } from '../../../src/http/codings.ts';

/**
 * Max size of a collection compressed with brotli, bytes. Larger ones get gzip only: below quality 10 brotli compresses
 * coordinates worse than gzip, and quality 10 takes a second per megabyte.
 */
const MAX_BROTLI = 8_000_000;

/** Max size for the best quality, which takes three times as long as 10 and is a twentieth smaller. */
const MAX_BEST = 1_000_000;

interface Precompressed {
  name: ReturnType<typeof collectionName>;
  bytes: Uint8Array;
}

/** The FeatureCollections of whole levels. */
export class Collections {
  readonly #areas: Readonly<Record<CollectionLevel, Area[]>>;
  readonly #texts: { name: (encoding: Encoding) => Precompressed['name']; text: Buffer }[] = [];

  /** @param areas the uncompressed object `areas`, from which the records are made as in the service */
  constructor(areas: Uint8Array) {
    const opened = new OpenedAreas(areas);
    const areasOf = (level: CollectionLevel) => {
      const { first, end } = opened.rowsOf(level);
      return Array.from({ length: end - first }, (_, i) => opened.area(first + i, undefined));
    };
    this.#areas = { region: areasOf('region'), province: areasOf('province') };
  }

  /** Checksums by which the service verifies that it would make the same collections. */
  get checksums(): Record<CollectionLevel, number> {
    const { region, province } = this.#areas;
    return { region: checksumOf('region', region), province: checksumOf('province', province) };
  }

  /** Makes the collection of a level, where the level has one. */
  add(level: Area['level'], resolution: Resolution, boundaries: ReadonlyMap<string, Uint8Array>): void {
    if (level !== 'region' && level !== 'province') return;
    const parts: Uint8Array[] = [];
    const areas = this.#areas[level];
    for (const [i, text] of [...frameOf(level, areas)].entries()) {
      parts.push(Buffer.from(text));
      const area = areas[i];
      if (area) parts.push(boundaries.get(area.code) ?? Buffer.from('null'));
    }
    this.#texts.push({ name: (encoding) => collectionName(level, resolution, encoding), text: Buffer.concat(parts) });
  }

  /** Compresses all of them. Takes some ten seconds for the whole country. */
  precompressed(): Promise<Precompressed[]> {
    return Promise.all(
      this.#texts.flatMap(({ name, text }) =>
        (text.length <= MAX_BROTLI ? (['br', 'gzip'] as const) : (['gzip'] as const)).map(async (encoding) => ({
          name: name(encoding),
          bytes: await compress(text, encoding),
        })),
      ),
    );
  }
}

function compress(text: Buffer, encoding: Encoding): Promise<Uint8Array> {
  // Level 5 makes as little as 6 in half of the time, and a five hundredth more than 9 in a fourteenth.
  if (encoding === 'gzip') return promisify(gzip)(text, { level: 5 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: text.length <= MAX_BEST ? constants.BROTLI_MAX_QUALITY : 10,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return promisify(brotliCompress)(text, { params });
}
