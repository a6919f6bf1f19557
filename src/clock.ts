let last = 0;
/** How far the clock of the machine was set back in all, milliseconds. */
let setBack = 0;

/**
 * Milliseconds that go by as those of the machine's clock, but never decrease. What is to end after some time would
 * otherwise last until the old time comes again where the clock is set back. Only differences mean something.
 */
export function steadyTime(): number {
  const now = Date.now();
  if (now + setBack < last) setBack = last - now;
  last = now + setBack;
  return last;
}
