export interface Progress {
  /** Shows how far the work is, 0 to 1, and what is being done. */
  update(fraction: number, label: string): void;
  /** The same, for a part of the work that spans `from` to `to` of the whole. */
  part(from: number, to: number): (fraction: number, label: string) => void;
  /** Takes the line away, so that other output starts on an empty one. */
  clear(): void;
}

const BAR_LENGTH = 24;
const STEP = 0.1;

/** A progress display: one line that is rewritten on a terminal; elsewhere a line for every tenth and for every label. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  let shown = '';
  const update = (fraction: number, label: string) => {
    const percent = `${Math.floor(fraction * 100)} %`.padStart(5);
    if (stream.isTTY) {
      const done = Math.round(fraction * BAR_LENGTH);
      const line = `[${'='.repeat(done)}${' '.repeat(BAR_LENGTH - done)}] ${percent}  ${label}`;
      stream.write(`\r\x1b[K${line.slice(0, (stream.columns || 80) - 1)}`);
      return;
    }
    const step = `${Math.floor(fraction / STEP)} ${label}`;
    if (step !== shown) stream.write(`${percent}  ${label}\n`);
    shown = step;
  };
  return {
    update,
    part: (from, to) => (fraction, label) => update(from + (to - from) * fraction, label),
    clear: () => {
      if (stream.isTTY) stream.write('\r\x1b[K');
    },
  };
}
