// Texts on which a regular expression may be slow. Each repeats what a repeating part (`*`, `+`, `{32,}`) can match.

/** A part of a pattern: what it can match in a few ways, the shortest first. `repeats` are the parts in it that repeat. */
interface Part {
  readonly samples: readonly string[];
  readonly repeats: readonly Repeat[];
}

/** A part that repeats without end: what must stand before it, and what it can repeat. */
interface Repeat {
  readonly before: string;
  readonly samples: readonly string[];
}

/** A text to repeat, and the text that must stand before the repeats. */
export interface Pump {
  readonly before: string;
  readonly repeated: string;
}

const EMPTY: Part = { samples: [''], repeats: [] };

/** How many times a part may be asked to repeat before it counts as endless. */
const MIN_REPEATS = 32;
const SAMPLES = 8;

/** What classes are tried with, after the characters that the pattern itself has. */
const CHARACTERS = [
  ...'a0 \n',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ...'\t\r\0\x7féñ’\u0301\u200b\u2028\ud800\uffff¹Ã»',
];

/** The texts to repeat that the parts of a regular expression suggest. */
export function pumpsOf({ source, flags }: RegExp): Pump[] {
  const { repeats } = new Parser(source, flags).alternatives();
  const pumps = repeats.flatMap(({ before, samples }) =>
    samples.flatMap((first) => [
      { before, repeated: first },
      // A search begins anew behind every place where it failed.
      { before: '', repeated: before + first },
      ...samples.slice(0, 4).map((second) => ({ before, repeated: first + second })),
    ]),
  );
  return [...new Map(pumps.map((pump) => [JSON.stringify(pump), pump])).values()];
}

class Parser {
  readonly #source: string;
  readonly #flags: string;
  readonly #characters: readonly string[];
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gy]/g, '');
    this.#characters = [...new Set([...source, ...CHARACTERS])];
  }

  alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#taken('|')) parts.push(this.#sequence());
    return { samples: few(parts.flatMap(({ samples }) => samples)), repeats: parts.flatMap(({ repeats }) => repeats) };
  }

  #sequence(): Part {
    let samples: readonly string[] = [''];
    const repeats: Repeat[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] as string)) {
      const before = samples[0] as string;
      const part = this.#repeated();
      repeats.push(...part.repeats.map((it) => ({ ...it, before: before + it.before })));
      samples = joined(samples, part.samples);
    }
    return { samples, repeats };
  }

  #repeated(): Part {
    const part = this.#atom();
    const [all = '', min, comma, max] = this.#match(/^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/) ?? [];
    if (all === '') return part;
    const least = all[0] === '+' ? 1 : Number(min ?? 0);
    const most = all[0] === '?' ? 1 : Number(max || (comma === '' ? min : Infinity));
    const shortest = part.samples[0] as string;
    const some = least === 0 ? ['', ...part.samples] : part.samples.map((it) => it + shortest.repeat(least - 1));
    const filled = part.samples.filter((it) => it !== '');
    const own = most >= MIN_REPEATS && filled.length > 0 ? [{ before: '', samples: filled }] : [];
    return { samples: few(some), repeats: [...own, ...part.repeats] };
  }

  #atom(): Part {
    if (this.#taken('(')) {
      const [kind = ''] = this.#match(/^\?(?:[:=!]|<[=!]|<\w+>|[a-z-]+:)/) ?? [];
      const part = this.alternatives();
      this.#at += 1;
      return /^\?<?!|^\?=/.test(kind) ? { samples: [''], repeats: part.repeats } : part;
    }
    if (this.#match(/^(?:[\^$]|\\b|\\B)/)) return EMPTY;
    const [atom = ''] =
      this.#match(/^(?:\[(?:\\.|[^\]\\])*\]|\\u[\da-f]{4}|\\x[\da-f]{2}|\\p\{[^}]*\}|\\P\{[^}]*\}|\\k<\w+>|\\?.)/is) ??
      [];
    if (/^\\(?:[1-9]|k<)/.test(atom)) throw new Error(`No back reference can be measured: ${this.#source}`);
    const one = new RegExp(`^${atom}$`, this.#flags);
    return { samples: few(this.#characters.filter((it) => one.test(it))), repeats: [] };
  }

  #taken(text: string): boolean {
    const is = this.#source.startsWith(text, this.#at);
    if (is) this.#at += text.length;
    return is;
  }

  #match(regex: RegExp): RegExpExecArray | null {
    const found = regex.exec(this.#source.slice(this.#at));
    if (found) this.#at += found[0].length;
    return found;
  }
}

function few(samples: readonly string[]): string[] {
  return [...new Set(samples)].slice(0, SAMPLES);
}

/** The shortest of both, and each of the others with the shortest of the other part. */
function joined(first: readonly string[], second: readonly string[]): string[] {
  const [head = ''] = first;
  const [tail = ''] = second;
  return few([head + tail, ...second.map((it) => head + it), ...first.map((it) => it + tail)]);
}
