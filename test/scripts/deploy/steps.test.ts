import { describe, expect, it } from 'vitest';
import { deploy } from '../../../scripts/deploy/steps.ts';

const COMMIT = '626f6951f0c4be0a9f1a1d0f2a1f6f7f6c0a8a55';
const DATABASE_URL = 'postgresql://user:password@ep-calm-sea-1.neon.tech/neondb';

const MASTER_TOKEN = 'master-token-of-production';

interface Run {
  script: string;
  args: string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** Deploys in a world where a script may fail and files may be changed; tells what was run and said. */
async function deployed(
  args: string[],
  {
    fails,
    changed = '',
    environment = { DATABASE_URL, MASTER_TOKEN, HOME: '/home/maria' },
    secrets = ['DATABASE_URL', 'MASTER_TOKEN', 'TILE_SESSION_SECRET'],
    variables = {},
    answers = {},
  }: Partial<Given> = {},
) {
  const runs: Run[] = [];
  const said: string[] = [];
  const asked: string[] = [];
  const code = await deploy(args, environment, {
    git: (command) => (command === 'status' ? changed : COMMIT),
    run: async (script, scriptArgs, scriptEnvironment) => {
      runs.push({ script, args: scriptArgs, environment: scriptEnvironment });
      return script !== fails;
    },
    variables: (name) => ({
      ENVIRONMENT: name,
      SESSION_ISSUER: ISSUER,
      SESSION_JWKS_URL: `${ISSUER}/jwks`,
      ...variables,
    }),
    secrets: async () => {
      if (secrets === null) throw new Error('You are not signed in.');
      return secrets;
    },
    ask: async (url, token) => {
      asked.push(url);
      expect(token).toBe(MASTER_TOKEN);
      const { pathname } = new URL(url);
      const { status = 200, body } = answers[pathname] ?? {};
      return { status, body: body ?? (pathname === '/version' ? { commitFull: COMMIT } : { data: [] }) };
    },
    say: (line) => said.push(line),
  });
  return { code, runs, asked, scripts: runs.map(({ script }) => script), said: said.join('\n') };
}

interface Given {
  fails: string;
  changed: string;
  environment: Record<string, string>;
  /** The names of those that are set; null where wrangler doesn't say. */
  secrets: string[] | null;
  /** Of wrangler.toml, besides those that every environment has. */
  variables: Record<string, unknown>;
  /** What the deployed version answers, by path, where it is not right. */
  answers: Record<string, { status?: number; body?: unknown }>;
}

const ISSUER = 'https://identity.example';
const ADDRESS = 'https://geo.example';

const PRODUCTION = ['--env', 'production'];

describe('npm run deploy', () => {
  it('tells the migrations how long the Worker waits, so that the database works no longer', async () => {
    const { runs } = await deployed(PRODUCTION, { variables: { REQUEST_WAIT_MS: 9000 } });
    expect(runs.map(({ environment }) => environment.REQUEST_WAIT_MS)).toEqual([undefined, '9000', undefined]);
  });

  it('checks, migrates and deploys, in this order', async () => {
    const { code, scripts, said } = await deployed(PRODUCTION);
    expect(code).toBe(0);
    expect(scripts).toEqual(['scripts/check.ts', 'scripts/migrate.ts', 'wrangler']);
    expect(said).toContain('626f695 is deployed to production');
  });

  it('tells the Worker its commit and when it was built', async () => {
    const before = Date.now();
    const { runs } = await deployed(['--env', 'preview']);
    const args = runs.at(-1)?.args ?? [];
    expect(args.slice(0, 3)).toEqual(['deploy', '--env', 'preview']);
    expect(args).toContain(`COMMIT:${COMMIT}`);
    const [, time = ''] = /^BUILT_AT:(.+)$/.exec(args.find((arg) => arg.startsWith('BUILT_AT:')) ?? '') ?? [];
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
  });

  it('shows the database to the migrations only', async () => {
    const { runs } = await deployed(PRODUCTION);
    expect(runs.map(({ environment }) => environment.DATABASE_URL)).toEqual([undefined, DATABASE_URL, undefined]);
    expect(runs.map(({ environment }) => environment.MASTER_TOKEN)).toEqual([undefined, undefined, undefined]);
    for (const { environment } of runs) expect(environment.HOME).toBe('/home/maria');
  });

  it.each([
    ['scripts/check.ts', ['scripts/check.ts'], 'Checks failed'],
    ['scripts/migrate.ts', ['scripts/check.ts', 'scripts/migrate.ts'], 'Migrations failed'],
    ['wrangler', ['scripts/check.ts', 'scripts/migrate.ts', 'wrangler'], 'Deployment failed'],
  ])('stops where %s fails', async (fails, expected, message) => {
    const { code, scripts, said } = await deployed(PRODUCTION, { fails });
    expect([code, scripts]).toEqual([1, expected]);
    expect(said).toContain(message);
    expect(said).not.toContain('is deployed');
  });

  it('says where it goes and which database it migrates before it does anything', async () => {
    const { said } = await deployed(PRODUCTION, { fails: 'scripts/check.ts' });
    expect(said).toMatch(/^626f695 goes to production, whose database is ep-calm-sea-1\.neon\.tech\/neondb\.\n/);
  });

  it('does nothing with changes that are not committed', async () => {
    const { code, runs, said } = await deployed(PRODUCTION, { changed: ' M src/app.ts' });
    expect([code, runs]).toEqual([2, []]);
    expect(said).toContain('src/app.ts');
  });

  it.each([
    ['no environment', [], undefined, '--env must be one of preview, production'],
    ['an unknown environment', ['--env', 'staging'], undefined, 'not staging'],
    ['an unknown option', ['--environment', 'production'], undefined, "'--environment'"],
    ['no database', PRODUCTION, {}, 'DATABASE_URL must be set'],
    ['a local database', PRODUCTION, { DATABASE_URL: 'postgres://a:b@127.0.0.1/c' }, 'must name a Neon database'],
  ])('does nothing with %s', async (_, args, environment, message) => {
    const { code, runs, said } = await deployed(args, environment === undefined ? {} : { environment });
    expect([code, runs]).toEqual([2, []]);
    expect(said).toContain(message);
  });

  it('needs the token of the address that it asks', async () => {
    const { code, runs, said } = await deployed([...PRODUCTION, '--to', ADDRESS], { environment: { DATABASE_URL } });
    expect([code, runs]).toEqual([2, []]);
    expect(said).toContain(`Set MASTER_TOKEN to the master token of ${ADDRESS}.`);
  });

  it('never says the password of the database', async () => {
    for (const fails of ['', 'scripts/migrate.ts']) {
      expect((await deployed(PRODUCTION, { fails })).said).not.toContain('password');
    }
  });

  it.each([
    ['a secret is missing', { secrets: ['DATABASE_URL', 'MASTER_TOKEN'] }, 'TILE_SESSION_SECRET is not set: add it'],
    ['a variable is missing', { variables: { SESSION_ISSUER: undefined } }, 'SESSION_ISSUER is not set: add it'],
    ['a variable is malformed', { variables: { ACCOUNT_RPM: 'many' } }, 'ACCOUNT_RPM must be a whole number'],
    ['the keys of sessions are nowhere', { variables: { SESSION_JWKS_URL: undefined } }, 'SESSION_JWKS_URL is not set'],
    ['the secrets are not known', { secrets: null }, "can't be listed: You are not signed in."],
  ])('does nothing where %s', async (_, given, message) => {
    const { code, runs, said } = await deployed(PRODUCTION, given);
    expect([code, runs]).toEqual([1, []]);
    expect(said).toContain(message);
    expect(said).toContain('production runs what it ran before');
  });

  it('takes any setting as a secret too', async () => {
    const secrets = ['DATABASE_URL', 'MASTER_TOKEN', 'TILE_SESSION_SECRET', 'SESSION_ISSUER', 'SESSION_JWKS'];
    const variables = { SESSION_ISSUER: undefined, SESSION_JWKS_URL: undefined };
    expect((await deployed(PRODUCTION, { secrets, variables })).code).toBe(0);
  });

  it('asks the deployed version for its parts, a list and a point', async () => {
    const { code, asked, said } = await deployed([...PRODUCTION, '--to', `${ADDRESS}/`]);
    expect([code, said.includes(`${ADDRESS} answers as it should.`)]).toEqual([0, true]);
    expect(asked.map((url) => url.slice(ADDRESS.length).split('?')[0])).toEqual([
      '/version',
      '/healthcheck/ready',
      '/v1/regions',
      '/v1/geocode/reverse',
    ]);
    expect((await deployed(PRODUCTION)).asked).toEqual([]);
  });

  it('says what does not work of it, and how to go back', async () => {
    const body = { code: 'database_unavailable', message: 'The database does not answer.' };
    const answers = { '/healthcheck/ready': { status: 503, body }, '/v1/geocode/reverse': { status: 503 } };
    const { code, said } = await deployed([...PRODUCTION, '--to', ADDRESS], { answers });
    expect(code).toBe(1);
    expect(said).toContain('/healthcheck/ready: 503, The database does not answer.\n/v1/geocode/reverse');
    expect(said).not.toContain('/v1/regions:');
    expect(said).toContain('To go back: npx wrangler rollback --env production. Migrations stay.');
  });

  it('is told an address of https', async () => {
    const { code, runs, said } = await deployed([...PRODUCTION, '--to', 'http://geo.example']);
    expect([code, runs]).toEqual([2, []]);
    expect(said).toContain('--to must be an address of https, not http://geo.example.');
  });

  it('explains itself', async () => {
    const { code, runs, said } = await deployed(['--help']);
    expect([code, runs]).toEqual([0, []]);
    expect(said).toContain('npm run deploy -- --env <preview|production>');
  });
});
