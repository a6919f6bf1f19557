import type { Terms } from '../areas/snapshot/layout.ts';
import type { DataSource } from '../db/columns.ts';

/** The terms of a part of a release; null if it has no source. */
export function termsOf(sources: readonly DataSource[], part: DataSource['part']): Terms | null {
  const own = sources.filter((source) => source.part === part);
  if (own.length === 0) return null;
  const joined = (member: keyof Terms) => [...new Set(own.map((source) => source[member]))].join('; ');
  return { licence: joined('licence'), attribution: joined('attribution') };
}

/** Several terms as one. */
export function joinedTerms(all: readonly (Terms | null)[]): Terms {
  const joined = (member: keyof Terms) => all.flatMap((terms) => terms?.[member] ?? []).join('; ');
  return { licence: joined('licence'), attribution: joined('attribution') };
}
