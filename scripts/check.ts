import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './command/root.ts';

// npm run check: all static checks of the source.

const MAX_CONCURRENT = 2;

interface Check {
  name: string;
  /** The arguments to Node. */
  args: string[];
  /** Whether its output is shown when it passes. */
  talks?: boolean;
}

const CHECKS: Check[] = [
  { name: 'types of the Worker', args: [command('tsc'), '-p', 'tsconfig.json'] },
  { name: 'types of scripts', args: [command('tsc'), '-p', 'scripts/tsconfig.json'] },
  { name: 'types of tests', args: [command('tsc'), '-p', 'test/tsconfig.json'] },
  { name: 'types of pages', args: [command('tsc'), '-p', 'pages/tsconfig.json'] },
  { name: 'types of browser tests', args: [command('tsc'), '-p', 'test/browser/tsconfig.json'] },
  { name: 'types of the client', args: [command('tsc'), '-p', 'clients/typescript/tsconfig.json'] },
  { name: 'types of the command', args: [command('tsc'), '-p', 'clients/typescript/command/tsconfig.json'] },
  { name: 'layers', args: ['scripts/check/layers.ts'] },
  { name: 'regular expressions', args: ['scripts/check/regular-expressions.ts'] },
  { name: 'lint and format', args: [command('biome'), 'ci', '--colors=off', '.'] },
  { name: 'dead code', args: [command('knip'), '--no-progress'] },
  // No file of variables is read, so that a contributor's own .dev.vars makes no difference.
  {
    name: 'types of bindings',
    args: [command('wrangler'), 'types', '--include-runtime=false', '--envFile=none', '--check'],
  },
  { name: 'lock file', args: ['scripts/check/lock-file.ts'] },
  { name: 'environments', args: ['scripts/check/environments.ts'] },
  { name: 'migrations in step', args: ['scripts/check/migrations.ts'] },
  { name: 'migration history', args: [command('drizzle-kit'), 'check'] },
  { name: 'OpenAPI document', args: ['scripts/check/document.ts'] },
  { name: 'bundle', args: ['scripts/check/bundle.ts'], talks: true },
];

const ENVIRONMENT = {
  ...process.env,
  CI: 'true',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};

/** Path of the script of a package's command. This Node runs it, and not the first one in PATH. */
function command(name: string): string {
  return join(ROOT, 'node_modules', '.bin', name);
}

/** Runs one check and prints the result. Returns whether it passed. */
async function run({ name, args, talks }: Check): Promise<boolean> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  const passed = code === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
  console.log(`${passed ? 'PASS' : 'FAIL'} ${seconds} s  ${name}`);
  if (!passed || talks) console.log(stripVTControlCharacters(output).trimEnd().replace(/^/gm, '    '));
  return passed;
}

const waiting = [...CHECKS];
const failed: string[] = [];
async function runWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (!(await run(next))) failed.push(next.name);
  }
}
await Promise.all(Array.from({ length: MAX_CONCURRENT }, runWaiting));

if (failed.length > 0) {
  console.log(`\n${failed.length} of ${CHECKS.length} failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
