import list from '../../data/psgc/editions.csv?raw';

/** The id of the newest edition in the repository, which is loaded by default, so that tests don't name it. */
export const NEWEST = list.trimEnd().split('\n').at(-1)?.split(',')[0] as string;
