/** How many pages an instance reads at once for all its streams. */
const MAX_CONCURRENT = 4;

/** A turn is over after this time in any case, milliseconds: a request that is cancelled may never say that it is. */
const MAX_TURN_MS = 2000;

/** How long a stream waits before it looks again whether it has a turn, milliseconds. */
const POLL_INTERVAL_MS = 10;

/** When each of the turns that are taken began, milliseconds since the epoch. */
const begun = new Map<symbol, number>();

/**
 * Reads a page of a stream when it has a turn. Without turns the pages of many streams would stand together before each
 * short statement of everybody else, wherever statements are answered one after another.
 *
 * A stream looks by itself, because the platform does not let one request wake another.
 */
export async function inTurn<T>(read: () => Promise<T>): Promise<T> {
  while (!hasRoom(Date.now())) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  const turn = Symbol();
  begun.set(turn, Date.now());
  try {
    return await read();
  } finally {
    begun.delete(turn);
  }
}

function hasRoom(now: number): boolean {
  if (begun.size < MAX_CONCURRENT) return true;
  for (const [turn, since] of begun) if (now - since > MAX_TURN_MS) begun.delete(turn);
  return begun.size < MAX_CONCURRENT;
}
