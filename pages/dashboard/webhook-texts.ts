import type { DataOf } from '../../clients/typescript/src/types.ts';
import { moment } from '../shared/dates.ts';
import { number } from '../shared/format.ts';

type Endpoint = DataOf<'list_webhook_endpoints'>[number];

/** How an endpoint is: why the service disabled it, that its owner did, or whether its last delivery succeeded. */
export function stateOf(endpoint: Pick<Endpoint, 'enabled' | 'disabled_reason' | 'failing_since'>): string {
  const { enabled, disabled_reason: reason, failing_since: failing } = endpoint;
  if (!enabled) return reason ?? 'disabled by you';
  return failing ? `failing since ${moment(failing)}` : 'works';
}

/** What a log says below its deliveries; undefined if it shows all of them. */
export function logNote(shown: number, total: number): string | undefined {
  if (shown === 0) return 'It was told nothing in the last 30 days.';
  return total > shown ? `These are the newest ${shown} of the ${number(total)} of the last 30 days.` : undefined;
}
