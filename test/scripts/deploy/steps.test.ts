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
    isUploaded = false,
    current = [['old', 100]],
  }: Partial<Given> = {},
) {
  const runs: Run[] = [];
  const said: string[] = [];
  const asked: string[] = [];
  const sent: Readonly<Record<string, string>>[] = [];
  const code = await deploy(args, environment, {
    git: (command) => (command === 'status' ? changed : COMMIT),
    run: async (script, scriptArgs, scriptEnvironment) => {
      runs.push({ script, args: scriptArgs, environment: scriptEnvironment });
      return script !== fails;
    },
    settings: (name) => ({
      name: `service-${name}`,
      variables: {
        ENVIRONMENT: name,
        SESSION_ISSUER: ISSUER,
        SESSION_JWKS_URL: `${ISSUER}/jwks`,
        ...variables,
      },
    }),
    read: async (readArgs) => {
      switch (readArgs.slice(0, 2).join(' ')) {
        case 'secret list':
          if (secrets === null) throw new Error('You are not signed in.');
          return secrets.map((name) => ({ name, type: 'secret_text' }));
        case 'versions list': {
          const wasUploaded = runs.some((run) => run.args.join(' ').startsWith('versions upload'));
          return isUploaded || wasUploaded ? [...OLD_VERSIONS, NEW_VERSION] : OLD_VERSIONS;
        }
        case 'deployments status':
          return { versions: current.map(([version_id, percentage]) => ({ version_id, percentage })) };
        default:
          throw new Error(readArgs.join(' '));
      }
    },
    ask: async (url, headers) => {
      asked.push(url);
      sent.push(headers);
      expect(headers.Authorization).toBe(`Bearer ${MASTER_TOKEN}`);
      const { pathname } = new URL(url);
      const { status = 200, body } = answers[pathname] ?? {};
      return { status, body: body ?? (pathname === '/version' ? { commitFull: COMMIT } : { data: [] }) };
    },
    say: (line) => said.push(line),
  });
  return { code, runs, asked, sent, scripts: runs.map(({ script }) => script), said: said.join('\n') };
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
  /** Whether an earlier run has uploaded this commit. */
  isUploaded: boolean;
  /** The versions that answer, and their shares. */
  current: [id: string, percent: number][];
}

const OLD_VERSIONS = [
  { id: 'old', metadata: { created_on: '2026-11-01T00:00:00Z' }, annotations: {} },
  { id: 'other', metadata: { created_on: '2026-11-02T00:00:00Z' }, annotations: { 'workers/tag': 'ffffffffffff' } },
];
const NEW_VERSION = {
  id: 'new',
  metadata: { created_on: '2026-11-03T00:00:00Z' },
  annotations: { 'workers/tag': '626f6951f0c4' },
};

const ISSUER = 'https://identity.example';
const ADDRESS = 'https://geo.example';

const PRODUCTION = ['--env', 'production'];

describe('npm run deploy', () => {
  it('tells the migrations how long the Worker waits, so that the database works no longer', async () => {
    const { runs } = await deployed(PRODUCTION, { variables: { REQUEST_WAIT_MS: 9000 } });
    expect(runs.map(({ environment }) => environment.REQUEST_WAIT_MS)).toEqual([
      undefined,
      undefined,
      '9000',
      undefined,
    ]);
  });

  it('checks, builds, migrates and deploys, in this order', async () => {
    const { code, scripts, said } = await deployed(PRODUCTION);
    expect(code).toBe(0);
    expect(scripts).toEqual(['scripts/check.ts', 'scripts/worker.ts', 'scripts/migrate.ts', 'wrangler']);
    expect(said).toContain('626f695 is deployed to production');
  });

  it('tells the Worker its commit and when it was built', async () => {
    const before = Date.now();
    const { runs } = await deployed(['--env', 'preview']);
    const args = runs.at(-1)?.args ?? [];
    expect(args.slice(0, 3)).toEqual(['deploy', '--env', 'preview']);
    expect(args.slice(3, 5)).toEqual(['dist/worker/worker.js', '--no-bundle']);
    expect(args).toContain(`COMMIT:${COMMIT}`);
    const [, time = ''] = /^BUILT_AT:(.+)$/.exec(args.find((arg) => arg.startsWith('BUILT_AT:')) ?? '') ?? [];
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
  });

  it('shows the database to the migrations only', async () => {
    const { runs } = await deployed(PRODUCTION);
    expect(runs.map(({ environment }) => environment.DATABASE_URL)).toEqual([
      undefined,
      undefined,
      DATABASE_URL,
      undefined,
    ]);
    expect(runs.map(({ environment }) => environment.MASTER_TOKEN)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    for (const { environment } of runs) expect(environment.HOME).toBe('/home/maria');
  });

  it.each([
    ['scripts/check.ts', ['scripts/check.ts'], 'Checks failed'],
    ['scripts/worker.ts', ['scripts/check.ts', 'scripts/worker.ts'], 'Build failed'],
    ['scripts/migrate.ts', ['scripts/check.ts', 'scripts/worker.ts', 'scripts/migrate.ts'], 'Migrations failed'],
    ['wrangler', ['scripts/check.ts', 'scripts/worker.ts', 'scripts/migrate.ts', 'wrangler'], 'Deployment failed'],
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
    [
      'the keys of sessions are nowhere',
      { variables: { SESSION_JWKS_URL: undefined } },
      'SESSION_JWKS_URL must be set, or SESSION_JWKS instead of it, and not both.',
    ],
    [
      'the secrets are not known',
      { secrets: null },
      "can't be listed. If nobody is signed in, run npx wrangler login. You are not signed in.",
    ],
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
      '/metrics',
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

  it('warns of a Worker that may alter the schema', async () => {
    const metrics = (value: number) => ({
      '/metrics': { body: `pgds_database_role_may_alter_schema ${value}\n# EOF\n` },
    });
    const told = async (value: number) => deployed([...PRODUCTION, '--to', ADDRESS], { answers: metrics(value) });
    const [may, mayNot] = [await told(1), await told(0)];
    expect([may.code, may.said.includes('Warning: The Worker connects as a role that may alter the schema.')]).toEqual([
      0,
      true,
    ]);
    expect([mayNot.code, mayNot.said.includes('Warning')]).toEqual([0, false]);
  });

  it('is told an address of https', async () => {
    const { code, runs, said } = await deployed([...PRODUCTION, '--to', 'http://geo.example']);
    expect([code, runs]).toEqual([2, []]);
    expect(said).toContain('--to must be an address of https, not http://geo.example.');
  });

  describe('with --percent', () => {
    const wrangled = (runs: readonly Run[]) =>
      runs.filter(({ script }) => script === 'wrangler').map(({ args }) => args.join(' ').replace(/ --var .*/, ''));

    it('uploads a version, which answers that share beside the version of before', async () => {
      const { code, scripts, runs, said } = await deployed([...PRODUCTION, '--percent', '10']);
      expect([code, scripts.slice(0, 3)]).toEqual([0, ['scripts/check.ts', 'scripts/worker.ts', 'scripts/migrate.ts']]);
      expect(wrangled(runs)).toEqual([
        'versions upload --env production --tag 626f6951f0c4 dist/worker/worker.js --no-bundle --minify=false',
        'versions deploy new@10 old@90 --env production --yes',
      ]);
      expect(said).toContain('626f695 is deployed to production for 10 % of the requests.');
    });

    it('uploads nothing again, and ends with routes and schedules', async () => {
      const current: [string, number][] = [
        ['new', 10],
        ['old', 90],
      ];
      const half = await deployed([...PRODUCTION, '--percent', '50'], { isUploaded: true, current });
      expect([half.scripts, wrangled(half.runs)]).toEqual([
        ['wrangler'],
        ['versions deploy new@50 old@50 --env production --yes'],
      ]);
      const all = await deployed([...PRODUCTION, '--percent', '100'], { isUploaded: true, current });
      expect(wrangled(all.runs)).toEqual([
        'versions deploy new@100 --env production --yes',
        'triggers deploy --env production',
      ]);
    });

    it('asks the new version, whichever share it has, and says how to go back', async () => {
      const answers = { '/v1/regions': { status: 500 } };
      const { code, sent, said } = await deployed([...PRODUCTION, '--percent', '0', '--to', ADDRESS], { answers });
      expect(code).toBe(1);
      expect(new Set(sent.map((headers) => headers['Cloudflare-Workers-Version-Overrides']))).toEqual(
        new Set(['service-production="new"']),
      );
      expect(said).toContain('To go back: npx wrangler versions deploy old@100 --env production --yes.');
    });

    it('deploys nothing where no other version could answer the rest', async () => {
      const { code, runs, said } = await deployed([...PRODUCTION, '--percent', '50'], {
        isUploaded: true,
        current: [['new', 100]],
      });
      expect([code, runs]).toEqual([1, []]);
      expect(said).toContain('leave out --percent');
    });

    it.each(['101', '-1', '5.5', 'half', ''])('does nothing with %s', async (percent) => {
      const { code, runs, said } = await deployed([...PRODUCTION, `--percent=${percent}`]);
      expect([code, runs]).toEqual([2, []]);
      expect(said).toContain('--percent must be a whole number from 0 to 100');
    });
  });

  it('with --dry-run builds, says the rest, and changes nothing', async () => {
    for (const percent of [[], ['--percent', '10']]) {
      const { code, runs, asked, said } = await deployed([...PRODUCTION, ...percent, '--dry-run', '--to', ADDRESS]);
      expect([code, asked]).toEqual([0, []]);
      expect(runs.map(({ script, args }) => [script, args.at(-1)])).toEqual([
        ['scripts/worker.ts', undefined],
        ['wrangler', '--dry-run'],
      ]);
      expect(said).toContain('scripts/migrate.ts');
      expect(said).toContain(
        percent.length > 0 ? 'wrangler versions deploy the-new-version@10 old@90' : 'wrangler deploy',
      );
      expect(said).not.toContain('is deployed');
    }
    expect((await deployed([...PRODUCTION, '--dry-run'], { secrets: [] })).code).toBe(1);
  });

  it('explains itself', async () => {
    const { code, runs, said } = await deployed(['--help']);
    expect([code, runs]).toEqual([0, []]);
    expect(said).toContain('npm run deploy -- --env <preview|production>');
  });
});
