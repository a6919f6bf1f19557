import { parseArgs } from 'node:util';
import { settingFaults } from './settings.ts';
import { type Ask, verify } from './verify.ts';

const ENVIRONMENTS = ['preview', 'production'];

const USAGE = `Checks the settings and the source, migrates the database and deploys the Worker, in this order, and stops at the first
failure. With --to it then asks the deployed version for what must work.

  DATABASE_URL=postgresql://… npm run deploy -- --env <${ENVIRONMENTS.join('|')}> [--to <address>]

  --env         which environment of wrangler.toml
  --to          where that environment answers, as in https://geo.example; MASTER_TOKEN must be set to its token
  DATABASE_URL  the database of that environment, whose migrations are applied`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Calls of a deployment outside of this process. */
export interface Surroundings {
  /** The output of git. @throws where git fails */
  git(...args: string[]): string;
  /** Runs a script of this repository, or wrangler. Resolves to whether it succeeded. */
  run(script: string, args: string[], environment: Environment): Promise<boolean>;
  /** The variables of an environment of wrangler.toml. */
  variables(target: string): Readonly<Record<string, unknown>>;
  /** The names of the secrets that an environment has. @throws Error where wrangler does not say */
  secrets(target: string, environment: Environment): Promise<string[]>;
  /** Sends a GET request with a bearer token. @throws Error where nobody answers */
  ask(url: string, token: string): ReturnType<Ask>;
  say(line: string): void;
}

/** Runs the command. Returns its exit code: 2 where it was called wrongly, 1 where a step failed. */
export async function deploy(args: string[], environment: Environment, world: Surroundings): Promise<number> {
  const given = givenIn(args);
  if (!('target' in given)) {
    world.say(given.fault ? `${given.fault}\n\n${USAGE}` : USAGE);
    return given.fault ? 2 : 0;
  }
  const { target, to } = given;
  const { DATABASE_URL, MASTER_TOKEN: token, ...withoutSecrets } = environment;
  const tokenFault = to !== undefined && !token ? `Set MASTER_TOKEN to the master token of ${to}.` : undefined;
  const fault = databaseFault(DATABASE_URL) ?? tokenFault ?? treeFault(world);
  if (fault) {
    world.say(fault);
    return 2;
  }
  const commit = world.git('rev-parse', 'HEAD');
  world.say(`${commit.slice(0, 7)} goes to ${target}, whose database is ${placeOf(DATABASE_URL)}.`);
  let faults: string[];
  const variables = world.variables(target);
  try {
    faults = settingFaults(variables, await world.secrets(target, withoutSecrets));
  } catch (error) {
    faults = [`The secrets of ${target} can't be listed: ${(error as Error).message}`];
  }
  if (faults.length > 0) {
    world.say(`\n${faults.join('\n')}\n\n${target} runs what it ran before.`);
    return 1;
  }
  const build = ['--var', `COMMIT:${commit}`, '--var', `BUILT_AT:${new Date().toISOString()}`];
  // Only the migrations get the database with its password, because no other step needs it.
  const migrating = { ...withoutSecrets, DATABASE_URL, REQUEST_WAIT_MS: variables.REQUEST_WAIT_MS?.toString() };
  const steps = [
    { name: 'Checks', script: 'scripts/check.ts', args: [], environment: withoutSecrets },
    { name: 'Migrations', script: 'scripts/migrate.ts', args: [], environment: migrating },
    {
      name: 'Deployment',
      script: 'wrangler',
      args: ['deploy', '--env', target, ...build],
      environment: withoutSecrets,
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
  if (to === undefined) return 0;
  const broken = await verify(to, { commit, ask: (url) => world.ask(url, token ?? '') });
  if (broken.length === 0) {
    world.say(`${to} answers as it should.`);
    return 0;
  }
  const back = `npx wrangler rollback --env ${target}`;
  world.say(`${to} does not answer as it should:\n${broken.join('\n')}\n\nTo go back: ${back}. Migrations stay.`);
  return 1;
}

/** The environment to deploy to and its address, or the fault of the arguments; no fault if help was requested. */
function givenIn(args: string[]): { target: string; to: string | undefined } | { fault?: string } {
  const options = { env: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean' } } as const;
  try {
    const { values } = parseArgs({ args, options });
    if (values.help) return {};
    const to = values.to?.replace(/\/+$/, '');
    if (to !== undefined && !/^https:\/\/[^/]+$/.test(to))
      return { fault: `--to must be an address of https, not ${to}.` };
    if (values.env !== undefined && ENVIRONMENTS.includes(values.env)) return { target: values.env, to };
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
