import { answerRead } from '../areas/answer-read.ts';
import { attributesOf } from '../areas/attributes.ts';
import type { Frame } from '../areas/documents.ts';
import { EDITION_ID } from '../areas/edition-id.ts';
import { featureOf, type Item, recordOf } from '../areas/records.ts';
import { servedAreas } from '../areas/served-areas.ts';
import type { Area, AreaFilter, AreaStore } from '../areas/store.ts';
import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { PRIVATE } from '../http/answers.ts';
import { type AreaCollection, queryablesOf } from './area-collections.ts';
import { conditionOf, whereOf } from './conditions.ts';
import { type Crs, crsOf, quoted, transformOf } from './crs.ts';
import { type Cursor, cursorOf, cursorText, staleCursor } from './cursor.ts';
import { editionAt } from './editions.ts';
import { featureLinks, nameCrs, pageLinks } from './feature-pages.ts';
import { Links, MEDIA_TYPES } from './links.ts';
import { type Box, boxOf, DEFAULT_LIMIT, type ItemQuery, itemParams, propertyParams } from './parameters.ts';

/** A page of the areas of a collection, as a FeatureCollection. */
export async function areaItems(
  c: AppContext,
  ctx: ServiceContext,
  collection: AreaCollection,
  query: ItemQuery,
): Promise<Response> {
  const { level, listed, resolution } = collection;
  const properties = propertyParams(c, itemParams, attributesOf(level));
  const expression = conditionOf(query, properties, queryablesOf(level));
  const crs = crsOf('crs', query.crs);
  const box = boxOf(query.bbox, query['bbox-crs']);
  const cursor = query.cursor === undefined ? undefined : cursorOf(query.cursor);
  requireReader(c, ctx, collection);

  const links = new Links(c);
  nameCrs(c, crs);
  const found = cursor ? await areasOfCursor(ctx, cursor) : await areasAt(ctx, query.datetime);
  if (found === null) return c.json(emptyPage(links), 200, { ...PRIVATE, 'Content-Type': MEDIA_TYPES.geojson });
  const { areas, edition } = found;
  const filter: AreaFilter = { ...collection.filter, ...(box && { meets: easternPart(box) }) };
  const { limit = DEFAULT_LIMIT } = query;
  const { before, last } = cursor ?? { before: 0, last: '' };
  return answerRead(c, readingContext(c, ctx), {
    areas,
    resolution,
    hasLinks: true,
    isCached: isPlain(c),
    read: async (knownVersions) => {
      const where = expression === undefined ? undefined : await whereOf(areas, { expression, level, ctx });
      return areas.list(listed, { ...filter, where }, { page: { after: last, limit }, resolution, knownVersions });
    },
    produce: ({ areas: shown, total }, release) => {
      const end = before + shown.length;
      const position = { version: release, edition, before: end, last: shown.at(-1)?.code ?? '' };
      const next = shown.length > 0 && end < total && position;
      const page = {
        type: 'FeatureCollection',
        numberMatched: total,
        numberReturned: shown.length,
        links: pageLinks(links, collection.id, next ? cursorText(next) : undefined),
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
  const crs = crsOf('crs', query.crs);
  requireReader(c, ctx, collection);
  const found = await areasAt(ctx, query.datetime);
  if (found === null) throw notFound(collection, id);
  const { areas } = found;
  const links = new Links(c);
  nameCrs(c, crs);
  const after = `,"links":${JSON.stringify(featureLinks(links, collection.id))}}`;
  return answerRead(c, readingContext(c, ctx), {
    areas,
    resolution,
    hasLinks: true,
    isCached: isPlain(c),
    read: (knownVersions) => areas.find(listed, id, { resolution, knownVersions }),
    check: ({ code, successors }) => {
      // A feature has one address, so an older code has none.
      if (code !== id) throw notFound(collection, id, code === null ? successors : [code]);
    },
    produce: ({ area }) => {
      if (area?.level !== level) throw notFound(collection, id);
      const { item, ...frame } = frameOf(collection, { crs, head: '', tail: '' });
      const linked = { ...frame, item: (one: Area) => ({ ...item(one), after }) };
      return { level: listed, shown: [area], frame: linked };
    },
  });
}

/** Boundaries need credentials, as everywhere. */
function requireReader(c: AppContext, { principal }: ServiceContext, { id }: AreaCollection): void {
  if (!c.var.hasQueryCredential) requireIdentity(principal, `The collection ${id}`);
}

/** A session in the address stands for the credentials of whoever asked for it. */
function readingContext(c: AppContext, ctx: ServiceContext): Pick<ServiceContext, 'config' | 'principal'> {
  const { config, principal } = ctx;
  if (!c.var.hasQueryCredential || principal.kind !== 'anonymous') return { config, principal };
  return { config, principal: { kind: 'bearer', credential: 'session', scopes: [], expiresAt: null } };
}

interface FoundAreas {
  readonly areas: AreaStore;
  /** Undefined for those that are served. */
  readonly edition: string | undefined;
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

/** Whether an address is one of few, so that its answer is worth caching. */
function isPlain(c: AppContext): boolean {
  return [...new URL(c.req.url).searchParams.keys()].every((name) => name === 'limit');
}

/** The country lies east of Greenwich, so what of a box is beyond the antimeridian has nothing of it. */
function easternPart([west, south, east, north]: Box): Box {
  return west <= east ? [west, south, east, north] : [west, south, 180, north];
}

function frameOf({ listed }: AreaCollection, { crs, head, tail }: { crs: Crs; head: string; tail: string }): Frame {
  const transform = transformOf(crs);
  const record = (area: Area): Item => featureOf(transform ? { ...area, bbox: null } : area, recordOf(listed, area));
  return { type: MEDIA_TYPES.geojson, head, item: record, tail, transform };
}

function emptyPage(links: Links) {
  const members = { type: 'FeatureCollection', numberMatched: 0, numberReturned: 0 };
  return { ...members, links: links.self(MEDIA_TYPES.geojson), features: [] };
}

function notFound({ id: collection }: AreaCollection, id: string, codes?: readonly string[] | null): DomainError {
  const lead = codes && codes.length > 0 ? ` Its place took ${codes.slice(0, 5).join(', ')}.` : '';
  return new DomainError('feature_not_found', `The collection ${collection} has no feature ${quoted(id)}.${lead}`);
}
