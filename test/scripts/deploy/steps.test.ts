import { describe, expect, it } from 'vitest';
import { deploy } from '../../../scripts/deploy/steps.ts';

const COMMIT = '626f6951f0c4be0a9f1a1d0f2a1f6f7f6c0a8a55';
const DATABASE_URL = 'postgresql://user:password@ep-calm-sea-1.neon.tech/neondb';

interface Run {
  script: string;
  args: string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** Deploys in a world where a script may fail and files may be changed; tells what was run and said. */
async function deployed(
  args: string[],
  { fails, changed = '', environment = { DATABASE_URL, HOME: '/home/maria' } }: Partial<Given> = {},
) {
  const runs: Run[] = [];
  const said: string[] = [];
  const code = await deploy(args, environment, {
    git: (command) => (command === 'status' ? changed : COMMIT),
    run: async (script, scriptArgs, scriptEnvironment) => {
      runs.push({ script, args: scriptArgs, environment: scriptEnvironment });
      return script !== fails;
    },
    say: (line) => said.push(line),
  });
  return { code, runs, scripts: runs.map(({ script }) => script), said: said.join('\n') };
}

interface Given {
  fails: string;
  changed: string;
  environment: Record<string, string>;
}

const PRODUCTION = ['--env', 'production'];

describe('npm run deploy', () => {
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

  it('never says the password of the database', async () => {
    for (const fails of ['', 'scripts/migrate.ts']) {
      expect((await deployed(PRODUCTION, { fails })).said).not.toContain('password');
    }
  });

  it('explains itself', async () => {
    const { code, runs, said } = await deployed(['--help']);
    expect([code, runs]).toEqual([0, []]);
    expect(said).toContain('npm run deploy -- --env <preview|production>');
  });
});
