export interface Progress {
  /** Shows which share of the work is done, 0 to 1, and what is being done. */
  update(fraction: number, label: string): void;
  /** Returns an `update` for a part of the work, which spans `from` to `to` of the whole. */
  part(from: number, to: number): (fraction: number, label: string) => void;
  /** Removes the line, so that other output starts on an empty line. */
  clear(): void;
}

const BAR_LENGTH = 24;
const STEP = 0.1;

/**
 * Shows progress: on a terminal as one line that is rewritten, elsewhere as a new line for every tenth and every label.
 */
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
