/** Lets other requests of the instance have a turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The items of long work, with a turn for others after so many of them. A turn takes a millisecond or more. */
export async function* inTurns<T>(items: Iterable<T>, each = 1): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % each === 0) await turn();
  }
}
