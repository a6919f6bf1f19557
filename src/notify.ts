import type { ServiceContext } from './context.ts';
import { logFailure } from './log.ts';
import { callCounter } from './rate-limits/counter.ts';

/** The name of the object that sends notifications, and of no counter. */
const NAME = 'notifications';

/** Lets what was written for endpoints of accounts be sent after the answer. Where that fails, the job of the night does it. */
export function sendNotifications({ waitUntil, afterAnswer }: ServiceContext): void {
  waitUntil(wakeSender(afterAnswer).catch((error) => logFailure('notifications_not_sent', error, {})));
}

/** Wakes the object that sends what is due and sleeps until more is. @throws Error if it does not answer */
export function wakeSender(ctx: Pick<ServiceContext, 'meters' | 'deadline'>): Promise<void> {
  return callCounter(ctx, NAME, async (sender) => sender.sendNotifications());
}
