import { generateKeyPairSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { serverAt } from './test/support/postgres-server.ts';
import { TIMEOUT_MS, TIMEOUTS } from './test/support/timeouts.ts';

/** The bearer that tests present as the administrator's. */
const MASTER_TOKEN = 'test-master-token-not-secret';

/** What tile sessions are signed with. */
const TILE_SESSION_SECRET = 'test-secret-of-tile-sessions-not-secret';

/** The key pair of the identity provider that tests stand in for. */
const sessionKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SESSION_JWKS = JSON.stringify({
  keys: [{ ...sessionKey.publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'ES256', use: 'sig' }],
});

/** The secret of the published vectors; and one that is taking the place of another. */
const IDENTITY_WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EMAIL_WEBHOOK_SECRET =
  'whsec_bmV3IHNlY3JldCBvZiB0aGUgZW1haWwgcHJvdmlkZXI=,whsec_b2xkIHNlY3JldCBvZiB0aGUgZW1haWwgcHJvdmlkZXI=';

/**
 * Tests of the API that only speak HTTP, and so can ask another server. The others set bindings, clocks or what the bucket has,
 * look into counters, or hear the log.
 */
const ONLY_HTTP = (
  'address-windows area-batches area-codes area-lists area-search areas-covered areas-within bad-input cql2 ' +
  'dataset-access dataset-history datasets export-changes features geocode layer-exports match-tables mcp-answers ' +
  'ogc-datasets old-codes point-counts shared-ask stream sub-municipalities upload-formats upload-invalid-rows ' +
  'upload-places upload-refusals upload-replacements webhook-deliveries webhook-email webhook-events'
)
  .split(' ')
  .map((name) => `test/api/${name}.test.ts`);

/** The settings of the tested Worker, and of the server of one's own that is tested in its place. */
const WORKER_SETTINGS = {
  MASTER_TOKEN,
  // On a slow machine an answer is late and no fault. Tests of the deadline set the usual one.
  REQUEST_WAIT_MS: '25000',
  TILE_SESSION_SECRET,
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS,
  IDENTITY_WEBHOOK_SECRET,
  EMAIL_WEBHOOK_SECRET,
};

/** Loads and migrates through SQL alone, and so is asked on a server too. */
const ON_A_SERVER = ['geo-load', 'migrate', 'releases'].map((name) => `test/commands/${name}.test.ts`);

/** Those that take minutes, the longest first. */
const LONG = ['dev', 'dev-background', 'data-release', 'geo-load'].map((name) => `/test/commands/${name}.test.ts`);

/**
 * Starts the longest files first, so that none of them is left when all others have ended. Vitest goes by how long they took
 * the last time, and in a new clone by their sizes.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((end) => moduleId.endsWith(end));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** Workers wait for the database most of the time, and some of their tests for deadlines. */
const AT_ONCE = Math.max(4, availableParallelism() - 1);

// `vitest run` tests what `npm test` does. Everything else is a mode of its own: `vitest run --mode browser`.
export default defineConfig(({ mode }) => {
  const isOnServer = mode === 'postgres' || mode === 'own-server';
  const postgresServer = isOnServer ? serverAt(process.env.TEST_DATABASE_URL) : undefined;
  const ownServerSettings = mode === 'own-server' ? WORKER_SETTINGS : undefined;

  const inNode = (
    name: string,
    include: string[],
    settings: TestProjectInlineConfiguration['test'],
  ): TestProjectInlineConfiguration => ({
    test: { name, include, environment: 'node', provide: { postgresServer }, ...TIMEOUTS, ...settings },
  });

  /** Pure modules, or what loads releases. */
  const unit = (include: string[]) =>
    inNode('unit', include, {
      maxWorkers: AT_ONCE,
      isolate: false,
      sequence: { groupOrder: 1 },
      globalSetup: ['./test/support/postgres-template.ts'],
    });

  /** The Worker, which is asked over HTTP. */
  const api = (
    include: string[],
    { exclude = [] as string[], maxWorkers = AT_ONCE } = {},
  ): TestProjectInlineConfiguration => ({
    plugins: [
      cloudflareTest(({ inject }) => ({
        main: './src/worker.ts',
        wrangler: { configPath: './wrangler.toml' },
        // A contributor's .dev.vars is read too: whatever a test depends on is named here.
        miniflare: {
          r2Buckets: ['SNAPSHOTS'],
          bindings: {
            DATABASE_URL: inject('databaseUrl'),
            ENVIRONMENT: 'development',
            ...WORKER_SETTINGS,
          },
        },
      })),
    ],
    test: {
      name: 'api',
      include,
      exclude,
      maxWorkers,
      isolate: false,
      // A worker is kept only while the next file is of the same project, and one of these takes seconds to start.
      sequence: { groupOrder: 2 },
      globalSetup: ['./test/support/postgres-template.ts', './test/support/global-setup.ts'],
      setupFiles: ['./test/support/each-file.ts'],
      provide: { postgresServer, ownServerSettings, sessionKey: sessionKey.privateKey.export({ format: 'jwk' }) },
      ...TIMEOUTS,
    },
  });

  const modes: Record<string, () => TestProjectInlineConfiguration[]> = {
    test: () => [
      unit(['test/{unit,packages,pages,pipeline,scripts}/**/*.test.ts']),
      api(['test/{api,contract}/**/*.test.ts']),
    ],
    // They wait most of the time, so the three long files run at once. Nothing else should: an answer would be late without a fault.
    deadlines: () => [api(['test/deadlines/**/*.test.ts'], { maxWorkers: 3 })],
    // The contract is the same on every database. Those that only speak HTTP ask a server of one's own, which is on PostgreSQL too.
    postgres: () => [
      unit([...ON_A_SERVER, 'test/postgres/**/*.test.ts']),
      api(['test/api/**/*.test.ts'], { exclude: ONLY_HTTP }),
    ],
    'own-server': () => [api(ONLY_HTTP)],
    // A test loads releases, each of which is a minute of work where others work beside it.
    commands: () => [
      inNode('commands', ['test/commands/**/*.test.ts'], {
        maxWorkers: 2,
        globalSetup: ['./test/support/seeding.ts'],
        // A whole release took 152 s to load and compare on a machine of its own, and 300 s beside two other lanes.
        testTimeout: 10 * TIMEOUT_MS,
        hookTimeout: 10 * TIMEOUT_MS,
      }),
    ],
    // All of them share one server, and what one address may ask of it without a key.
    browser: () => [
      inNode('browser', ['test/browser/**/*.test.ts'], {
        fileParallelism: false,
        globalSetup: ['./test/browser/support/dev-stack.ts'],
      }),
    ],
    clients: () => [
      inNode('clients', ['test/clients/**/*.test.ts'], {
        maxWorkers: 2,
        globalSetup: ['./test/support/seeding.ts', './test/clients/service.ts'],
        testTimeout: 5 * TIMEOUT_MS,
        hookTimeout: 10 * TIMEOUT_MS,
      }),
    ],
  };
  return {
    test: {
      teardownTimeout: TIMEOUT_MS,
      sequence: { sequencer: LongestFirst },
      projects: modes[mode]?.() ?? [],
    },
  };
});
