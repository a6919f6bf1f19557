import { sql } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Database } from '../../src/db/client.ts';
import { type Body, post } from './api.ts';
import type { Behaviour, Received } from './hook-receiver.ts';
import type { Headers } from './people.ts';
import { database } from './sql.ts';

/** A receiver of webhooks that no other test has. */
export interface Receiver {
  readonly url: string;
  /** What it has received, in order. */
  received(): Promise<Received[]>;
  /** Says how it answers from now on. */
  answer(behaviour: Behaviour): Promise<void>;
}

export function newReceiver(): Receiver {
  const url = inject('hookReceiver') + crypto.randomUUID();
  return {
    url,
    received: async () => (await fetch(url)).json(),
    answer: async (behaviour) => {
      await fetch(url, { method: 'PUT', body: JSON.stringify(behaviour) });
    },
  };
}

/** Creates an endpoint; gives its record, with its secret. */
export async function newEndpoint(owner: Headers, input: object, send = post): Promise<Body> {
  const { status, body, text } = await send(
    '/v1/webhook-endpoints',
    { events: ['dataset.processed'], ...input },
    owner,
  );
  if (status !== 200) throw new Error(`No endpoint was made: ${text}`);
  return body.data;
}

/** Lets what is still to be sent to an endpoint be due now. @param attempts those with as many attempts stay as they are */
export async function makeDue(endpointId: string, db: Database = database, attempts = 100): Promise<void> {
  await db.execute(sql`update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${endpointId}
    and next_attempt_at is not null and attempts < ${attempts}`);
}
