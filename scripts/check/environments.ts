import { fileURLToPath } from 'node:url';
import { unstable_readConfig as readConfig } from 'wrangler';
import { differences } from '../deploy/environments.ts';

// Fails when an environment of wrangler.toml lacks a variable or binding that the local server has, has one more, or
// shares with another what each must have for itself.

const config = fileURLToPath(new URL('../../wrangler.toml', import.meta.url));
const local = readConfig({ config }, { hideWarnings: true });
const environments = ['preview', 'production'].map((env) => ({
  name: env,
  config: readConfig({ config, env }, { hideWarnings: true }),
}));

const faults = differences(local, environments);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
