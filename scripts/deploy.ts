import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deploy } from './deploy/steps.ts';

// npm run deploy -- --env production: checks, migrations and deployment; each step runs only after the previous one has
// succeeded. docs/deploy.md says what must exist before.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await deploy(process.argv.slice(2), process.env, {
  git: (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim(),
  run: async (script, args, environment) => {
    const path = script === 'wrangler' ? wrangler() : join(ROOT, script);
    const child = spawn(process.execPath, [path, ...args], { cwd: ROOT, env: environment, stdio: 'inherit' });
    const [code] = await once(child, 'close');
    return code === 0;
  },
  say: (line) => console.log(line),
});

function wrangler(): string {
  // The package exports its manifest, but not its bin.
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  return join(dirname(manifest), 'bin', 'wrangler.js');
}
