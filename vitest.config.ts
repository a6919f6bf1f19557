import { generateKeyPairSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { serverAt } from './test/support/postgres-server.ts';
import { TIMEOUTS } from './test/support/timeouts.ts';

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

/** What meets deadlines, and so needs the machine for itself: it runs in the mode `deadlines` alone. */
const DEADLINES = ['test/deadlines/**/*.test.ts'];

/** What asks the Worker over HTTP. The contract is the same on every database, so it is not asked again in the mode `postgres`. */
const OVER_HTTP = ['test/api/**/*.test.ts', 'test/contract/**/*.test.ts'];

/** What runs in the mode `postgres` besides the API: everything that loads releases through SQL alone. */
const ON_A_SERVER = ['test/commands/geo-load.test.ts', 'test/commands/releases.test.ts'];

export default defineConfig(({ mode }) => {
  const postgresServer = mode === 'postgres' ? serverAt(process.env.TEST_DATABASE_URL) : undefined;
  return {
    test: {
      // Workers wait for the database most of the time, and some of their tests for deadlines.
      maxWorkers: mode === 'deadlines' ? 1 : Math.max(4, availableParallelism() - 1),
      projects: [
        {
          test: {
            name: 'unit',
            isolate: false,
            sequence: { groupOrder: 1 },
            include: postgresServer ? ON_A_SERVER : ['test/{unit,packages,pages,pipeline,scripts}/**/*.test.ts'],
            environment: 'node',
            globalSetup: ['./test/support/postgres-template.ts'],
            provide: { postgresServer },
            ...TIMEOUTS,
          },
        },
        {
          plugins: [
            cloudflareTest(({ inject }) => ({
              main: './src/worker.ts',
              wrangler: { configPath: './wrangler.toml' },
              // A contributor's .dev.vars is read too: whatever a test depends on is named here.
              miniflare: {
                r2Buckets: ['SNAPSHOTS'],
                bindings: {
                  DATABASE_URL: inject('databaseUrl'),
                  MASTER_TOKEN,
                  ENVIRONMENT: 'development',
                  // On a slow machine an answer is late and no fault. Tests of the deadline set the usual one.
                  REQUEST_WAIT_MS: '25000',
                  TILE_SESSION_SECRET,
                  SESSION_ISSUER: 'https://identity.example',
                  SESSION_JWKS,
                  IDENTITY_WEBHOOK_SECRET,
                  EMAIL_WEBHOOK_SECRET,
                },
              },
            })),
          ],
          test: {
            name: 'api',
            isolate: false,
            // A worker is kept only while the next file is of the same project, and one of these takes seconds to start.
            sequence: { groupOrder: 2 },
            include: mode === 'deadlines' ? DEADLINES : OVER_HTTP.slice(0, postgresServer ? 1 : 2),
            globalSetup: ['./test/support/postgres-template.ts', './test/support/global-setup.ts'],
            setupFiles: ['./test/support/each-file.ts'],
            provide: { postgresServer, sessionKey: sessionKey.privateKey.export({ format: 'jwk' }) },
            ...TIMEOUTS,
          },
        },
      ],
    },
  };
});
