import { hasAreasThroughTime, servedAreas } from '../areas/served-areas.ts';
import type { ServiceContext } from '../context.ts';
import type { ListedDataset } from '../datasets/repo/reads.ts';
import { joinedTerms, termsOf } from '../downloads/terms.ts';
import { logFailure } from '../log.ts';
import type { AreaCollection } from './area-collections.ts';
import { CRS84, SYSTEMS } from './crs.ts';
import { collectionOf } from './dataset-items.ts';
import { datedEditions } from './editions.ts';
import { type Link, type Links, MEDIA_TYPES, RELATIONS } from './links.ts';

/** What the collections of areas have in common. */
export interface CountryFacts {
  /** West, south, east, north; null where no boundaries are served. */
  readonly box: readonly number[] | null;
  /** The days of the first list and of the newest. */
  readonly days: readonly [string, string] | null;
  /** Whether every version of an area is published. */
  readonly hasAreasThroughTime: boolean;
  readonly attribution: string;
  readonly release: string;
  readonly version: string;
}

const PARTS = ['codes', 'boundaries'] as const;

const TEMPORAL = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';

/** The facts of the active release that the collections of areas have. */
export async function countryFacts(ctx: ServiceContext): Promise<CountryFacts> {
  const areas = await servedAreas(ctx);
  const [regions, sources, isThroughTime] = await Promise.all([
    areas.list('region', {}, {}),
    areas.listSources({}),
    hasAreasThroughTime(ctx),
  ]);
  const boxes = regions.value.areas.flatMap(({ bbox }) => (bbox ? [bbox] : []));
  const side = (i: 0 | 1 | 2 | 3, pick: (...numbers: number[]) => number) => pick(...boxes.map((box) => box[i]));
  const box = boxes.length === 0 ? null : [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
  const { release, version, value } = sources;
  const { attribution } = joinedTerms(PARTS.map((part) => termsOf(value.sources, part)));
  // Without the history of editions only their days are missing.
  const editions = await datedEditions(ctx).catch((error) => {
    logFailure('editions_unreadable', error, {});
    return [];
  });
  const days = editions.map(({ day }) => day);
  const [newest, oldest] = [days[0], days.at(-1)];
  return {
    box,
    days: newest && oldest ? [oldest, newest] : null,
    hasAreasThroughTime: isThroughTime,
    attribution,
    release,
    version,
  };
}

/** The description of a collection of areas. */
export function areaCollectionBody(links: Links, collection: AreaCollection, facts: CountryFacts): object {
  const { id, title, description, tiles } = collection;
  return {
    id,
    title,
    description,
    attribution: facts.attribution,
    itemType: 'feature',
    extent: {
      ...(facts.box && { spatial: { bbox: [facts.box], crs: CRS84.uri } }),
      ...(facts.days && {
        temporal: { interval: [[`${facts.days[0]}T00:00:00Z`, null]], trs: TEMPORAL },
      }),
    },
    ...SYSTEMS_MEMBERS,
    links: [
      ...collectionLinks(links, id),
      ...(tiles === undefined ? [] : tilesLinks(links, id)),
      { rel: 'license', href: links.other('/v1/sources'), type: MEDIA_TYPES.json, title: 'Sources and licences' },
    ],
  };
}

const SYSTEMS_MEMBERS = { crs: SYSTEMS.map(({ uri }) => uri), storageCrs: CRS84.uri };

/** The description of the collection of a dataset. */
export function datasetCollectionBody(links: Links, { id, name, description, bbox }: ListedDataset): object {
  const collection = collectionOf(id);
  return {
    id: collection,
    title: name,
    ...(description !== null && { description }),
    itemType: 'feature',
    extent: { ...(bbox && { spatial: { bbox: [bbox], crs: CRS84.uri } }) },
    ...SYSTEMS_MEMBERS,
    links: collectionLinks(links, collection),
  };
}

function collectionLinks(links: Links, id: string): Link[] {
  const path = `/collections/${id}`;
  return [
    { rel: 'self', href: links.href(path), type: MEDIA_TYPES.json },
    { rel: 'alternate', href: links.href(path, { f: 'html' }), type: MEDIA_TYPES.html },
    { rel: 'items', href: links.href(`${path}/items`), type: MEDIA_TYPES.geojson, title: 'The features' },
    { rel: 'items', href: links.href(`${path}/items`, { f: 'html' }), type: MEDIA_TYPES.html, title: 'The features' },
    { rel: RELATIONS.queryables, href: links.href(`${path}/queryables`), type: MEDIA_TYPES.schema },
    { rel: RELATIONS.schema, href: links.href(`${path}/schema`), type: MEDIA_TYPES.schema },
    { rel: 'describedby', href: links.href(`${path}/schema`), type: MEDIA_TYPES.schema, title: 'Schema of a feature' },
  ];
}

function tilesLinks(links: Links, id: string): Link[] {
  return [{ rel: RELATIONS.tilesets, href: links.href(`/collections/${id}/tiles`), type: MEDIA_TYPES.json }];
}
