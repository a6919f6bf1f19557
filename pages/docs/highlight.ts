// The build colours samples with it, and the page colours answers.

export type Language = 'curl' | 'JavaScript' | 'Python' | 'JSON';

/** What a piece of code is. Pieces without a kind have the colour of all code. */
type Kind = 'name' | 'text' | 'number' | 'word' | 'comment';

export interface Piece {
  readonly text: string;
  readonly kind?: Kind;
}

const NUMBER = String.raw`(?<number>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))`;

/** An expression for each language. The name of the group that matches is the kind of the piece. */
const EXPRESSIONS: Readonly<Record<Language, RegExp>> = {
  JSON: new RegExp(
    String.raw`(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|${NUMBER}|(?<word>\b(?:true|false|null)\b)`,
    'g',
  ),
  curl: /(?<comment>(?<=^|\s)#.*)|(?<text>'[^']*'|"(?:[^"\\]|\\.)*")|(?<name>(?<=\s)--?[A-Za-z][\w-]*)|(?<word>\b(?:curl|npm|npx|export)\b)/g,
  JavaScript: new RegExp(
    String.raw`(?<comment>//.*)|(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`'}[^${'`'}]*${'`'})|(?<name>\b\w+(?=:\s))|${NUMBER}|(?<word>\b(?:const|let|await|async|function|return|new|for|of|if|throw|import|from|true|false|null)\b)`,
    'g',
  ),
  Python: new RegExp(
    String.raw`(?<comment>#.*)|(?<name>"[\w-]+"(?=:\s)|\b\w+(?==[^=]))|(?<text>f?"(?:[^"\\\n]|\\.)*")|${NUMBER}|(?<word>\b(?:import|from|for|in|if|def|return|with|as|True|False|None)\b)`,
    'g',
  ),
};

/** A text in parts, between which a line may end so that no word is cut: after the signs of paths, names and addresses. */
export function wrappedParts(text: string): string[] {
  return text.split(/(?<=[/_.,:&?=])(?=[^/_.,:&?=\s])/);
}

/** Code in pieces, which together are the code. */
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
