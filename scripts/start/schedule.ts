/** The least and the most of each field: minute, hour, day of the month, month, day of the week. */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

const MINUTE_MS = 60_000;

/**
 * Whether a cron expression of five fields names a minute, in UTC. A field is a star, numbers, ranges or steps.
 *
 * @throws Error if it is written in another way
 */
export function isDue(cron: string, at: Date): boolean {
  const now = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()];
  const fields = cron.split(' ');
  if (fields.length !== RANGES.length) throw new Error(`The schedule ${cron} must have five fields.`);
  return fields.every((field, i) => field.split(',').some((part) => includes(part, i, now[i] as number)));
}

function includes(part: string, i: number, value: number): boolean {
  const [least, most] = RANGES[i] as readonly [number, number];
  const [, star, from, to, step] = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [];
  if (star === undefined && from === undefined) throw new Error(`A schedule can't have ${part}.`);
  const first = star ? least : Number(from);
  const final = star || (step && !to) ? most : Number(to ?? from);
  return value >= first && value <= final && (value - first) % Number(step ?? 1) === 0;
}

/** Calls `run` in each minute that one of the expressions names. Returns the function that ends it. */
export function startSchedule(crons: readonly string[], run: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = () => {
    // A timer may end a moment before its time, which would be the same minute again.
    const next = (Math.floor((Date.now() + 1000) / MINUTE_MS) + 1) * MINUTE_MS;
    timer = setTimeout(() => {
      if (crons.some((cron) => isDue(cron, new Date(next)))) run();
      wait();
    }, next - Date.now());
  };
  wait();
  return () => clearTimeout(timer);
}
