import type { CountAreas } from '../analysis/covered.ts';
import { answerRead } from '../areas/answer-read.ts';
import type { Frame } from '../areas/documents.ts';
import { EDITION_ID } from '../areas/edition-id.ts';
import { featureOf, type Item, recordOf } from '../areas/records.ts';
import { areasThroughTime, servedAreas } from '../areas/served-areas.ts';
import { type Area, type AreaFilter, type AreaStore, versionKey } from '../areas/store.ts';
import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import type { Expression } from '../cql2/expression.ts';
import { DomainError } from '../errors.ts';
import { PRIVATE } from '../http/answers.ts';
import { countFeatures, countRows } from '../rate-limits/rows.ts';
import { type AreaCollection, queryablesOf } from './area-collections.ts';
import { conditionOf, whereOf } from './conditions.ts';
import { type Crs, crsOf, quoted, transformOf } from './crs.ts';
import { type Cursor, cursorOf, cursorText, staleCursor } from './cursor.ts';
import { editionAt } from './editions.ts';
import { featureLinks, nameCrs, pageLinks } from './feature-pages.ts';
import { Links, MEDIA_TYPES } from './links.ts';
import { type Box, boxOf, DEFAULT_LIMIT, type ItemQuery, itemParams, propertyParams } from './parameters.ts';
import { versionId, whereVersion, whileValid } from './versions.ts';

/** A page of the areas of a collection, as a FeatureCollection. */
export async function areaItems(
  c: AppContext,
  ctx: ServiceContext,
  collection: AreaCollection,
  query: ItemQuery,
): Promise<Response> {
  const { level, listed, resolution, isThroughTime } = collection;
  const properties = propertyParams(c, itemParams, Object.keys(collection.attributes));
  const condition = conditionOf(query, properties, queryablesOf(collection));
  const { datetime } = query;
  const expression = allOf(condition, isThroughTime ? whileValid(datetime) : undefined);
  const crs = crsOf('crs', query.crs);
  const box = boxOf(query.bbox, query['bbox-crs']);
  const cursor = query.cursor === undefined ? undefined : cursorOf(query.cursor, collection.id);
  requireReader(c, ctx, collection);

  const links = new Links(c);
  nameCrs(c, crs);
  const found = await foundAreas(ctx, collection, { cursor, datetime });
  if (found === null) return c.json(emptyPage(links), 200, { ...PRIVATE, 'Content-Type': MEDIA_TYPES.geojson });
  const { areas, edition, version } = found;
  const filter: AreaFilter = { ...collection.filter, ...(box && { meets: easternPart(box) }) };
  const { limit = DEFAULT_LIMIT } = query;
  const { before, last } = cursor ?? { before: 0, last: '' };
  const isTransformed = transformOf(crs) !== undefined;
  if (!isTransformed) await countFeatures(c, { rows: limit });
  return answerRead(c, readingContext(c, ctx), {
    areas,
    resolution,
    hasLinks: true,
    isCached: isPlain(c),
    read: async (knownVersions) => {
      const countAreas: CountAreas = ({ crossed }) => countRows(c, crossed);
      const where = expression === undefined ? undefined : await whereOf(areas, { expression, level, ctx, countAreas });
      return areas.list(listed, { ...filter, where }, { page: { after: last, limit }, resolution, knownVersions });
    },
    produce: async ({ areas: shown, total }, release) => {
      const text = shown.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0);
      if (isTransformed) await countFeatures(c, { rows: limit, text });
      const end = before + shown.length;
      const newest = shown.at(-1);
      const next = newest && end < total && { before: end, last: isThroughTime ? versionKey(newest) : newest.code };
      const page = {
        type: 'FeatureCollection',
        numberMatched: total,
        numberReturned: shown.length,
        links: pageLinks(
          links,
          collection.id,
          next ? cursorText({ ...next, collection: collection.id, version: version ?? release, edition }) : undefined,
        ),
      };
      const head = `${JSON.stringify(page).slice(0, -1)},"features":[`;
      return { level: listed, shown, frame: frameOf(collection, { crs, head, tail: ']}' }) };
    },
  });
}

/** An area of a collection, as a Feature. */
export async function areaItem(
  c: AppContext,
  ctx: ServiceContext,
  collection: AreaCollection,
  { id, query }: { id: string; query: Pick<ItemQuery, 'crs' | 'datetime'> },
): Promise<Response> {
  const { level, listed, resolution } = collection;
  if (collection.isThroughTime) return versionItem(c, ctx, collection, { id, query });
  const crs = crsOf('crs', query.crs);
  requireReader(c, ctx, collection);
  const found = await areasAt(ctx, query.datetime);
  if (found === null) throw notFound(collection, id);
  const { areas } = found;
  nameCrs(c, crs);
  return answerRead(c, readingContext(c, ctx), {
    areas,
    resolution,
    hasLinks: true,
    isCached: isPlain(c),
    read: (knownVersions) => areas.find(listed, id, { resolution, knownVersions }),
    check: ({ code, successors }) => {
      // A feature has one URL, so an older code has none.
      if (code !== id) throw notFound(collection, id, code === null ? successors : [code]);
    },
    produce: ({ area }) => {
      if (area?.level !== level) throw notFound(collection, id);
      const frame = withLinks(frameOf(collection, { crs, head: '', tail: '' }), c, collection);
      return { level: listed, shown: [area], frame };
    },
  });
}

/** A version of an area, as a Feature. */
async function versionItem(
  c: AppContext,
  ctx: ServiceContext,
  collection: AreaCollection,
  { id, query }: { id: string; query: Pick<ItemQuery, 'crs' | 'datetime'> },
): Promise<Response> {
  const { listed, resolution, filter } = collection;
  const crs = crsOf('crs', query.crs);
  const expression: Expression = { op: 'and', args: [whereVersion(id), whileValid(query.datetime) ?? true] };
  requireReader(c, ctx, collection);
  const areas = await areasThroughTime(ctx);
  nameCrs(c, crs);
  return answerRead(c, readingContext(c, ctx), {
    areas,
    resolution,
    hasLinks: true,
    isCached: false,
    read: () => {
      const where = { expression, meeting: new Map() };
      return areas.list(listed, { ...filter, where }, { page: { page: 1, limit: 1 }, resolution });
    },
    check: ({ areas: found }) => {
      if (found.length === 0) throw notFound(collection, id);
    },
    produce: ({ areas: shown }) => {
      const frame = withLinks(frameOf(collection, { crs, head: '', tail: '' }), c, collection);
      return { level: listed, shown, frame };
    },
  });
}

/** Boundaries need credentials, as everywhere. */
function requireReader(c: AppContext, { principal }: ServiceContext, { id }: AreaCollection): void {
  if (!c.var.hasQueryCredential) requireIdentity(principal, `The collection ${id}`);
}

/** A session in the URL stands for the credentials of whoever asked for it. */
function readingContext(c: AppContext, ctx: ServiceContext): Pick<ServiceContext, 'config' | 'principal'> {
  const { config, principal } = ctx;
  if (!c.var.hasQueryCredential || principal.kind !== 'anonymous') return { config, principal };
  return { config, principal: { kind: 'bearer', credential: 'session', scopes: [], expiresAt: null } };
}

interface FoundAreas {
  readonly areas: AreaStore;
  /** Undefined for those that are served. */
  readonly edition: string | undefined;
  /** What tells these versions of areas from others. */
  readonly version?: string;
}

/**
 * What a page is read from; null where no edition is that old.
 *
 * @throws DomainError `invalid_parameter` where a cursor is of other areas
 */
async function foundAreas(
  ctx: ServiceContext,
  { isThroughTime }: AreaCollection,
  { cursor, datetime }: { cursor: Cursor | undefined; datetime: string | undefined },
): Promise<FoundAreas | null> {
  if (!isThroughTime) return cursor ? areasOfCursor(ctx, cursor) : areasAt(ctx, datetime);
  const areas = await areasThroughTime(ctx);
  const version = await areas.activeVersion();
  if (cursor && cursor.version !== version) throw staleCursor('the release');
  return { areas, edition: undefined, version };
}

/** The areas of the edition that was in force; null where no edition is that old. */
async function areasAt(ctx: ServiceContext, datetime: string | undefined): Promise<FoundAreas | null> {
  const edition = await editionAt(ctx, datetime);
  return edition === null ? null : { areas: await servedAreas(ctx, edition), edition };
}

/**
 * The areas that the page before was of.
 *
 * @throws DomainError `invalid_parameter` where they were replaced
 */
async function areasOfCursor(ctx: ServiceContext, { version, edition }: Cursor): Promise<FoundAreas> {
  const releaseOf = async (areas: AreaStore) => (await areas.listSources({})).release;
  const ofEdition = edition ?? version.replace(/-\d+$/, '');
  const served = await servedAreas(ctx);
  if (edition === undefined && (await releaseOf(served)) === version) return { areas: served, edition };
  if (EDITION_ID.test(ofEdition)) {
    try {
      const areas = await servedAreas(ctx, ofEdition);
      if ((await releaseOf(areas)) === version) return { areas, edition: ofEdition };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'edition_not_found') throw error;
    }
  }
  throw staleCursor('the release');
}

/** Whether a URL is one of few, so that its answer is worth caching. */
function isPlain(c: AppContext): boolean {
  return [...new URL(c.req.url).searchParams.keys()].every((name) => name === 'limit');
}

/** The country lies east of Greenwich, so what of a box is beyond the antimeridian has nothing of it. */
function easternPart([west, south, east, north]: Box): Box {
  return west <= east ? [west, south, east, north] : [west, south, 180, north];
}

function frameOf(
  { listed, attributes, isThroughTime }: AreaCollection,
  { crs, head, tail }: { crs: Crs; head: string; tail: string },
): Frame {
  const transform = transformOf(crs);
  const item = (area: Area): Item => {
    const placed = transform ? { ...area, bbox: null } : area;
    if (!isThroughTime) return featureOf(placed, recordOf(listed, area));
    const properties = Object.entries(attributes).map(([name, { of }]) => [name, of(area)]);
    return featureOf(placed, Object.fromEntries(properties), versionId(area));
  };
  return { type: MEDIA_TYPES.geojson, head, item, tail, transform };
}

/** The frame of a feature that is answered alone. */
function withLinks({ item, ...frame }: Frame, c: AppContext, { id }: AreaCollection): Frame {
  const after = `,"links":${JSON.stringify(featureLinks(new Links(c), id))}}`;
  return { ...frame, item: (area) => ({ ...item(area), after }) };
}

function allOf(...conditions: readonly (Expression | undefined)[]): Expression | undefined {
  const args = conditions.filter((one) => one !== undefined);
  return args.length > 1 ? { op: 'and', args } : args[0];
}

function emptyPage(links: Links) {
  const members = { type: 'FeatureCollection', numberMatched: 0, numberReturned: 0 };
  return { ...members, links: links.self(MEDIA_TYPES.geojson), features: [] };
}

function notFound({ id: collection }: AreaCollection, id: string, codes?: readonly string[] | null): DomainError {
  const lead = codes && codes.length > 0 ? ` Its place took ${codes.slice(0, 5).join(', ')}.` : '';
  return new DomainError('feature_not_found', `The collection ${collection} has no feature ${quoted(id)}.${lead}`);
}
