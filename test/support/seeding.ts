import { seededOnce } from './seeded.ts';

/** Before all tests and without a limit of time, which one that happened to be the first would have. */
export async function setup(): Promise<void> {
  await seededOnce();
}
