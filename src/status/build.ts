import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../env.ts';

export const SERVICE_NAME = 'Philippine Geographic Data Service';

/** What is running: semantic version, and the commit where the build was told it. */
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
