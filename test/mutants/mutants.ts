import { transform } from 'esbuild';

/** One change of a source file that a test should notice. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole text of the changed file. */
  readonly text: string;
}

/** A comparison, if not with the present: nobody notices whether a time ends a millisecond later. */
function comparison(sign: '<' | '<=' | '>' | '>='): RegExp {
  return new RegExp(
    `(?<!\\bnow|now\\(\\)|steadyTime\\(\\)) ${sign} (?!(?:Date\\.)?now\\b|steadyTime\\(|[A-Z_]+_MS\\b)`,
    'g',
  );
}

/** What is changed within a line, and into what. */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [comparison('<'), ' <= '],
  [comparison('<='), ' < '],
  [comparison('>'), ' >= '],
  [comparison('>='), ' > '],
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bawait (?!using)/g, ''],
  [/(?<=[ (])!(?=[\w(])/g, ''],
  [/(?<=\bif )\(.*\)(?= [{\w])/g, '(false)'],
  [/(?<=\.)some(?=\()/g, 'every'],
  [/(?<=\.)every(?=\()/g, 'some'],
  [/(?<=\.)(?:filter|toSorted|trim|toLowerCase)\([^()]*\)/g, 'valueOf()'],
  [/\bthrow .*;$/g, ';'],
  [/^\s*(?:await )?[\w.#]+\(.*\);$/g, ';'],
];

/** A line without code: of a comment, an import or an export of a type. */
const NO_CODE = /^\s*(?:\*|\/\*|\/\/|import |export type )/;

/** All mutants of a file whose code differs from that of the file: changes of types and comments are none. */
export async function mutantsOf(file: string, source: string): Promise<Mutant[]> {
  const code = await compiled(source);
  const lines = source.split('\n');
  const found: Mutant[] = [];
  for (const [i, before] of lines.entries()) {
    if (NO_CODE.test(before)) continue;
    for (const [pattern, replacement] of OPERATORS) {
      for (const {
        index,
        0: { length },
      } of before.matchAll(pattern)) {
        const after = before.slice(0, index) + replacement + before.slice(index + length);
        const text = lines.with(i, after).join('\n');
        const mutated = await compiled(text).catch(() => code);
        if (mutated !== code) found.push({ file, line: i + 1, before: before.trim(), after: after.trim(), text });
      }
    }
  }
  return found;
}

async function compiled(source: string): Promise<string> {
  return (await transform(source, { loader: 'ts', logLevel: 'silent' })).code;
}

/** Some of them, the same for the same seed. */
export function sampleOf<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed;
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  return all
    .map((it) => ({ it, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ it }) => it);
}
