/** What a pattern of LIKE has between its percent signs: runs of text, and null for each single character of any kind. */
type Segment = readonly (string | null)[];

const BACKSLASH = '\\';

/**
 * The segments of a pattern of LIKE. A backslash stands before a character that is meant as it is.
 *
 * @returns undefined where nothing follows a backslash
 */
export function segmentsOf(pattern: string): Segment[] | undefined {
  const segments: (string | null)[][] = [[]];
  let run = '';
  const endRun = () => {
    if (run !== '') segments.at(-1)?.push(run);
    run = '';
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '%') {
      endRun();
      segments.push([]);
    } else if (char === '_') {
      endRun();
      segments.at(-1)?.push(null);
    } else {
      if (char === BACKSLASH) at += 1;
      if (at === pattern.length) return undefined;
      run += pattern[at];
    }
  }
  endRun();
  return segments;
}

/**
 * Whether a text as a whole matches a pattern. Each segment is searched from the left, once, and never again: a match that
 * begins further left leaves more to those behind it.
 */
export function matcherOf([first = [], ...middle]: readonly Segment[]): (text: string) => boolean {
  const last = middle.pop();
  if (!last) return (text) => endAt(text, first, 0) === text.length;
  const backwards = last.toReversed();
  return (text) => {
    let from = endAt(text, first, 0);
    for (const segment of middle) {
      if (from === -1) return false;
      from = endAfter(text, segment, from);
    }
    if (from === -1) return false;
    // The last segment stands at the end, so its place is known by its length.
    let at = text.length;
    for (const part of backwards) at = part === null ? before(text, at) : at - part.length;
    return at >= from && endAt(text, last, at) === text.length;
  };
}

/** Where a segment ends that begins at an index; -1 where the text has something else there. */
function endAt(text: string, segment: Segment, start: number): number {
  let at = start;
  for (const part of segment) {
    if (part === null ? at >= text.length : !text.startsWith(part, at)) return -1;
    at += part === null ? ((text.codePointAt(at) as number) > 0xffff ? 2 : 1) : part.length;
  }
  return at;
}

/** Where the first of a segment ends that begins at an index or behind it; -1 where there is none. */
function endAfter(text: string, segment: Segment, start: number): number {
  const [first] = segment;
  for (let at = start; at <= text.length; ) {
    if (typeof first === 'string') at = text.indexOf(first, at);
    if (at === -1) return -1;
    const end = endAt(text, segment, at);
    if (end !== -1) return end;
    at += at < text.length && (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  }
  return -1;
}

/** The index of the character before an index; negative where there is none. */
function before(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  const isPair = at >= 2 && low >= 0xdc00 && low <= 0xdfff;
  return at - (isPair ? 2 : 1);
}
