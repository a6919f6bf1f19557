import type { Result } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { BoundedMap } from '../bounded-map.ts';

/** How many paths a router caches, and the longest of them. Callers choose paths, so both have a limit. */
const MAX_PATHS = 1000;
const MAX_PATH_LENGTH = 128;

/**
 * Hono's router for words beside parameters, such as `/search` beside `/:id`. It caches where paths lead, because the search
 * through all patterns takes as long as many an answer.
 */
export class CachingRouter<T> extends TrieRouter<T> {
  readonly #cached = new BoundedMap<string, Result<T>>(MAX_PATHS);

  override add(method: string, path: string, handler: T): void {
    this.#cached.clear();
    super.add(method, path, handler);
  }

  override match(method: string, path: string): Result<T> {
    const name = `${method} ${path}`;
    const cached = this.#cached.get(name);
    if (cached) return cached;
    const found = super.match(method, path);
    if (path.length <= MAX_PATH_LENGTH) this.#cached.set(name, found);
    return found;
  }
}
