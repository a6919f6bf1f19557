// The build of the pages highlights samples with this module, and the reference page highlights answers.

export type Language = 'curl' | 'JavaScript' | 'Python' | 'JSON';

/** The kind of a token, and of its class `c-string`. Text without a kind has the colour of plain code. `name` is that of a property, parameter or option. */
type Kind = 'name' | 'string' | 'number' | 'keyword' | 'comment';

export interface Piece {
  readonly text: string;
  readonly kind?: Kind;
}

const NUMBER = String.raw`(?<number>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))`;

/** The tokens of each language. The name of the group that matches is the kind of the token. */
const EXPRESSIONS: Readonly<Record<Language, RegExp>> = {
  JSON: new RegExp(
    String.raw`(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|${NUMBER}|(?<keyword>\b(?:true|false|null)\b)`,
    'g',
  ),
  curl: /(?<comment>(?<=^|\s)#.*)|(?<string>'[^']*'|"(?:[^"\\]|\\.)*")|(?<name>(?<=\s)--?[A-Za-z][\w-]*)|(?<keyword>\b(?:curl|npm|npx|export)\b)/g,
  JavaScript: new RegExp(
    String.raw`(?<comment>//.*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`'}[^${'`'}]*${'`'})|(?<name>\b\w+(?=:\s))|${NUMBER}|(?<keyword>\b(?:const|let|await|async|function|return|new|for|of|if|throw|import|from|true|false|null)\b)`,
    'g',
  ),
  Python: new RegExp(
    String.raw`(?<comment>#.*)|(?<name>"[\w-]+"(?=:\s)|\b\w+(?==[^=]))|(?<string>f?"(?:[^"\\\n]|\\.)*")|${NUMBER}|(?<keyword>\b(?:import|from|for|in|if|def|return|with|as|True|False|None)\b)`,
    'g',
  ),
};

/** The parts of a text between which a line may break: after the separators of paths, names and URLs. */
export function wrappedParts(text: string): string[] {
  return text.split(/(?<=[/_.,:&?=])(?=[^/_.,:&?=\s])/);
}

/** Splits code into pieces, which together are the code. */
export function piecesOf(code: string, language: Language): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(EXPRESSIONS[language])) {
    if (index > end) pieces.push({ text: code.slice(end, index) });
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) as Kind;
    pieces.push({ text, kind });
    end = index + text.length;
  }
  if (end < code.length) pieces.push({ text: code.slice(end) });
  return pieces;
}
