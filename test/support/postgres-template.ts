import type { TestProject } from 'vitest/node';
import { dropTemplate, makeTemplate } from './database.ts';

/** Where the tests run on a server: the database that theirs are made from, until all of them have run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { postgresServer } = project.getProvidedContext();
  if (!postgresServer) return undefined;
  await makeTemplate(postgresServer);
  return () => dropTemplate(postgresServer);
}
