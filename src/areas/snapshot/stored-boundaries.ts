import { editionId } from '../edition-id.ts';
import { type Area, RESOLUTIONS, type Resolution } from '../store.ts';
import type { Columns } from './columns.ts';
import {
  boundariesName,
  editionBoundariesName,
  NO_ROW,
  ROW_LEVELS,
  type SnapshotFacts,
  type SnapshotName,
  THROUGH_TIME,
} from './layout.ts';
import type { Range } from './row-groups.ts';

/** The areas whose boundaries these are. */
interface Rows extends Columns<SnapshotFacts> {
  /** The number of rows. */
  readonly size: number;
  rowsOf(level: Area['level']): Range;
  levelOf(row: number): Area['level'];
}

/** The column with the bytes of the boundaries at a resolution. */
export function lengthsName(resolution: Resolution): string {
  return `bytes_${resolution}`;
}

/**
 * Where the boundaries of areas are stored: which object has the text of a row, and at which bytes.
 *
 * An edition stores only boundaries that the release lacks. Other areas point, by the column `drawn_by`, to the row of the release
 * with the same land.
 */
export class StoredBoundaries {
  readonly #areas: Rows;
  /** Those of the release, where these are of an edition that it includes. */
  readonly #base: { readonly areas: Rows; readonly boundaries: StoredBoundaries } | undefined;
  #lengths: (Uint32Array | undefined)[] = [];
  #offsets: (Uint32Array | undefined)[] = [];
  #drawnByRows: Uint16Array | undefined;
  #rowsByLand: Uint16Array | undefined;
  readonly #drawings = new Map<Area['level'], { own: readonly number[]; none: readonly number[] }>();

  constructor(areas: Rows, base?: { readonly areas: Rows; readonly boundaries: StoredBoundaries }) {
    this.#areas = areas;
    this.#base = base;
  }

  /** Bytes of the boundary's text at a resolution; 0 for none. */
  bytesOf(row: number, resolution: Resolution): number {
    const own = this.#lengthsOf(resolution)[row] as number;
    const drawnBy = own > 0 ? NO_ROW : this.#drawnBy(row);
    return drawnBy === NO_ROW ? own : (this.#base?.boundaries.bytesOf(drawnBy, resolution) ?? 0);
  }

  /** The object that has the boundary of a row, and where it begins there, bytes. */
  placeOf(row: number, resolution: Resolution): { object: SnapshotName; offset: number } {
    const drawnBy = this.#drawnBy(row);
    if (this.#base && drawnBy !== NO_ROW) return this.#base.boundaries.placeOf(drawnBy, resolution);
    return { object: this.#objectOf(row, resolution), offset: this.offsetOf(row, resolution) };
  }

  #objectOf(row: number, resolution: Resolution): SnapshotName {
    const { editions, edition } = this.#areas.facts;
    if (!this.#base) return boundariesName(this.#areas.levelOf(row), resolution);
    return editionBoundariesName(editions ? THROUGH_TIME : editionId(edition));
  }

  /** The row of the area of the release with the same land; `NO_ROW` for none, and for areas of the release itself. */
  #drawnBy(row: number): number {
    if (!this.#base) return NO_ROW;
    this.#drawnByRows ??= this.#areas.uint16('drawn_by');
    return this.#drawnByRows[row] as number;
  }

  /** The row of an edition whose land is that of a row of the release; `NO_ROW` for none, and where these are of no edition. */
  rowWithLandOf(baseRow: number): number {
    if (!this.#rowsByLand) {
      this.#rowsByLand = new Uint16Array(this.#base?.areas.size ?? 0).fill(NO_ROW);
      for (let row = 0; row < this.#areas.size; row += 1) {
        const drawnBy = this.#drawnBy(row);
        if (drawnBy !== NO_ROW) this.#rowsByLand[drawnBy] = row;
      }
    }
    return this.#rowsByLand[baseRow] ?? NO_ROW;
  }

  /** The rows of a level that have boundaries of their own: of an edition those that no area of the release has. */
  ownDrawn(level: Area['level']): readonly number[] {
    return this.#drawing(level).own;
  }

  /** The rows of a level that have no boundary. */
  undrawn(level: Area['level']): readonly number[] {
    return this.#drawing(level).none;
  }

  #drawing(level: Area['level']): { own: readonly number[]; none: readonly number[] } {
    const cached = this.#drawings.get(level);
    if (cached) return cached;
    const lengths = this.#lengthsOf('detailed');
    const [own, none]: [number[], number[]] = [[], []];
    const { first, end } = this.#areas.rowsOf(level);
    for (let row = first; row < end; row += 1) {
      if ((lengths[row] as number) > 0) own.push(row);
      else if (this.#drawnBy(row) === NO_ROW) none.push(row);
    }
    const found = { own, none };
    this.#drawings.set(level, found);
    return found;
  }

  /**
   * Where the boundary of a row begins in the object that has those of its level and resolution, or of its edition, bytes. Only for
   * rows that have a boundary of their own.
   */
  offsetOf(row: number, resolution: Resolution): number {
    const at = RESOLUTIONS.indexOf(resolution);
    this.#offsets[at] ??= this.#base ? this.#ownOffsetsOf(resolution) : this.#offsetsOf(this.#lengthsOf(resolution));
    return this.#offsets[at]?.[row] as number;
  }

  #lengthsOf(resolution: Resolution): Uint32Array {
    const at = RESOLUTIONS.indexOf(resolution);
    this.#lengths[at] ??= this.#areas.uint32(lengthsName(resolution));
    return this.#lengths[at] as Uint32Array;
  }

  /** Offsets in the object of an edition, in which the texts follow one another by resolution and row. */
  #ownOffsetsOf(resolution: Resolution): Uint32Array {
    const before = RESOLUTIONS.slice(0, RESOLUTIONS.indexOf(resolution));
    let offset = 0;
    for (const coarser of before) for (const length of this.#lengthsOf(coarser)) offset += length;
    return this.#lengthsOf(resolution).map((length) => {
      offset += length;
      return offset - length;
    });
  }

  /**
   * Offsets in the objects of a release, one for each level. The texts follow one another in the order of the column `place`, in
   * which children of a parent lie side by side.
   */
  #offsetsOf(lengths: Uint32Array): Uint32Array {
    const offsets = new Uint32Array(lengths.length);
    const inOrder = this.#areas.uint16('place');
    for (const level of ROW_LEVELS) {
      const { first, end } = this.#areas.rowsOf(level);
      for (let at = first, offset = 0; at < end; at += 1) {
        const row = inOrder[at] as number;
        offsets[row] = offset;
        offset += lengths[row] as number;
      }
    }
    return offsets;
  }
}
