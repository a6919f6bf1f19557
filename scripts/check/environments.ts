import { fileURLToPath } from 'node:url';
import { unstable_readConfig as readConfig } from 'wrangler';
import { findFaults } from '../deploy/environments.ts';

// Fails when an environment of wrangler.toml lacks a variable or a binding of the local server, has a binding more than
// the local server, would not upload the modules of the Worker, or shares a bucket with another environment.

const config = fileURLToPath(new URL('../../wrangler.toml', import.meta.url));
const local = readConfig({ config }, { hideWarnings: true });
const environments = ['preview', 'production'].map((env) => ({
  name: env,
  config: readConfig({ config, env }, { hideWarnings: true }),
}));

const faults = findFaults(local, environments);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
