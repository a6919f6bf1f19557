const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The expected next token. `first` and `firstName` also allow the end of the array or object. */
type Due = 'value' | 'first' | 'name' | 'firstName' | 'colon' | 'next';

/** Index of the first character at which a text is not JSON; the text's length if its end is missing. */
export function jsonFaultAt(text: string): number {
  /** Closing brackets still expected, the innermost last. */
  const closing: string[] = [];
  let due = 'value' as Due;
  for (let at = 0; ; ) {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1;
    const char = text[at] ?? '';
    const isEnd = due === 'next' || (due === 'first' && char === ']') || (due === 'firstName' && char === '}');
    if (char !== '' && isEnd && char === closing.at(-1)) {
      closing.pop();
      due = 'next';
    } else if (due === 'next' && char === ',' && closing.length > 0) due = closing.at(-1) === '}' ? 'name' : 'value';
    else if (due === 'colon' && char === ':') due = 'value';
    else if (char === '"' && due !== 'next' && due !== 'colon') {
      const end = behindString(text, at);
      if (end < 0) return ~end;
      due = due === 'name' || due === 'firstName' ? 'colon' : 'next';
      at = end;
      continue;
    } else if (due !== 'value' && due !== 'first') return at;
    else if (char === '{' || char === '[') {
      closing.push(char === '{' ? '}' : ']');
      due = char === '{' ? 'firstName' : 'first';
    } else {
      SCALAR.lastIndex = at;
      if (!SCALAR.test(text)) return at;
      at = SCALAR.lastIndex;
      due = 'next';
      continue;
    }
    at += 1;
  }
}

/** Index after the string that begins at `start`; for an invalid string the bitwise complement of the fault's index. */
function behindString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return ~at;
      at = ESCAPE.lastIndex;
    } else if (code >= 0x20) {
      at += 1;
    } else {
      // A control character, or the end of the text.
      return ~at;
    }
  }
}
