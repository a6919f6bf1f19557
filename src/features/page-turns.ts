/** How many pages an instance reads at once for all its streams. */
const MAX_AT_ONCE = 4;

/** A turn is over after this time in any case, milliseconds: a request that is cancelled may never say that it is. */
const MAX_TURN_MS = 2000;

/** How often a stream looks whether it has a turn, milliseconds. */
const POLL_MS = 10;

/** When each of the turns that are taken began, milliseconds since the epoch. */
const begun = new Map<symbol, number>();

/**
 * Reads a page of a stream when it has a turn. Without turns the pages of many streams would stand together before each
 * short statement of everybody else, wherever statements are answered one after another.
 *
 * A stream looks by itself, because the platform does not let one request wake another.
 */
export async function inTurn<T>(read: () => Promise<T>): Promise<T> {
  while (!hasRoom(Date.now())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const turn = Symbol();
  begun.set(turn, Date.now());
  try {
    return await read();
  } finally {
    begun.delete(turn);
  }
}

function hasRoom(now: number): boolean {
  if (begun.size < MAX_AT_ONCE) return true;
  for (const [turn, since] of begun) if (now - since > MAX_TURN_MS) begun.delete(turn);
  return begun.size < MAX_AT_ONCE;
}
