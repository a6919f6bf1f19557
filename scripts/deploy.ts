import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { unstable_readConfig as readConfig } from 'wrangler';
import { ROOT, scriptOf } from './command/root.ts';
import { deploy } from './deploy/steps.ts';

// npm run deploy -- --env production: checks, migrations and deployment; each step runs only after the previous one has
// succeeded. docs/deploy.md says what must exist before.

const WRANGLER = scriptOf('wrangler', 'bin/wrangler.js');

process.exitCode = await deploy(process.argv.slice(2), process.env, {
  git: (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim(),
  run: async (script, args, environment) => {
    const path = script === 'wrangler' ? WRANGLER : join(ROOT, script);
    const child = spawn(process.execPath, [path, ...args], { cwd: ROOT, env: environment, stdio: 'inherit' });
    const [code] = await once(child, 'close');
    return code === 0;
  },
  settings: (env) => {
    const { name = '', vars } = readConfig({ config: join(ROOT, 'wrangler.toml'), env }, { hideWarnings: true });
    return { name, variables: vars };
  },
  read: async (args, environment) => {
    const options = { cwd: ROOT, env: environment };
    const { stdout } = await promisify(execFile)(process.execPath, [WRANGLER, ...args], options).catch((error) => {
      throw new Error(/\[ERROR\] (.+)/.exec(stripVTControlCharacters(error.stderr))?.[1] ?? error.message);
    });
    return JSON.parse(stdout);
  },
  ask: async (url, headers) => {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  },
  say: (line) => console.log(line),
});

/** JSON, or the text where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
