import { Pace } from '../turn.ts';

/** About how much of a geometry is transformed at once, characters. A region of 8 MB takes half a second. */
const PART_LENGTH = 128 * 1024;

/** A geometry, as GeoJSON, in parts of about a length. Each has whole positions. */
export function* geometryParts(geometry: string, length = PART_LENGTH): Generator<string> {
  let start = 0;
  while (geometry.length - start > length) {
    const end = geometry.indexOf('],[', start + length);
    if (end < 0) break;
    yield geometry.slice(start, end + 2);
    start = end + 2;
  }
  yield geometry.slice(start);
}

/** Transforms geometries part by part, and lets others in between, however large each is. */
export class PacedTransform {
  readonly #transform: (part: string) => string;
  readonly #pace = new Pace(PART_LENGTH);

  /** @param transform gives a part of a geometry, of whole positions, in another form */
  constructor(transform: (part: string) => string) {
    this.#transform = transform;
  }

  async *of(geometry: string): AsyncGenerator<string> {
    for (const part of geometryParts(geometry)) {
      yield this.#transform(part);
      await this.#pace.did(part.length);
    }
  }

  /** The same as one text. */
  async textOf(geometry: string): Promise<string> {
    let text = '';
    for await (const part of this.of(geometry)) text += part;
    return text;
  }
}
