import { GeoJSONVT, type GeoJSONVTOptions, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, Geometry } from 'geojson';

import { extentOf } from './extent.ts';

/** Layers of the tiles. Points are apart from other shapes, because only points cluster. */
export const TILE_LAYERS = { points: 'points', shapes: 'shapes' } as const;

/** The highest zoom that has tiles. Above it the map draws these larger. */
export const MAX_TILE_ZOOM = 14;

/** Fewer points are each shown at any zoom. */
const CLUSTERED_FROM = 2000;

/** A higher zoom than this shows each point. */
const CLUSTER_MAX_ZOOM = 12;

const EXTENT = 4096;
/** Units of a tile in a pixel of the map. */
const SCALE = EXTENT / 512;
const OPTIONS: GeoJSONVTOptions = {
  extent: EXTENT,
  maxZoom: MAX_TILE_ZOOM,
  tolerance: 0.375 * SCALE,
  // Half of the widest line or point of one tile reaches into the next.
  buffer: 32 * SCALE,
};

/** Which features are drawn, and how. `classes` and `radii` have a number for each feature of the dataset. */
export interface FeatureStyle {
  /** Indexes of the features that are drawn; undefined for all. */
  readonly listed: Uint32Array | undefined;
  /** The class of each feature, which has a colour. */
  readonly classes: Uint8Array | undefined;
  /** The radius of each point, pixels. */
  readonly radii: Uint8Array | undefined;
}

interface PointTags {
  feature?: number;
  class?: number | undefined;
  cluster?: true;
  /** How many points of a cluster are of each class. */
  members?: Record<number, number>;
}

/** Features as vector tiles. Of many points, those that lie close together are one cluster, with the class that most of them have. */
export class FeatureTiles {
  readonly #geometries: readonly (Geometry | null)[];
  readonly #clusteredFrom: number;
  /** The size of the box around each shape, square degrees. */
  #spans: readonly number[] | undefined;
  #style: FeatureStyle = { listed: undefined, classes: undefined, radii: undefined };
  #points: GeoJSONVT | undefined;
  #shapes: GeoJSONVT | undefined;

  /** @param clusteredFrom how many points are the fewest that cluster */
  constructor(geometries: readonly (Geometry | null)[], clusteredFrom = CLUSTERED_FROM) {
    this.#geometries = geometries;
    this.#clusteredFrom = clusteredFrom;
  }

  /** Shows something else from now on. What is left out stays. */
  show(changes: Partial<FeatureStyle>): void {
    const style = { ...this.#style, ...changes };
    const isRelisted = !this.#points || style.listed !== this.#style.listed;
    const isRecolored = style.classes !== this.#style.classes;
    this.#style = style;
    // Clusters add up classes. Other shapes get theirs when a tile is made.
    if (isRelisted || isRecolored) this.#points = this.#index(true);
    if (isRelisted) this.#shapes = this.#index(false);
  }

  /** The same features in the order in which they are drawn: the widest first, so that none is hidden by one that contains it. */
  inDrawOrder(features: Iterable<number>): number[] {
    this.#spans ??= this.#geometries.map(spanOf);
    const spans = this.#spans;
    return [...features].sort((one, other) => (spans[other] ?? 0) - (spans[one] ?? 0));
  }

  /** A tile as Mapbox Vector Tile 2; undefined where nothing lies. */
  tile(z: number, x: number, y: number): ArrayBuffer | undefined {
    const points = this.#points?.getTile(z, x, y);
    const shapes = this.#shapes?.getTile(z, x, y);
    const layers: Record<string, GeoJSONVTTile> = {};
    if (points?.features.length) layers[TILE_LAYERS.points] = this.#withLooks(points);
    if (shapes?.features.length) layers[TILE_LAYERS.shapes] = this.#withLooks(shapes);
    if (Object.keys(layers).length === 0) return undefined;
    // The bytes of the encoder are a part of its longer buffer.
    return new Uint8Array(fromGeojsonVt(layers, { version: 2, extent: EXTENT })).buffer;
  }

  /** The zoom at which a cluster becomes several. */
  zoomOf(cluster: number): number {
    return this.#points?.getClusterExpansionZoom(cluster) ?? MAX_TILE_ZOOM;
  }

  #index(ofPoints: boolean): GeoJSONVT {
    const { listed, classes } = this.#style;
    const features: Feature[] = [];
    const add = (index: number) => {
      const geometry = this.#geometries[index];
      if (!geometry || (geometry.type === 'Point') !== ofPoints) return;
      features.push({ type: 'Feature', properties: { feature: index }, geometry });
    };
    const all = listed ?? this.#geometries.keys();
    for (const index of ofPoints ? all : this.inDrawOrder(all)) add(index);
    const collection = { type: 'FeatureCollection' as const, features };
    if (!ofPoints || features.length < this.#clusteredFrom) return new GeoJSONVT(collection, OPTIONS);
    const clusterOptions = { maxZoom: CLUSTER_MAX_ZOOM, radius: 40 * SCALE, extent: EXTENT };
    const counting = {
      map: ({ feature }: PointTags) => ({ members: { [classes?.[feature ?? 0] ?? 0]: 1 } }),
      reduce: (all: PointTags, { members }: PointTags) => {
        // The first point gave the object that it has itself.
        const sum = { ...all.members };
        for (const [name, count] of Object.entries(members ?? {})) sum[Number(name)] = (sum[Number(name)] ?? 0) + count;
        all.members = sum;
      },
    };
    return new GeoJSONVT(collection, {
      ...OPTIONS,
      cluster: true,
      clusterOptions: { ...clusterOptions, ...(classes && (counting as object)) },
    });
  }

  #withLooks(tile: GeoJSONVTTile): GeoJSONVTTile {
    const { classes, radii } = this.#style;
    const features = tile.features.map((feature) => {
      const { members, ...tags } = (feature.tags ?? {}) as PointTags;
      const own =
        tags.feature === undefined ? undefined : { class: classes?.[tags.feature], radius: radii?.[tags.feature] };
      const looks = own ?? { class: members && commonestOf(members) };
      return { ...feature, tags: { ...tags, ...withoutUndefined(looks) } };
    });
    return { ...tile, features } as GeoJSONVTTile;
  }
}

function spanOf(geometry: Geometry | null): number {
  const [west, south, east, north] = extentOf(geometry) ?? [0, 0, 0, 0];
  return (east - west) * (north - south);
}

function commonestOf(members: Readonly<Record<number, number>>): number {
  let [commonest, most] = [0, 0];
  for (const [name, count] of Object.entries(members)) {
    if (count > most) [commonest, most] = [Number(name), count];
  }
  return commonest;
}

function withoutUndefined(tags: object): object {
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== undefined));
}
