import { seededOnce } from './seeded.ts';

/** Runs before all tests: a test has a limit of time, which the first one would exceed. */
export async function setup(): Promise<void> {
  await seededOnce();
}
