import { beforeAll, describe, expect, it } from 'vitest';
import { Ranking } from '../../../pages/docs/ranking.ts';
import { keyOf, type SearchFile } from '../../../pages/docs/search-file.ts';
import { renderDocument } from '../../../scripts/pages/document.ts';
import type { OpenApi } from '../../../scripts/pages/reference/openapi.ts';
import { renderReference } from '../../../scripts/pages/reference/render.ts';

let pages: ReturnType<typeof renderReference>['pages'];
let search: SearchFile;
let ranking: Ranking;

beforeAll(async () => {
  ({ pages, search } = renderReference((await renderDocument()) as OpenApi));
  ranking = new Ranking(search);
});

const keysOf = (question: string) => ranking.find(question).found.map(({ entry }) => keyOf(entry));

/** What people type, with what must be among the first three. */
const QUESTIONS: readonly [question: string, ...answers: string[]][] = [
  // An analyst.
  ['neighbours', 'list_province_neighbors', 'list_municity_neighbors'],
  ['kapitbahay', 'list_province_neighbors'],
  ['boundary', 'get_province', 'list_provinces'],
  ['old code', 'get_changes_of_code', 'get_crosswalk'],
  ['convert old codes to new', 'get_crosswalk', 'join_places'],
  ['choropleth', '/match', 'upload_dataset'],
  ['make a map', '/match', 'upload_dataset'],
  ['poverty map', '/match', '/explore'],
  ['shapefile', '/downloads', 'download_areas'],
  ['csv', 'match_places', 'join_places', '/downloads'],
  ['upload excel', '/match', 'match_places'],
  ['typo', 'match_places', 'search_places'],
  ['wrong spelling ng barangay', 'match_places', 'search_places'],
  ['population', 'list_municities', 'list_provinces'],
  ['population of cebu', 'list_provinces', 'get_province'],
  ['inside a polygon', 'list_areas_covered'],
  ['within a polygon', 'list_areas_covered'],
  ['polygon', 'list_areas_covered', 'get_province'],
  ['points in polygon', 'count_dataset_points'],
  ['income class', 'list_municities', 'list_provinces'],
  ['edition', 'list_editions'],
  ['vlookup', 'join_places'],
  ['qgis', '/downloads', 'list_downloads'],
  ['download all barangays', '/downloads', 'list_downloads'],
  ['attribution', 'list_sources', 'data-sources-and-licences'],
  ['how to cite', 'how-to-cite-it'],
  ['rows in doubt', '3-decide-the-rows-in-doubt'],
  // A developer of a hospital.
  ['which province is this point in', 'reverse_geocode'],
  ['latitude', 'reverse_geocode'],
  ['saan ang barangay na ito', 'reverse_geocode'],
  ['patient address', 'match_places'],
  ['hierarchy', 'get_municity_hierarchy', 'get_barangay_hierarchy'],
  ['rate limit', 'rate-limits', 'error-rate_limit_exceeded'],
  ['too many requests', 'rate-limits', 'error-rate_limit_exceeded'],
  ['401', 'authentication', 'error-authentication_required'],
  ['invalid_request', 'errors', 'schema-ValidationError'],
  ['area_abolished', 'error-area_abolished'],
  ['token expired', 'error-session_expired', 'error-api_key_expired'],
  ['audit log', 'list_audit_logs'],
  // A student.
  ['lalawigan', 'list_provinces', 'search_provinces'],
  ['lungsod', 'list_municities', 'search_municities'],
  ['paano kumuha ng api key', 'create_api_key'],
  ['libre ba', 'first-requests'],
  ['region 7', 'list_regions'],
  ['geojson', 'geojson', 'list_provinces'],
  ['python', 'first-requests'],
  // A developer of a shop.
  ['zip code', 'get_postal_code'],
  ['barangay list', 'list_barangays'],
  ['dropdown of provinces', 'list_provinces'],
  ['cities in cebu', 'list_municities'],
  ['autocomplete', 'search_places'],
  ['api key', 'create_api_key', '/dashboard'],
  ['webhook', 'receive_webhook'],
  ['webhook signature', 'signatures-of-webhooks'],
  ['hmac', 'signatures-of-webhooks'],
  ['pagination', 'envelope', 'schema-PaginationMeta'],
  ['cursor', 'envelope', 'schema-PaginationMeta'],
  ['idempotency', 'sending-again'],
  ['cors', 'browsers'],
  ['postman', '/openapi.json'],
  ['/v1/crosswalk', 'get_crosswalk'],
  ['getProvince', 'get_province'],
  ['admin', '/docs/admin'],
];

/** Slips of typing, and words that are not finished. */
const SLIPS: readonly [question: string, answer: string][] = [
  ['naighbors', 'list_province_neighbors'],
  ['bondary', 'get_province'],
  ['pagnation', 'envelope'],
  ['geojosn', 'geojson'],
  ['adress', 'match_places'],
  ['barangya list', 'list_barangays'],
  ['lalaw', 'list_provinces'],
  ['shapef', '/downloads'],
  ['crossw', 'get_crosswalk'],
];

describe('the search of the reference', () => {
  it.each(QUESTIONS)('answers “%s” among the first three', (question, ...answers) => {
    expect(keysOf(question).slice(0, 3)).toEqual(expect.arrayContaining(answers));
  });

  it.each(SLIPS)('takes “%s” for what was meant', (question, answer) => {
    expect(keysOf(question).slice(0, 3)).toContain(answer);
  });

  it.each(['key', 'delete', 'datasets', 'users', 'list', 'release'])(
    'lists what people use before Admin: “%s”',
    (question) => {
      const { found } = ranking.find(question);
      const places = found.map(({ href }) => /^\/docs\/admin/.test(href));
      const operations = found.map(({ entry }) => entry.method !== undefined);
      const first = places.indexOf(true);
      expect(operations.indexOf(true)).toBeLessThan(first === -1 ? Number.POSITIVE_INFINITY : first);
    },
  );

  it('finds nothing where nothing is meant', () => {
    for (const question of ['xyzzy', 'zzqqx', '', '  ', '???', 'constructor', 'who is mayor']) {
      expect([question, keysOf(question)]).toEqual([question, []]);
    }
  });

  it('has pages whose titles say what is on them', () => {
    const ofAdmin = pages.filter(({ path }) => path.startsWith('admin')).map(({ path, title }) => [path, title]);
    expect(ofAdmin).toEqual([
      ['admin', 'Admin · '],
      ['admin-2', 'Admin: api keys, releases · '],
      ['admin-3', 'Admin: tiles · '],
    ]);
  });

  it('leads to the parameter that has the words, and says where they are', () => {
    const { found, piecesOf } = ranking.find('minimum residents');
    expect(found[0]).toMatchObject({
      href: expect.stringMatching(/^\/docs\/\w+#list_\w+\.population_min$/),
      part: { name: 'population_min' },
    });
    expect(piecesOf(found[0]?.text ?? '')).toEqual(['', 'Minimum', ' number of ', 'residents', '']);
    expect(piecesOf('not here')).toEqual(['not here']);
  });

  it('finds every operation by its id, and every error by its code', () => {
    const named = search.entries.filter(({ method, about }) => method !== undefined || about.startsWith('Error'));
    expect(named.length).toBeGreaterThan(150);
    for (const { names = '', href } of named) {
      const [id = ''] = names.split(' ');
      expect([id, ranking.find(id).found[0]?.entry.href]).toEqual([id, href]);
    }
  });

  it('leads to places that are there', () => {
    const ids = new Map(
      pages.map(({ path, body }) => [
        path === '' ? '/docs' : `/docs/${path}`,
        new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const addresses = search.entries.flatMap(({ href, parts = [] }) => [
      href,
      ...parts.flatMap((part) => part.href ?? []),
    ]);
    const ofReference = addresses.filter((address) => address.startsWith('/docs'));
    expect(ofReference.length).toBeGreaterThan(500);
    for (const address of ofReference) {
      const [page = '', id] = address.split('#');
      const there = ids.get(page);
      expect([address, there !== undefined && (id === undefined || there.has(id))]).toEqual([address, true]);
    }
    expect(new Set(search.entries.map(keyOf)).size).toBe(search.entries.length);
  });
});
