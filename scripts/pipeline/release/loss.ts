import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { compareEditions } from '../../../src/areas/edition-id.ts';
import { type LossRow, lossCounts, lossesInWords, lossOf, type ReleaseLoss } from '../../../src/db/release-loss.ts';
import { findActiveRelease } from './load-data.ts';

export type Loss = ReleaseLoss;

/** Finds what users would lose by activating a release; null if nothing. */
export async function findLoss(client: pg.ClientBase, releaseId: string): Promise<Loss | null> {
  const { sql, params } = new PgDialect().sqlToQuery(lossCounts(releaseId));
  const { rows } = await client.query<LossRow>(sql, params);
  return rows[0] ? lossOf(rows[0]) : null;
}

/** Explains to people why a release was not activated and what they can do. Pure. */
export function describeLoss(releaseId: string, loss: Loss): string {
  const has =
    loss.from === loss.to
      ? ''
      : loss.to === 'none'
        ? ' it has no boundaries, and'
        : ' it has boundaries for display only, and';
  return [
    `Release ${releaseId} is loaded and not activated:${has} with it users would lose`,
    ...lossesInWords(loss).map((it) => `  ${it}`),
    `that ${loss.active}, which stays active, gives them. To serve it nevertheless: npm run geo:activate -- ${releaseId} --force`,
    'To load it with detailed boundaries: npm run geo:load -- … --boundaries path/to/boundaries',
  ].join('\n');
}

/** Explains to people that a release of an older edition was not activated. Pure. */
export function describeOlder(releaseId: string, active: string): string {
  return `Release ${releaseId} is loaded and not activated: ${active}, which stays active, is of a newer edition. It answers where edition=${releaseId.replace(/-\d+$/, '')} is asked for. To serve it in place of the newer one: npm run geo:activate -- ${releaseId}`;
}

/** The id of the active release, where it is of a newer edition than another release; else null. */
export async function findNewer(client: pg.ClientBase, releaseId: string): Promise<string | null> {
  const active = (await findActiveRelease(client)) ?? '';
  // The id of a release is that of its edition, and a number.
  const editionOf = (id: string) => id.replace(/-\d+$/, '');
  return compareEditions(editionOf(active), editionOf(releaseId)) > 0 ? active : null;
}
