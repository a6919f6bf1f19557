/** Prints one table: the first column to the left, the others to the right. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, i) =>
    Math.max(...[name, ...rows.map((row) => row[i] ?? '')].map((text) => text.length)),
  );
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((text, i) => (i === 0 ? text.padEnd(widths[i] as number) : text.padStart(widths[i] as number)))
      .join('  ');
  console.log(`\n${title}\n`);
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) console.log(`  ${lineOf(row)}`);
}

/** A goal and whether it is met, as two cells. */
export function goalCells(text: string | undefined, met: boolean): [string, string] {
  return text === undefined ? ['', ''] : [text, met ? 'met' : 'not met'];
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
