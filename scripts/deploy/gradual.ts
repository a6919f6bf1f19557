/** A version of a Worker and its share of the requests, percent. */
export interface Share {
  readonly id: string;
  readonly percent: number;
}

/** What a version is found by: wrangler takes no tag of more than 25 characters. */
export function tagOf(commit: string): string {
  return commit.slice(0, 12);
}

/** @param listed the output of `wrangler versions list --json`. Gives the newest version with the tag. */
export function versionWithTag(listed: unknown, tag: string): string | undefined {
  const versions = listed as { id: string; metadata: { created_on: string }; annotations?: Record<string, string> }[];
  return versions
    .filter(({ annotations }) => annotations?.['workers/tag'] === tag)
    .sort((a, b) => b.metadata.created_on.localeCompare(a.metadata.created_on))[0]?.id;
}

/** @param status the output of `wrangler deployments status --json` */
export function sharesOf(status: unknown): Share[] {
  const { versions } = status as { versions: { version_id: string; percentage: number }[] };
  return versions.map(({ version_id: id, percentage: percent }) => ({ id, percent }));
}

/**
 * The shares where a version gets so many percent, and the version that had most of the requests before gets the rest.
 *
 * @throws Error if there is no other version
 */
export function split(current: readonly Share[], id: string, percent: number): Share[] {
  if (percent === 100) return [{ id, percent }];
  const [other] = current.filter((share) => share.id !== id).sort((a, b) => b.percent - a.percent);
  if (!other) throw new Error('No other version is deployed that could answer the rest: leave out --percent.');
  return [
    { id, percent },
    { id: other.id, percent: 100 - percent },
  ];
}

/** The arguments of wrangler that deploy these shares. */
export function sharesCommand(shares: readonly Share[], target: string): string[] {
  return ['versions', 'deploy', ...shares.map(({ id, percent }) => `${id}@${percent}`), '--env', target, '--yes'];
}
