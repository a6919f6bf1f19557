import type { Config } from '../env.ts';
import { VERSION } from '../version.ts';

export const SERVICE_NAME = 'Philippine Geographic Data Service';

/** Which build is running: its semantic version, and its commit where the build knew it. */
export function buildOf({ COMMIT, BUILT_AT, ENVIRONMENT }: Config) {
  const commit = COMMIT.slice(0, 7);
  return {
    version: VERSION,
    commit,
    commitFull: COMMIT,
    label: `${VERSION} (${commit})`,
    name: SERVICE_NAME,
    environment: ENVIRONMENT,
    ...(BUILT_AT === undefined ? {} : { builtAt: BUILT_AT }),
  };
}
