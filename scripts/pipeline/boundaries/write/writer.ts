import type pg from 'pg';
import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import { geometryOf, snapped } from './geometry-sql.ts';

export interface BoundaryRow {
  level: AreaLevel;
  resolution: Resolution;
  code: string;
  /** An RFC 7946 Polygon or MultiPolygon of at most six decimals whose rings have the right direction. */
  geojson: string;
  /** The place that it comes from, for reports. */
  at: string;
}

/** A boundary that PostGIS found invalid. */
export interface Repair {
  level: AreaLevel;
  resolution: Resolution;
  code: string;
  at: string;
  /** What was wrong, in the words of PostGIS: `Self-intersection[120.5 14.5]`. */
  reason: string;
}

const MAX_ROWS = 1000;
/** Max characters of GeoJSON per statement, unless a single boundary has more. */
const MAX_TEXT = 4_000_000;

/**
 * Valid boundaries are inserted as they are. Others are repaired; those without an area after that are not inserted.
 */
const INSERT = `
  with parsed as materialized (
    select level, resolution, code, text, ${geometryOf('text')} as geom
    from unnest($2::area_level[], $3::resolution[], $4::text[], $5::text[]) as input (level, resolution, code, text)
  ), checked as materialized (
    select *, st_isvalid(geom) as valid from parsed
  ), repaired as materialized (
    select level, resolution, code, ${snapped('geom')} as text, st_isvalidreason(geom) as reason
    from checked where not valid
  ), written as (
    insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
    select $1, level, resolution, code, text, octet_length(text), geom from checked where valid
    union all
    select $1, level, resolution, code, text, octet_length(text), ${geometryOf('text')} from repaired
    where text is not null
  )
  select level, resolution, code, reason, text is null as vanished from repaired`;

/** Writes boundaries of a release in batches. At the end, `flush` writes the rest. */
export class BoundaryWriter {
  /** Boundaries that were invalid and are stored repaired. */
  readonly repaired: Repair[] = [];
  /** Boundaries that enclose no area even when repaired; they are not stored. */
  readonly vanished: Repair[] = [];
  readonly #client: pg.ClientBase;
  readonly #releaseId: string;
  #rows: BoundaryRow[] = [];
  #text = 0;

  constructor(client: pg.ClientBase, releaseId: string) {
    this.#client = client;
    this.#releaseId = releaseId;
  }

  async add(row: BoundaryRow): Promise<void> {
    if (this.#rows.length > 0 && this.#text + row.geojson.length > MAX_TEXT) await this.flush();
    this.#rows.push(row);
    this.#text += row.geojson.length;
    if (this.#rows.length >= MAX_ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#text = 0;
    if (rows.length === 0) return;
    const { rows: invalid } = await this.#client.query<Omit<Repair, 'at'> & { vanished: boolean }>(INSERT, [
      this.#releaseId,
      rows.map((row) => row.level),
      rows.map((row) => row.resolution),
      rows.map((row) => row.code),
      rows.map((row) => row.geojson),
    ]);
    for (const { vanished, ...repair } of invalid) {
      const row = rows.find(({ code, resolution }) => code === repair.code && resolution === repair.resolution);
      (vanished ? this.vanished : this.repaired).push({ ...repair, at: row?.at ?? repair.code });
    }
  }
}
