import { parseArgs } from 'node:util';

const ENVIRONMENTS = ['preview', 'production'];

const USAGE = `Checks the source, migrates the database and deploys the Worker, in this order, and stops at the first failure.

  DATABASE_URL=postgresql://… npm run deploy -- --env <${ENVIRONMENTS.join('|')}>

  --env         which environment of wrangler.toml
  DATABASE_URL  the database of that environment, whose migrations are applied`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Calls of a deployment outside of this process. */
export interface Surroundings {
  /** The output of git. @throws where git fails */
  git(...args: string[]): string;
  /** Runs a script of this repository, or wrangler. Resolves to whether it succeeded. */
  run(script: string, args: string[], environment: Environment): Promise<boolean>;
  say(line: string): void;
}

/** Runs the command. Returns its exit code: 2 where it was called wrongly, 1 where a step failed. */
export async function deploy(args: string[], environment: Environment, world: Surroundings): Promise<number> {
  const target = targetIn(args);
  if (typeof target !== 'string') {
    world.say(target.fault ? `${target.fault}\n\n${USAGE}` : USAGE);
    return target.fault ? 2 : 0;
  }
  const fault = databaseFault(environment.DATABASE_URL) ?? treeFault(world);
  if (fault) {
    world.say(fault);
    return 2;
  }
  const commit = world.git('rev-parse', 'HEAD');
  world.say(`${commit.slice(0, 7)} goes to ${target}, whose database is ${placeOf(environment.DATABASE_URL)}.`);
  const { DATABASE_URL: _, ...withoutDatabase } = environment;
  const build = ['--var', `COMMIT:${commit}`, '--var', `BUILT_AT:${new Date().toISOString()}`];
  // Only the migrations get the database with its password, because no other step needs it.
  const steps = [
    { name: 'Checks', script: 'scripts/check.ts', args: [], environment: withoutDatabase },
    { name: 'Migrations', script: 'scripts/migrate.ts', args: [], environment },
    {
      name: 'Deployment',
      script: 'wrangler',
      args: ['deploy', '--env', target, ...build],
      environment: withoutDatabase,
    },
  ];
  for (const step of steps) {
    world.say(`\n${step.name} (${target}, ${commit.slice(0, 7)})`);
    if (!(await world.run(step.script, step.args, step.environment))) {
      world.say(`\n${step.name} failed. ${target} runs what it ran before.`);
      return 1;
    }
  }
  world.say(`\n${commit.slice(0, 7)} is deployed to ${target}.`);
  return 0;
}

/** The environment to deploy to, or the fault of the arguments; no fault if help was requested. */
function targetIn(args: string[]): string | { fault?: string } {
  try {
    const { values } = parseArgs({ args, options: { env: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help) return {};
    if (values.env !== undefined && ENVIRONMENTS.includes(values.env)) return values.env;
    return { fault: `--env must be one of ${ENVIRONMENTS.join(', ')}${values.env ? `, not ${values.env}` : ''}.` };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** Why a deployed Worker can't use this connection string. It can connect to Neon only. */
function databaseFault(url: string | undefined): string | undefined {
  if (!url) return `DATABASE_URL must be set.\n\n${USAGE}`;
  if (URL.canParse(url) && new URL(url).hostname.endsWith('.neon.tech')) return undefined;
  return 'DATABASE_URL must name a Neon database, such as postgresql://user:password@ep-….neon.tech/neondb.';
}

/** Host and name of a database, without secrets, so that a person can see whether it is the right one. */
function placeOf(url = ''): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname}`;
}

/** Why this checkout can't be deployed: it differs from its commit. */
function treeFault({ git }: Surroundings): string | undefined {
  const changed = git('status', '--porcelain');
  return changed ? `There are changes that are not committed:\n${changed}\nCommit or stash them first.` : undefined;
}
