/** How a command shows how far its work is. */
export interface Progress {
  /** Shows which share of the work is done, 0 to 1, and what is being done. A share above 1 is shown as 1. */
  update(fraction: number, label: string): void;
  /** Returns an `update` for a part of the work, which spans `from` to `to` of the whole. */
  part(from: number, to: number): (fraction: number, label: string) => void;
  /** Removes the line from a terminal, so that other output starts on an empty line. Elsewhere it does nothing. */
  clear(): void;
}

/** Length of the bar, characters. */
const BAR_LENGTH = 24;

/** Where there is no terminal, a line is written for every so many percent. */
const STEP_PERCENT = 10;

/**
 * Shows progress: on a terminal as one line that is rewritten, elsewhere as a new line for every tenth and every label.
 */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  let shown = '';
  const update = (fraction: number, label: string) => {
    const share = Math.min(fraction, 1);
    // 0.29 * 100 is a little less than 29.
    const percent = Math.floor(share * 100 + 1e-9);
    const text = `${`${percent} %`.padStart(5)}  ${label}`;
    if (stream.isTTY) {
      const done = Math.round(share * BAR_LENGTH);
      const line = `[${'='.repeat(done)}${' '.repeat(BAR_LENGTH - done)}] ${text}`;
      stream.write(`\r\x1b[K${line.slice(0, (stream.columns || 80) - 1)}`);
      return;
    }
    const step = `${Math.floor(percent / STEP_PERCENT)} ${label}`;
    if (step !== shown) stream.write(`${text}\n`);
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
