import { parseArgs } from 'node:util';
import { FOLDER, MAIN_MODULE } from '../command/worker-modules.ts';
import { sharesCommand, sharesOf, split, tagOf, versionWithTag } from './gradual.ts';
import { settingErrors } from './settings.ts';
import { type Ask, verify, warningsOf } from './verify.ts';

const ENVIRONMENTS = ['preview', 'production'];

const USAGE = `Checks the settings and the source, migrates the database and deploys the Worker, in this order, and stops at the first
failure. With --to it then asks the deployed version for what must work.

  DATABASE_URL=postgresql://… npm run deploy -- --env <${ENVIRONMENTS.join('|')}> [--to <address>] [--percent <0 to 100>] [--dry-run]

  --env         which environment of wrangler.toml
  --to          where that environment answers, as in https://geo.example; MASTER_TOKEN must be set to its token
  --percent     the share of requests that the new version answers; the version of before answers the rest. Run the command again
                with a larger share for the same commit: what was uploaded is not uploaded again. --percent 100 ends it
  --dry-run     checks the settings, builds the Worker, says what else would be done, and changes nothing
  DATABASE_URL  the database of that environment, whose migrations are applied`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Calls of a deployment outside of this process. */
export interface Surroundings {
  /** The output of git. @throws where git fails */
  git(...args: string[]): string;
  /** Runs a script of this repository, or wrangler. Resolves to whether it succeeded. */
  run(script: string, args: string[], environment: Environment): Promise<boolean>;
  /** The name of the Worker of an environment of wrangler.toml, and its variables. */
  settings(target: string): { readonly name: string; readonly variables: Readonly<Record<string, unknown>> };
  /** The JSON that a command of wrangler prints. @throws Error if it fails */
  read(args: string[], environment: Environment): Promise<unknown>;
  /** Sends a GET request. The body is JSON, or text. @throws Error if nobody answers */
  ask(url: string, headers: Readonly<Record<string, string>>): ReturnType<Ask>;
  say(line: string): void;
}

/** What a deployment works with. */
interface Deployment {
  readonly target: string;
  readonly commit: string;
  /** The environment of steps, without secrets. */
  readonly environment: Environment;
  /** That of the migrations: only they get the database with its password, because no other step needs it. */
  readonly migrating: Environment;
  readonly percent: number | undefined;
  readonly isDry: boolean;
  readonly world: Surroundings;
}

/** Runs the command. Returns its exit code: 2 where it was called wrongly, 1 where a step failed. */
export async function deploy(args: string[], environment: Environment, world: Surroundings): Promise<number> {
  const given = givenIn(args);
  if (!('target' in given)) {
    world.say(given.fault ? `${given.fault}\n\n${USAGE}` : USAGE);
    return given.fault ? 2 : 0;
  }
  const { target, to, percent, isDry } = given;
  const { DATABASE_URL, MASTER_TOKEN: token, ...withoutSecrets } = environment;
  const tokenFault = to !== undefined && !token ? `Set MASTER_TOKEN to the master token of ${to}.` : undefined;
  const fault = databaseFault(DATABASE_URL) ?? tokenFault ?? treeFault(world);
  if (fault) {
    world.say(fault);
    return 2;
  }
  const commit = world.git('rev-parse', 'HEAD');
  world.say(`${commit.slice(0, 7)} goes to ${target}, whose database is ${hostOf(DATABASE_URL)}.`);
  const { name, variables } = world.settings(target);
  const migrating = { ...withoutSecrets, DATABASE_URL, REQUEST_WAIT_MS: variables.REQUEST_WAIT_MS?.toString() };
  const deployment = { target, commit, environment: withoutSecrets, migrating, percent, isDry, world };
  let version: Deployed;
  try {
    await requireSettings(deployment, variables);
    version = await (percent === undefined ? deployAtOnce(deployment) : deployGradually(deployment, percent));
  } catch (error) {
    world.say(`\n${(error as Error).message}\n\n${target} runs what it ran before.`);
    return 1;
  }
  if (isDry) return 0;
  const share = percent === undefined ? '' : ` for ${percent} % of the requests`;
  world.say(`\n${commit.slice(0, 7)} is deployed to ${target}${share}.`);
  if (to === undefined) return 0;
  // Else another version may answer: https://developers.cloudflare.com/workers/versions-and-deployments/version-overrides/
  const pinned = version.id === undefined ? {} : { 'Cloudflare-Workers-Version-Overrides': `${name}="${version.id}"` };
  const ask: Ask = (url) => world.ask(url, { Authorization: `Bearer ${token}`, ...pinned });
  const broken = await verify(to, { commit, ask });
  if (broken.length === 0) {
    world.say(`${to} answers as it should.`);
    for (const warning of await warningsOf(to, ask)) world.say(`\nWarning: ${warning}`);
    return 0;
  }
  world.say(
    `${to} does not answer as it should:\n${broken.join('\n')}\n\nTo go back: ${version.back}. Migrations stay.`,
  );
  return 1;
}

/** What was deployed. */
interface Deployed {
  /** The version, where others answer too. */
  readonly id?: string;
  /** The command that makes the version of before answer again. */
  readonly back: string;
}

/** @throws Error with what is missing or wrong */
async function requireSettings(
  { target, environment, world }: Deployment,
  variables: Readonly<Record<string, unknown>>,
): Promise<void> {
  const secrets = await world
    .read(['secret', 'list', '--env', target, '--format', 'json'], environment)
    .catch((error: Error) => {
      throw new Error(
        `The secrets of ${target} can't be listed. If nobody is signed in, run npx wrangler login. ${error.message}`,
      );
    });
  const names = (secrets as { name: string }[]).map(({ name }) => name);
  const errors = settingErrors(variables, names);
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

/** Checks, migrates, and deploys the new version for all requests. @throws Error if a step fails */
async function deployAtOnce(deployment: Deployment): Promise<Deployed> {
  const { target } = deployment;
  await prepare(deployment);
  const args = ['deploy', '--env', target, ...buildOf(deployment)];
  await step(deployment, 'Deployment', { args, whenDry: ['--dry-run'] });
  return { back: `npx wrangler rollback --env ${target}` };
}

/** Checks, migrates and uploads a version, unless that is done, and gives it a share of the requests. */
async function deployGradually(deployment: Deployment, percent: number): Promise<Deployed> {
  const { target, commit, environment, isDry, world } = deployment;
  const tag = tagOf(commit);
  const find = async () =>
    versionWithTag(await world.read(['versions', 'list', '--env', target, '--json'], environment), tag);
  const uploaded = await find();
  if (uploaded) {
    world.say(`It is uploaded as ${uploaded}.`);
  } else {
    await prepare(deployment);
    const args = ['versions', 'upload', '--env', target, '--tag', tag, ...buildOf(deployment)];
    await step(deployment, 'Upload', { args, whenDry: ['--dry-run'] });
  }
  const id = uploaded ?? (isDry ? 'the-new-version' : await find());
  if (id === undefined) throw new Error(`The uploaded version has no tag ${tag}.`);
  const current = sharesOf(await world.read(['deployments', 'status', '--env', target, '--json'], environment));
  const shares = split(current, id, percent);
  await step(deployment, 'Deployment', { args: sharesCommand(shares, target) });
  // Routes and schedules are of no version.
  const triggers = ['triggers', 'deploy', '--env', target];
  if (percent === 100) {
    await step(deployment, 'Routes and schedules', { args: triggers }).catch((error: Error) =>
      world.say(`${error.message} The version answers. Run npx wrangler ${triggers.join(' ')}.`),
    );
  }
  const [before] = current.filter((share) => share.id !== id);
  const back = before ? sharesCommand([{ id: before.id, percent: 100 }], target) : ['rollback', '--env', target];
  return { id, back: `npx wrangler ${back.join(' ')}` };
}

async function prepare(deployment: Deployment): Promise<void> {
  await step(deployment, 'Checks', { script: 'scripts/check.ts' });
  await step(deployment, 'Build', { script: 'scripts/worker.ts', whenDry: [] });
  await step(deployment, 'Migrations', { script: 'scripts/migrate.ts', environment: deployment.migrating });
}

/** What is uploaded, as it was built, and the variables that tell the Worker about it. */
function buildOf({ commit }: Deployment): string[] {
  const modules = [`${FOLDER}/${MAIN_MODULE}`, '--no-bundle', '--minify=false'];
  return [...modules, '--var', `COMMIT:${commit}`, '--var', `BUILT_AT:${new Date().toISOString()}`];
}

interface Step {
  /** wrangler where it is left out. */
  readonly script?: string;
  readonly args?: string[];
  readonly environment?: Environment;
  /** The further arguments with which it changes nothing. Without them a dry run only says the step. */
  readonly whenDry?: string[];
}

/** Runs a step; a dry run says it, and runs what changes nothing. @throws Error if it fails */
async function step(deployment: Deployment, name: string, { script = 'wrangler', ...given }: Step): Promise<void> {
  const { target, commit, isDry, world } = deployment;
  const { args = [], environment = deployment.environment, whenDry } = given;
  world.say(`\n${name} (${target}, ${commit.slice(0, 7)})`);
  if (isDry) world.say(`  ${[script, ...args].join(' ')}`);
  const asked = isDry ? whenDry && [...args, ...whenDry] : args;
  if (asked && !(await world.run(script, asked, environment))) throw new Error(`${name} failed.`);
}

interface DeployOptions {
  readonly target: string;
  readonly to: string | undefined;
  readonly percent: number | undefined;
  readonly isDry: boolean;
}

/** What is to be deployed, or the fault of the arguments; no fault if help was requested. */
function givenIn(args: string[]): DeployOptions | { fault?: string } {
  const options = {
    env: { type: 'string' },
    to: { type: 'string' },
    percent: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    help: { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ args, options });
    if (values.help) return {};
    const to = values.to?.replace(/\/+$/, '');
    if (to !== undefined && !/^https:\/\/[^/]+$/.test(to))
      return { fault: `--to must be an address of https, not ${to}.` };
    if (values.percent !== undefined && !/^(100|\d{1,2})$/.test(values.percent))
      return { fault: `--percent must be a whole number from 0 to 100, not ${values.percent}.` };
    const percent = values.percent === undefined ? undefined : Number(values.percent);
    if (values.env !== undefined && ENVIRONMENTS.includes(values.env))
      return { target: values.env, to, percent, isDry: values['dry-run'] };
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
function hostOf(url = ''): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname}`;
}

/** Why this checkout can't be deployed: it differs from its commit. */
function treeFault({ git }: Surroundings): string | undefined {
  const changed = git('status', '--porcelain');
  return changed ? `There are changes that are not committed:\n${changed}\nCommit or stash them first.` : undefined;
}
