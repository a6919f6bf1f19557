export async function buildPoints(
  areas: AsyncIterable<unknown>,
): Promise<{ cells: { cell: number; offset: number; length: number }[]; bytes: Uint8Array }> {
  for await (const _ of areas);
  return { cells: [], bytes: new Uint8Array(0) };
}
