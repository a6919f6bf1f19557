const QUOTE = '"';
const BACKSLASH = 92;
const COLON = 58;

/**
 * Whether an object in a JSON text has two members of the same name, of which parsing keeps one.
 *
 * @param json valid JSON
 * @param value what it was parsed to, at least its objects
 */
export function repeatsNames(json: string, value: unknown): boolean {
  return namesIn(json) !== membersOf(value);
}

/** How many names of members a JSON text has: strings before a colon. */
function namesIn(json: string): number {
  let count = 0;
  for (let at = json.indexOf(QUOTE); at >= 0; at = json.indexOf(QUOTE, at)) {
    let end = json.indexOf(QUOTE, at + 1);
    while (isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
    at = end + 1;
    let next = json.charCodeAt(at);
    while (next === 32 || next === 10 || next === 13 || next === 9) {
      at += 1;
      next = json.charCodeAt(at);
    }
    if (next === COLON) count += 1;
  }
  return count;
}

function isEscaped(json: string, quote: number): boolean {
  let at = quote;
  while (json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}

/** How many members all objects of a value have. */
function membersOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = items === value ? 0 : items.length;
  for (const item of items) if (item !== null && typeof item === 'object') count += membersOf(item);
  return count;
}
