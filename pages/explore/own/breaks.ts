/** How numbers are divided into classes. */
export type Method = 'quantiles' | 'equal' | 'natural' | 'own' | 'categories';

interface Division {
  readonly method: Exclude<Method, 'categories'>;
  /** How many classes there may be. */
  readonly count: number;
  /** Where the classes of the method `own` part, ascending. */
  readonly breaks: readonly number[];
}

/**
 * Divides numbers into classes.
 *
 * @param sorted ascending
 * @returns the lower bound of each class, ascending: a class has the numbers from it to below the next. Equal numbers are
 * never parted, so there may be fewer classes than asked for. There are none where there are no numbers.
 */
export function lowerBounds(sorted: Float64Array, { method, count, breaks }: Division): number[] {
  if (sorted.length === 0) return [];
  if (method === 'own' && breaks.length > 0) return [-Infinity, ...breaks];
  if (method === 'equal') return equalSteps(sorted, count);
  return method === 'natural' ? naturalBreaks(sorted, count) : quantiles(sorted, count);
}

/**
 * As many numbers in each class. The classes part at the quantiles that R and NumPy have by default (R. J. Hyndman and
 * Y. Fan 1996, type 7), and begin with a number that there is.
 */
function quantiles(sorted: Float64Array, count: number): number[] {
  const starts = Array.from({ length: count }, (_, index) => {
    const position = ((sorted.length - 1) * index) / count;
    return at(sorted, Math.ceil(position));
  });
  return [...new Set(starts)];
}

/** How many digits of a computed break are kept. A double has 15. */
const DIGITS = 14;

/** As far from the beginning of each class to its end. */
function equalSteps(sorted: Float64Array, count: number): number[] {
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  if (least === most) return [least];
  // What a sum of doubles adds behind their last digits would part numbers from the break that they are on.
  const decimals = Math.max(
    0,
    Math.min(100, DIGITS - Math.ceil(Math.log10(Math.max(Math.abs(least), Math.abs(most))))),
  );
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? least : Number((least + ((most - least) * index) / count).toFixed(decimals)),
  );
}

/**
 * Classes whose numbers differ least from each other: those with the least sum of squared distances from the means of
 * their classes. Found by dynamic programming (W. D. Fisher 1958; H. Wang and M. Song 2011, doi:10.32614/RJ-2011-015), in
 * n log n steps, because the best beginning of the last class never moves back when a number is added.
 */
function naturalBreaks(sorted: Float64Array, count: number): number[] {
  const values: number[] = [];
  const weights: number[] = [];
  for (const value of sorted) {
    if (value === values.at(-1)) weights[weights.length - 1] = (weights.at(-1) ?? 0) + 1;
    else {
      values.push(value);
      weights.push(1);
    }
  }
  const size = values.length;
  if (size <= count) return values;
  // Sums of numbers around zero keep the most digits.
  const middle = values[size >> 1] ?? 0;
  const [numbers, sums, squares] = [new Float64Array(size + 1), new Float64Array(size + 1), new Float64Array(size + 1)];
  for (const [index, value] of values.entries()) {
    const [weight, distance] = [weights[index] ?? 0, value - middle];
    numbers[index + 1] = at(numbers, index) + weight;
    sums[index + 1] = at(sums, index) + weight * distance;
    squares[index + 1] = at(squares, index) + weight * distance * distance;
  }
  const spread = (from: number, to: number) => {
    const sum = at(sums, to + 1) - at(sums, from);
    return Math.max(
      0,
      at(squares, to + 1) - at(squares, from) - (sum * sum) / (at(numbers, to + 1) - at(numbers, from)),
    );
  };
  /** The least spread of the numbers up to each, in the classes so far; and where the last of these classes begins. */
  let least = Float64Array.from({ length: size }, (_, to) => spread(0, to));
  const begins: Int32Array[] = [new Int32Array(size)];
  for (let made = 1; made < count; made += 1) {
    const [next, begin] = [new Float64Array(size), new Int32Array(size)];
    const before = least;
    const fill = (low: number, high: number, [first, last]: readonly [number, number]): void => {
      if (low > high) return;
      const to = (low + high) >> 1;
      let [best, bestBegin] = [Infinity, Math.max(made, first)];
      for (let from = bestBegin; from <= Math.min(to, last); from += 1) {
        const whole = at(before, from - 1) + spread(from, to);
        if (whole < best) [best, bestBegin] = [whole, from];
      }
      next[to] = best;
      begin[to] = bestBegin;
      fill(low, to - 1, [first, bestBegin]);
      fill(to + 1, high, [bestBegin, last]);
    };
    fill(made, size - 1, [made, size - 1]);
    least = next;
    begins.push(begin);
  }
  const starts: number[] = [];
  let end = size - 1;
  for (const begin of begins.toReversed()) {
    const from = begin[end] ?? 0;
    starts.unshift(values[from] ?? 0);
    end = from - 1;
  }
  return starts;
}

function at(list: Float64Array, index: number): number {
  return list[index] ?? 0;
}
