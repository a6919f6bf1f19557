import type { AppContext, ServiceContext } from '../context.ts';
import { comparisonsOf, type Expression, geometriesOf, type Queryables } from '../cql2/expression.ts';
import { conditionOf as sqlConditionOf } from '../cql2/sql.ts';
import { contentsOf, type FoundDataset } from '../datasets/dataset.ts';
import type { Reader } from '../datasets/owners.ts';
import { findFeature } from '../datasets/repo/features.ts';
import { findDatasetForExport } from '../datasets/repo/reads.ts';
import { requireFreeSize, sizeOf } from '../datasets/service.ts';
import { DomainError } from '../errors.ts';
import { featurePages, type ListEnd } from '../features/listing.ts';
import type { FeatureCondition } from '../features/repo/pages.ts';
import { propertyColumns } from '../features/repo/property-columns.ts';
import { privateStream, privateText } from '../http/answers.ts';
import { surround } from '../http/stream.ts';
import { countFeatures } from '../rate-limits/rows.ts';
import { conditionOf } from './conditions.ts';
import { crsOf, quoted, transformOf } from './crs.ts';
import { cursorOf, cursorText, staleCursor } from './cursor.ts';
import { intervalOf } from './editions.ts';
import { featureLinks, nameCrs, pageLinks } from './feature-pages.ts';
import { Links, MEDIA_TYPES } from './links.ts';
import { boxOf, DEFAULT_LIMIT, type ItemQuery, itemParams, propertyParams } from './parameters.ts';

const PREFIX = 'dataset-';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The collection of a dataset. */
export function collectionOf(datasetId: string): string {
  return PREFIX + datasetId;
}

/** The dataset of a collection. @throws DomainError `collection_not_found` for what can be none */
export function datasetOf(collection: string): string {
  const id = collection.slice(PREFIX.length);
  if (!UUID.test(id)) throw collectionNotFound(collection);
  return id;
}

export function collectionNotFound(id: string): DomainError {
  return new DomainError(
    'collection_not_found',
    `There is no collection ${quoted(id)} that you can see. GET /ogc/collections lists those there are.`,
  );
}

interface ReadDataset {
  readonly found: FoundDataset;
  readonly propertyNames: readonly string[];
}

/** @throws DomainError `collection_not_found`, also where the reader may not see it */
export async function readDataset(
  ctx: ServiceContext,
  { reader, id }: { reader: Reader; id: string },
): Promise<ReadDataset> {
  const found = await findDatasetForExport(ctx.db, { caller: reader, id });
  if (!found) throw collectionNotFound(collectionOf(id));
  return found;
}

/** What filters can name of a dataset: the members of its features' properties, which are of any type. */
function queryablesOf({ propertyNames }: Pick<ReadDataset, 'propertyNames'>): Queryables {
  return new Map([...propertyNames.map((name) => [name, 'any'] as const), ['geometry', 'geometry'] as const]);
}

interface Asked {
  readonly reader: Reader;
  readonly id: string;
  readonly query: ItemQuery;
}

/** A page of the features of a dataset, as a FeatureCollection. */
export async function datasetItems(
  c: AppContext,
  ctx: ServiceContext,
  { reader, id, query }: Asked,
): Promise<Response> {
  const dataset = await readDataset(ctx, { reader, id });
  const { found } = dataset;
  // The geometry has the name that a property may have too.
  const names = dataset.propertyNames.filter((name) => name !== 'geometry');
  const properties = propertyParams(c, itemParams, names);
  if (query.datetime !== undefined) intervalOf(query.datetime);
  const expression = conditionOf(query, properties, queryablesOf(dataset));
  const crs = crsOf('crs', query.crs);
  const bbox = boxOf(query.bbox, query['bbox-crs']);
  const cursor =
    query.cursor === undefined
      ? { version: found.versionId, before: 0, last: '0' }
      : cursorOf(query.cursor, collectionOf(id));
  // A cursor is what a caller says: only the version that the dataset has now is theirs to read.
  if (cursor.version !== found.versionId) throw staleCursor('the dataset');
  if (reader === 'everyone') requireFreeSize({ principal: { kind: 'anonymous' } }, sizeOf(found));
  const { limit = DEFAULT_LIMIT } = query;
  await countFeatures(c, { rows: limit });
  const links = new Links(c);
  nameCrs(c, crs);
  const transform = transformOf(crs);
  const isWhole = expression === undefined && bbox === undefined;
  const total = found.dataset.feature_count;
  const pages = featurePages(ctx.db, {
    contents: [contentsOf(found)],
    form: 'geojson',
    bbox,
    where: expression === undefined ? undefined : featureCondition(expression),
    separator: transform ? '\n' : ',',
    start: { index: 0, seq: cursor.last },
    most: limit,
  });
  const tail = ({ count, position }: ListEnd) => {
    const before = cursor.before + count;
    // Features may be deleted between pages, so that only the first page knows whether it has all.
    const hasMore = count === limit && !(isWhole && query.cursor === undefined && count >= total);
    const next = hasMore
      ? cursorText({ ...{ collection: collectionOf(id), version: cursor.version }, before, last: position.seq })
      : undefined;
    const members = {
      ...(isWhole && { numberMatched: total }),
      numberReturned: count,
      links: pageLinks(links, collectionOf(id), next),
    };
    return `],${JSON.stringify(members).slice(1)}`;
  };
  const texts = surround('{"type":"FeatureCollection","features":[', transformed(pages, transform), tail);
  return privateStream(c, texts, { 'Content-Type': MEDIA_TYPES.geojson });
}

function featureCondition(expression: Expression): FeatureCondition {
  return {
    condition: sqlConditionOf(expression, propertyColumns),
    comparisons: comparisonsOf(expression),
    readsGeometry: geometriesOf(expression).length > 0,
  };
}

/** A feature of a dataset. */
export async function datasetItem(
  c: AppContext,
  ctx: ServiceContext,
  { reader, id, featureId, query }: Asked & { featureId: string },
): Promise<Response> {
  const crs = crsOf('crs', query.crs);
  const isId = UUID.test(featureId);
  const text = isId
    ? await findFeature(ctx.db, { caller: reader, id: featureId, datasetId: id, form: 'geojson' })
    : undefined;
  if (text === undefined) {
    await readDataset(ctx, { reader, id });
    throw new DomainError(
      'feature_not_found',
      `The collection ${collectionOf(id)} has no feature ${quoted(featureId)}.`,
    );
  }
  const transform = transformOf(crs);
  nameCrs(c, crs);
  const links = JSON.stringify(featureLinks(new Links(c), collectionOf(id)));
  const feature = transform ? withGeometry(text, transform) : text;
  return privateText(c, `${feature.slice(0, -1)},"links":${links}}`, MEDIA_TYPES.geojson);
}

/** Pages whose geometries are transformed. Features in them are separated by line ends, which no JSON text of one has. */
async function* transformed<T>(
  pages: AsyncGenerator<string, T>,
  transform: ((geojson: string) => string) | undefined,
): AsyncGenerator<string, T> {
  if (!transform) return yield* pages;
  for (;;) {
    const { value, done } = await pages.next();
    if (done) return value;
    const lines = value.split('\n').map((line) => (line.startsWith('{') ? withGeometry(line, transform) : line));
    yield lines.join(',');
  }
}

/** The text of a feature, in which the properties follow the geometry, with another geometry. */
function withGeometry(feature: string, transform: (geojson: string) => string): string {
  const start = feature.indexOf('"geometry":');
  const end = feature.indexOf(',"properties":', start);
  return feature.slice(0, start) + transform(feature.slice(start, end)) + feature.slice(end);
}
