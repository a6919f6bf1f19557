import { readHistory } from '../../scripts/pipeline/psgc/history.ts';

/** The id of the newest edition in the repository, which is loaded by default, so that tests don't name it. */
export const NEWEST = (await readHistory()).editions.at(-1)?.id as string;
