import type { TestProject } from 'vitest/node';
import { dropTemplate, makeTemplate } from './database.ts';

/** In the mode `postgres`: creates the database that those of the tests are copied from, and drops it in the end. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { postgresServer } = project.getProvidedContext();
  if (!postgresServer) return undefined;
  await makeTemplate(postgresServer);
  return () => dropTemplate(postgresServer);
}
