import { z } from '@hono/zod-openapi';
import { publishedRelease } from '../areas/served-areas.ts';
import type { ServiceContext } from '../context.ts';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import { privateText } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { pageResponse, wantsPage } from '../http/pages.ts';
import { flagParam } from '../http/params.ts';
import { moment } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { preparingSchema, readPreparing } from '../storage/preparing.ts';
import { buildOf, SERVICE_NAME } from './build.ts';
import { metricsOf } from './metrics.ts';
import { OPENMETRICS_TYPE } from './openmetrics.ts';
import { readinessOf, readinessSchema } from './readiness.ts';
import { findActiveRelease } from './repo.ts';

const indexSchema = z
  .object({
    message: z.string(),
    status: z.string(),
    hint: z.string(),
    what_now: z.string(),
    fun_fact: z.string(),
    tip: z.string(),
    version: z.string(),
  })
  .openapi('Index');

const versionSchema = z
  .object({
    version: z.string().openapi({ example: '1.0.0' }),
    commit: z.string().openapi({ example: '626f695' }),
    commitFull: z.string().openapi({ example: '626f6951f0c4be0a9f1a1d0f2a1f6f7f6c0a8a55' }),
    label: z.string().openapi({ example: '1.0.0 (626f695)' }),
    name: z.string().openapi({ example: SERVICE_NAME }),
    environment: z.enum(['production', 'preview', 'development']),
    builtAt: z.string().optional().openapi({ example: '2026-11-21T12:00:00.000Z' }),
  })
  .openapi('Version');

const health = {
  status: z.enum(['ok', 'degraded', 'unavailable']),
  version: z.string().openapi({ example: '1.0.0' }),
  label: z.string().openapi({ example: '1.0.0 (626f695)' }),
  release: z.string().nullable().openapi({ description: 'The data release that is served', example: '2026-3q-1' }),
  preparing: preparingSchema,
  database: z
    .object({
      status: z.enum(['ok', 'unavailable', 'unknown']),
      seen_at: moment.nullable().openapi({ description: 'Time of the last check; null if there was none' }),
    })
    .openapi({
      description: 'The last state of the database that this instance saw; the database is not asked',
    }),
};

const fault = { message: z.string(), code: z.string() };

const healthSchema = z.object({ ...health, ...z.object(fault).partial().shape }).openapi('Health', {
  description: '`message` and `code` say what a development server lacks or is still preparing',
});

const readySchema = z
  .object({ status: z.literal('ok'), version: health.version, label: health.label, parts: readinessSchema })
  .openapi('Ready');

const unhealthySchema = z.object({ ...health, ...fault }).openapi('Unhealthy');

function welcome(config: Config): z.output<typeof indexSchema> {
  return {
    message: SERVICE_NAME,
    status: 'ok',
    hint: 'Administrative geography of the Philippines by PSGC code. Start with /v1/regions.',
    what_now: 'Read /docs, or /openapi.json for every operation; try /v1/municities/search?q=paranaque.',
    fun_fact:
      'Six hundred barangays and more are called Poblacion, which is why codes are the keys here and names are not.',
    tip: 'Old codes still work: /v1/provinces/0604500000 leads to the Negros Occidental of today.',
    version: buildOf(config).version,
  };
}

/** What was seen of the database. */
type Seen = ServiceContext['db']['seen'];

/** Index, version and health. They are served with and without the prefix `/v1`. */
export function statusRoutes(prefix: '' | 'v1'): Router {
  const router = new Router(['status']);
  const id = (name: string) => (prefix ? `${prefix}_${name}` : name);

  operation(router, {
    operationId: id('index'),
    method: 'get',
    path: '/',
    access: 'public',
    summary: 'Index of the service',
    description: prefix ? 'The same as `/`, always as JSON.' : 'A browser, which prefers HTML, gets a page.',
    responses: {
      200: {
        description: 'Links to the documentation',
        content: {
          'application/json': { schema: indexSchema },
          ...(prefix ? {} : { 'text/html': { schema: z.string().openapi({ example: '<!doctype html>…' }) } }),
        },
      },
    },
    handler: (c) => {
      if (prefix === '') {
        c.header('Vary', 'Accept', { append: true });
        if (wantsPage(c)) return pageResponse(c, c.env.ASSETS, 'landing');
      }
      return c.json(welcome(c.get('config')));
    },
  });

  operation(router, {
    operationId: id('version'),
    method: 'get',
    path: '/version',
    access: 'public',
    summary: 'Version of the service',
    description: 'The version of the service, the commit it was built from, and its environment.',
    responses: {
      200: { description: 'The build', content: { 'application/json': { schema: versionSchema } } },
    },
    handler: (c) => c.json(buildOf(c.get('config'))),
  });

  operation(router, {
    operationId: id('healthcheck'),
    method: 'get',
    path: '/healthcheck',
    access: 'public',
    summary: 'Liveness of the service',
    description:
      'ok: everything works, as far as is known; degraded: no data release is active yet, or a server for development answers geography while it has no database, or prepares it; unavailable: the database does not answer. Where geography is answered without the database, it is asked only with `database=true` or after it has failed, so that it can sleep.',
    request: {
      query: z.object({
        database: flagParam('Whether to ask the database even if it is not needed, which wakes it').optional(),
      }),
    },
    responses: {
      200: { description: 'The service can answer', content: { 'application/json': { schema: healthSchema } } },
      ...errors(422),
      503: {
        description: 'The service can not answer',
        content: { 'application/json': { schema: unhealthySchema } },
      },
    },
    handler: async (c, { ctx, query }) => {
      const config = c.get('config');
      const { version, label } = buildOf(config);
      const preparing = await readPreparing(config);
      const facts = { version, label, preparing };
      c.header('Cache-Control', 'no-store');
      const published = await publishedRelease(ctx);
      let seen: Seen | undefined;
      try {
        seen = ctx.db.seen;
        const isAsked = query.database || preparing !== null || published === undefined || seen.failed;
        const release = isAsked ? await findActiveRelease(ctx.db) : published;
        const status = release === undefined ? 'degraded' : 'ok';
        return c.json({ status, ...facts, database: described(seen), release: release ?? published ?? null });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const { message, code } = error;
        const lacksSetting = code === 'setting_missing';
        const release = ((lacksSetting || preparing) && published) || null;
        const found = { ...facts, database: described(seen), release, message, code };
        if (lacksSetting || release !== null) return c.json({ status: 'degraded', ...found });
        c.header('Retry-After', '5');
        return c.json({ status: 'unavailable', ...found }, 503);
      }
    },
  });

  operation(router, {
    operationId: id('readiness'),
    method: 'get',
    path: '/healthcheck/ready',
    access: 'free-tier',
    identity: 'credential',
    summary: 'Readiness of all parts',
    description:
      'Checks the database (and wakes it), the bucket, the counters and the served list. If a part does not respond, the answer is 503 and `down` names the part. It is for monitors that ask rarely, and for checks after a deployment; a monitor that asks every minute uses `/healthcheck`, which lets the database sleep.',
    responses: {
      200: { description: 'Every part responds', content: { 'application/json': { schema: readySchema } } },
    },
    handler: async (c, { ctx }) => {
      const { version, label } = buildOf(c.get('config'));
      const parts = await readinessOf(ctx);
      c.header('Cache-Control', 'no-store');
      return c.json({ status: 'ok' as const, version, label, parts });
    },
  });

  return router;
}

/** Numbers for a monitor. Its URL is the one that scrapers ask unless they are told another. */
export function metricsRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'get_metrics',
    method: 'get',
    path: '/',
    access: 'admin',
    summary: 'Metrics in OpenMetrics',
    description:
      'OpenMetrics 1.0 for Prometheus and others: the release, the parts of the service, stored data, scheduled jobs, and counters of the answering instance. A part that does not respond is reported as such, and figures that only it knows are left out. No figure is personal.',
    request: {
      query: z.object({
        database: flagParam('Whether to ask the database, which wakes it; default true').optional(),
      }),
    },
    responses: {
      200: {
        description: 'The metrics',
        content: {
          'application/openmetrics-text': {
            schema: z.string().openapi({ example: 'pgds_part_up{part="database"} 1' }),
          },
        },
      },
      ...errors(422),
    },
    handler: async (c, { ctx, query: { database = true } }) =>
      privateText(c, await metricsOf(ctx, { asksDatabase: database }), OPENMETRICS_TYPE),
  });

  return router;
}

/** @param seen undefined where no database is set */
function described(seen: Seen | undefined): z.output<typeof healthSchema>['database'] {
  const { at, failed = true } = seen ?? {};
  if (at === undefined) return { status: failed ? 'unavailable' : 'unknown', seen_at: null };
  return { status: failed ? 'unavailable' : 'ok', seen_at: new Date(at).toISOString() };
}
