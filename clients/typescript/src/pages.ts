import type { components } from './openapi.ts';

/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Where the page stands in its list. `notices` say why it is empty, where a parent does not exist or no longer does. */
  readonly meta: components['schemas']['PaginationMeta'] & { readonly notices?: readonly Notice[] };
}

/** Why a list is empty. */
export interface Notice {
  readonly code: string;
  readonly parameter: string;
  readonly message: string;
  readonly successors: readonly { readonly code: string; readonly href: string }[];
}

/**
 * A list that is read page by page, as far as it is gone through:
 * `for await (const item of list)`, `await list.all()`, `for await (const page of list.pages())`.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #read: (page: number) => Promise<Page<T>>;

  constructor(read: (page: number) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** A list that is always empty and sends no request. */
  static ofNothing<T>(): Pages<T> {
    const meta = { total: 0, page: 1, limit: 0, totalPages: 0, next: null, prev: null };
    const links = { self: '', next: null, prev: null };
    return new Pages(async (page) => ({ data: [], meta: { ...meta, page, links } }));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** All items, in their order. */
  all(): Promise<T[]> {
    return allOf(this);
  }

  /** One page, from 1. */
  page(number = 1): Promise<Page<T>> {
    return this.#read(number);
  }

  /** The pages, from the first. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for (let number: number | null = 1; number !== null; ) {
      const page: Page<T> = await this.#read(number);
      yield page;
      number = page.meta.next;
    }
  }
}

/** All items of an async iterable. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
