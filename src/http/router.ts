import type { Result } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { BoundedMap } from '../bounded-map.ts';

/** Paths that a router remembers, and the longest of them. Callers choose paths, so there is an end to it. */
const MAX_PATHS = 1000;
const LONGEST_PATH = 128;

/**
 * Hono's router for words beside parameters, such as `/search` beside `/:id`. It remembers where paths lead, because the
 * search through all patterns takes as long as many an answer.
 */
export class RememberingRouter<T> extends TrieRouter<T> {
  readonly #known = new BoundedMap<string, Result<T>>(MAX_PATHS);

  override add(method: string, path: string, handler: T): void {
    this.#known.clear();
    super.add(method, path, handler);
  }

  override match(method: string, path: string): Result<T> {
    const name = `${method} ${path}`;
    const known = this.#known.get(name);
    if (known) return known;
    const found = super.match(method, path);
    if (path.length <= LONGEST_PATH) this.#known.set(name, found);
    return found;
  }
}
