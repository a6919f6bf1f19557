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
import { PacedTransform } from '../geojson/parts.ts';
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

/** The most that one filter may look through, in several hundred statements: comparisons, and bytes of features for each. */
const MAX_COMPARED = { comparisons: 20_000_000, bytes: 8 * 1024 ** 3 };
/** What a filter looks through counts as that much less than features that are sent. */
const COMPARISONS_PER_FEATURE = 1000;

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

interface ItemsRequest {
  readonly reader: Reader;
  readonly id: string;
  readonly query: ItemQuery;
}

/** A page of the features of a dataset, as a FeatureCollection. */
export async function datasetItems(
  c: AppContext,
  ctx: ServiceContext,
  { reader, id, query }: ItemsRequest,
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
  const work = expression === undefined ? 0 : workOf(expression, sizeOf(found));
  await countFeatures(c, { rows: Math.max(limit, work / COMPARISONS_PER_FEATURE) });
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
      ? cursorText({ collection: collectionOf(id), version: cursor.version, before, last: position.seq })
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

/**
 * How many plain comparisons a filter makes, if it has to look through all features.
 *
 * @throws DomainError `invalid_parameter` where they are too many, or the texts that are read for them too long
 */
function workOf(expression: Expression, { count, bytes }: ReturnType<typeof sizeOf>): number {
  const comparisons = comparisonsOf(expression);
  if (count * comparisons <= MAX_COMPARED.comparisons && bytes * comparisons <= MAX_COMPARED.bytes) {
    return count * comparisons;
  }
  const rule = `must compare less: of ${count} features, at most ${Math.floor(
    Math.min(MAX_COMPARED.comparisons / count, MAX_COMPARED.bytes / bytes),
  )} plain comparisons each`;
  const worth =
    'One without case or accents is worth six, one of dates twelve, BETWEEN two, and LIKE one more for each %';
  throw new DomainError('invalid_parameter', `filter: ${rule} (got ${comparisons}). ${worth}.`);
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
  { reader, id, featureId, query }: ItemsRequest & { featureId: string },
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
  const feature = transform ? await withGeometry(text, new PacedTransform(transform)) : text;
  return privateText(c, `${feature.slice(0, -1)},"links":${links}}`, MEDIA_TYPES.geojson);
}

/** Pages whose geometries are transformed. Features in them are separated by line ends, which no JSON text of one has. */
async function* transformed<T>(
  pages: AsyncGenerator<string, T>,
  transform: ((geojson: string) => string) | undefined,
): AsyncGenerator<string, T> {
  if (!transform) return yield* pages;
  const paced = new PacedTransform(transform);
  for (;;) {
    const { value, done } = await pages.next();
    if (done) return value;
    const lines: string[] = [];
    for (const line of value.split('\n')) lines.push(line.startsWith('{') ? await withGeometry(line, paced) : line);
    yield lines.join(',');
  }
}

/** The text of a feature, in which the properties follow the geometry, with another geometry. */
async function withGeometry(feature: string, paced: PacedTransform): Promise<string> {
  const start = feature.indexOf('"geometry":');
  const end = feature.indexOf(',"properties":', start);
  return feature.slice(0, start) + (await paced.textOf(feature.slice(start, end))) + feature.slice(end);
}
