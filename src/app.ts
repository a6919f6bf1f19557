import { cors } from 'hono/cors';
import { accountRoutes } from './account/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { areaAnalysisRoutes } from './analysis/area-routes.ts';
import { analysisRoutes } from './analysis/routes.ts';
import { findKeyByPrefix } from './api-keys/repo/keys.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { LEVELS } from './areas/levels.ts';
import { areaListRoutes } from './areas/list-routes.ts';
import { placeRoutes } from './areas/place-routes.ts';
import { singleAreaRoutes } from './areas/single-routes.ts';
import { sourceRoutes } from './areas/source-routes.ts';
import { dashboardRoutes, signedInPage } from './dashboard/routes.ts';
import { embedRoutes } from './datasets/embed-routes.ts';
import { featureRoutes } from './datasets/feature-routes.ts';
import { datasetRoutes } from './datasets/routes.ts';
import { connect } from './db/client.ts';
import { deadlineOf } from './deadline.ts';
import { catalogRoutes, downloadRoutes, releaseRoutes } from './downloads/routes.ts';
import { changeRoutes, crosswalkRoutes, editionRoutes } from './editions/routes.ts';
import { configOf } from './env.ts';
import { DomainError } from './errors.ts';
import { asOutcomes } from './fhir/outcomes.ts';
import { fhirRoutes } from './fhir/routes.ts';
import { errorResponse } from './http/error-responses.ts';
import { refuseMethods } from './http/methods.ts';
import { notFoundPage } from './http/pages.ts';
import { joinRoutes } from './join/routes.ts';
import { matchRoutes } from './match/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { webhookEndpointRoutes } from './notifications/routes.ts';
import { ogcRoutes } from './ogc/routes.ts';
import { ogcSessionRoutes } from './ogc/session-routes.ts';
import { documentRoutes } from './openapi/routes.ts';
import { Router } from './operation.ts';
import { parseRoutes } from './parse/routes.ts';
import { findOrCreateProfile } from './profiles/repo/profiles.ts';
import { requestLog } from './request-log.ts';
import { postalCodeRoutes } from './search/postal-codes.ts';
import { searchRoutes, suggestRoutes } from './search/routes.ts';
import { metricsRoutes, statusRoutes } from './status/routes.ts';
import { archiveRoutes } from './tiles/archive-routes.ts';
import { tileRoutes } from './tiles/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/**
 * The longest URL, characters: the platform lets no longer one through
 * (https://developers.cloudflare.com/workers/platform/limits/#url-limits), so it is the same everywhere.
 */
const MAX_ADDRESS = 16 * 1024;

/** The headers of answers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'Accept-Ranges',
  'Content-Crs',
  'Content-Disposition',
  'Content-Location',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Repr-Digest',
  'Retry-After',
  'X-Attribution',
  'X-Data-Release',
  'X-Input-Encoding',
  'X-Columns',
  'X-Renamed-Columns',
  'X-Abolished-Codes',
  'X-Repeated-Codes',
  'X-Missing-Codes',
  'X-Unknown-Parameters',
  'X-Request-Id',
  'X-Storage-Quota',
].join(',');

/** Answers what a browser asks before it sends a request of another origin. */
const preflight = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-Modified-Since',
    'If-None-Match',
    'If-Range',
    'If-Unmodified-Since',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Range',
    'X-Request-Id',
  ],
  maxAge: 86_400,
});

export const app = new Router();

app.use(requestLog());
app.use((c, next) => {
  // The id is always a new one. A caller could choose the same id twice, and the audit log stores it.
  const requestId = crypto.randomUUID();
  c.set('requestId', requestId);
  // Headers that are set before there is an answer cost less than those that are added to one.
  c.header('X-Request-Id', requestId);
  c.header('X-Content-Type-Options', 'nosniff');
  // Over plain HTTP it must not be sent (RFC 6797, 7.2).
  if (c.req.url.startsWith('https:')) c.header('Strict-Transport-Security', 'max-age=31536000');
  if (c.req.method === 'OPTIONS') return preflight(c, next);
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  return next();
});
app.use('/fhir/*', asOutcomes());
app.use((c, next) => {
  const { length } = c.req.url;
  if (length <= MAX_ADDRESS) return next();
  throw new DomainError('address_too_long', `The address must have at most ${MAX_ADDRESS} characters (got ${length}).`);
});
app.use(...refuseMethods(app));
app.use((c, next) => {
  const config = configOf(c.env);
  c.set('config', config);
  c.set('deadline', deadlineOf(c.req.raw, config.REQUEST_WAIT_MS));
  c.set('accounts', {
    findKey: async (prefix, deadline = c.get('deadline')) =>
      findKeyByPrefix(connect(config.DATABASE_URL, deadline), prefix),
    findOrCreateProfile: async (claims) => {
      const { DATABASE_URL } = config;
      const deadline = c.get('deadline');
      return findOrCreateProfile(connect(DATABASE_URL, deadline), claims, connect(DATABASE_URL, deadline.unhurried));
    },
  });
  return next();
});

app.route('/', statusRoutes(''));
app.route('/v1', statusRoutes('v1'));
app.route('/metrics', metricsRoutes());
for (const rules of Object.values(LEVELS)) {
  // Lists come first: `search` is no code.
  app.route(`/v1/${rules.plural}`, areaListRoutes(rules));
  app.route(`/v1/${rules.plural}`, singleAreaRoutes(rules));
}
app.route('/v1/search', searchRoutes());
app.route('/v1/suggest', suggestRoutes());
app.route('/v1/postal-codes', postalCodeRoutes());
app.route('/v1/geocode', placeRoutes());
app.route('/v1/areas', areaAnalysisRoutes());
app.route('/v1/match', matchRoutes());
app.route('/v1/parse', parseRoutes());
app.route('/v1/join', joinRoutes());
app.route('/v1/sources', sourceRoutes());
app.route('/v1/editions', editionRoutes());
app.route('/v1/changes', changeRoutes());
app.route('/v1/crosswalk', crosswalkRoutes());
app.route('/v1/downloads', downloadRoutes());
app.route('/v1/releases', releaseRoutes());
app.route('/v1/catalog', catalogRoutes());
app.route('/v1/ogc', ogcSessionRoutes());
app.route('/ogc', ogcRoutes());
app.route('/fhir', fhirRoutes());
app.route('/v1/account', accountRoutes());
app.route('/v1/api-keys', apiKeyRoutes());
app.route('/v1/datasets/upload', uploadRoutes());
app.route('/v1/datasets', datasetRoutes());
app.route('/v1/datasets', analysisRoutes());
app.route('/v1/features', featureRoutes());
// Beside /v1: a URL of its own for maps on other sites, which never asks who looks at it.
app.route('/embed/datasets', embedRoutes());
app.route('/v1/webhooks', webhookRoutes());
app.route('/v1/webhook-endpoints', webhookEndpointRoutes());
app.route('/v1/admin', adminRoutes());
app.route('/tiles/pmtiles', archiveRoutes(''));
app.route('/v1/tiles/pmtiles', archiveRoutes('v1'));
app.route('/v1/tiles', tileRoutes());
app.route('/dashboard', dashboardRoutes());
app.route('/match', signedInPage('match'));
app.route('/mcp', mcpRoutes(app.fetch));
app.route('/', documentRoutes());

app.notFound(async (c) => {
  const refusal = new DomainError(
    'route_not_found',
    `There is nothing at ${c.req.path}. See /openapi.json for what there is.`,
  );
  // FHIR has a form of its own for errors, which a browser gets too.
  const page = c.req.path.startsWith('/fhir/') ? undefined : await notFoundPage(c, c.env.ASSETS);
  const answer = errorResponse(refusal, c);
  return page ?? answer;
});
app.onError((error, c) => errorResponse(error, c));
