import { type Endpoint, endpointOf } from '../pipeline/service.ts';
import { findRunning } from './running.ts';

/** A part of the usage texts of all commands that call `findService`. */
export const WHICH_SERVICE = `the service that answers from this database, as in https://geo.example; MASTER_TOKEN must be set to its
             token. Without it: the one that \`npm run dev\` runs on this database, where it runs`;

/**
 * The service that answers from the database which the environment names: the one at a URL, or the one that
 * `npm run dev` runs on that database. Undefined where there is no URL and no such service runs.
 *
 * @throws Error if the token of the service is not known
 */
export async function findService(to: string | undefined): Promise<Endpoint | undefined> {
  const running = await findRunning();
  const given = process.env.DATABASE_URL;
  const isOfThisDatabase = running !== undefined && (!given || given === running.databaseUrl);
  return to === undefined && !isOfThisDatabase ? undefined : endpointOf(to, running);
}
