import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../env.ts';

export const SERVICE_NAME = 'Philippine Geographic Data Service';

/** Which build is running: its semantic version, and its commit where the build knew it. */
export function buildOf({ COMMIT, BUILT_AT, ENVIRONMENT }: Config) {
  const commit = COMMIT.slice(0, 7);
  return {
    version: manifest.version,
    commit,
    commitFull: COMMIT,
    label: `${manifest.version} (${commit})`,
    name: SERVICE_NAME,
    environment: ENVIRONMENT,
    ...(BUILT_AT === undefined ? {} : { builtAt: BUILT_AT }),
  };
}
