import { inject } from 'vitest';

/** The bytes of files that the global setup offers. */
export async function filesOf<Name extends string>(
  names: readonly Name[],
): Promise<Record<Name, Uint8Array<ArrayBuffer>>> {
  const entries = names.map(async (name) => {
    const answer = await fetch(inject('files') + name);
    if (!answer.ok) throw new Error(`There is no file ${name}`);
    return [name, new Uint8Array(await answer.arrayBuffer())] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, Uint8Array<ArrayBuffer>>;
}
