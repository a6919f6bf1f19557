import { z } from 'zod';
import { localCode } from './history.ts';
import given from './name-changes.json' with { type: 'json' };
import { isOtherName } from './spelling.ts';

/** An area as an edition names it. */
interface NamedArea {
  readonly code: string;
  readonly name: string;
}

const groupSchema = z.strictObject({
  renamed: z.boolean(),
  /** Why that is known, where it is no law. */
  note: z.string().min(10).optional(),
  /** The law of the renaming, and its source. */
  law: z.string().min(10).optional(),
  names: z.record(z.string().regex(/^\d{10}$/), z.tuple([z.string().min(1), z.string().min(1)])),
});

/** What is known of two names of an area, by the digits of its code that stay. */
const RECORDED: ReadonlyMap<string, { renamed: boolean; law?: string | undefined }> = new Map(
  z
    .array(groupSchema)
    .parse(given)
    .flatMap(({ names, ...change }) =>
      Object.entries(names).map(([code, pair]) => [keyOf(code, pair), change] as const),
    ),
);

function keyOf(code: string, names: readonly [string, string]): string {
  return [localCode(code), ...names.toSorted()].join('\n');
}

/**
 * Whether an area was renamed from one edition to another, whichever is earlier: where its name is another one, and not
 * only spelled otherwise, unless `name-changes.json` says which it is. Pure.
 */
export function isRenamed(one: NamedArea, other: NamedArea): boolean {
  if (one.name === other.name) return false;
  return recorded(one, other)?.renamed ?? isOtherName(one.name, other.name);
}

/** The law that renamed an area, and its source; null where `name-changes.json` has none. Pure. */
export function lawOfRenaming(one: NamedArea, other: NamedArea): string | null {
  return recorded(one, other)?.law ?? null;
}

function recorded(one: NamedArea, other: NamedArea) {
  return RECORDED.get(keyOf(other.code, [one.name, other.name]));
}
