/** Lets other requests of the instance have a turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The items of long work, with a turn for others after each. */
export async function* inTurns<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  for await (const item of items) {
    yield item;
    await turn();
  }
}
