/** At this size already, growth with the square is most of what work takes. */
const FIRST_SIZE = 16_000;
/** How many times larger the next size is; work whose time grows with the square then takes sixteen times as long. */
const STEP = 4;
/** A size is large enough when its work takes this long: what does not grow with the size is little beside it, ms. */
const ENOUGH_MS = 1;
/** How long work is done to see whether its size is large enough, ms. */
const PROBED_MS = 10;
/** The processor's clock moves every few milliseconds, so work is done again and again for this long, ms. */
const MEASURED_MS = 40;
const MEASUREMENTS = 3;
/** What is measured as too much is measured again, so that a disturbance is not taken for growth. */
const REPEATS = 2;
/** No disturbance is this long, so work that is needs no second measurement, ms. */
const LONG_MS = 1000;

/** Between linear growth, which is 2, and growth with the square, which is 4. */
export const CLEARLY_BELOW_SQUARE = 3;

/**
 * How many times as much time of the processor work takes when its input is twice as long: 2 where it is linear, 4 where
 * it grows with the square. A slow or busy machine gives the same as a fast one.
 *
 * @param prepare makes the work of a size; making it is not measured
 * @param most the largest size that the work can have
 */
export function growthPerDoubling(prepare: (size: number) => () => unknown, most = 1_000_000): number {
  // What runs for the first time is slower: functions and regular expressions are compiled as they are used.
  measured(prepare(FIRST_SIZE / STEP ** 2), MEASURED_MS);
  let size = FIRST_SIZE;
  while (size * STEP ** 2 <= most && measured(prepare(size), PROBED_MS) < ENOUGH_MS) size *= STEP;
  const [cost, next] = [costOf(prepare(size)), costOf(prepare(size * STEP))];
  let growth = perDoubling(next / cost);
  for (let again = 0; again < REPEATS && growth >= CLEARLY_BELOW_SQUARE && next < LONG_MS; again += 1) {
    growth = Math.min(growth, perDoubling(costOf(prepare(size * STEP)) / costOf(prepare(size))));
  }
  return growth;
}

function perDoubling(factor: number): number {
  return factor ** (1 / Math.log2(STEP));
}

/** The time of the processor that work takes, ms: the least of several measurements, since a disturbance only adds. */
function costOf(work: () => unknown): number {
  let least = Infinity;
  for (let done = 0; done < MEASUREMENTS && (done === 0 || least < LONG_MS); done += 1) {
    least = Math.min(least, measured(work, MEASURED_MS));
  }
  return least;
}

/** The time of the processor that work takes, ms, when it is done again and again until it has taken some. */
function measured(work: () => unknown, atLeastMs: number): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    const spent = (user + system) / 1000;
    if (spent >= atLeastMs) return spent / runs;
  }
}
