import { visibleLine } from './answers.ts';

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  /** Makes the prompt from the arguments. */
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

/** Max length of an argument, characters. */
export const MAX_ARGUMENT_LENGTH = 8000;

/** Quotes the user's text, to separate it from the prompt. */
function quoted(text = ''): string {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.map((line) => `> ${visibleLine(line)}`).join('\n');
}

/** The commonest tasks. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'find_place',
    title: 'Find a place',
    description: 'The PSGC code of a place, what it lies in and what it borders on',
    arguments: [
      {
        name: 'place',
        description: 'The place as it was typed, with what it lies in if that is known',
        required: true,
      },
    ],
    text: ({ place }) => `Find this place of the Philippines, and give its PSGC code:

${quoted(place)}

1. Call search_places with the name, and what it lies in behind it. Names may be misspelled.
2. Where several places fit as well, say what each lies in and ask which is meant. Do not guess.
3. Call get_place with the code, and include ancestors and neighbors.
Answer with the code as text of ten digits, the official name, what the place lies in, and its neighbors.`,
  },
  {
    name: 'code_list',
    title: 'Code a list',
    description: 'The PSGC code of every place of a list or a table',
    arguments: [{ name: 'places', description: 'One place a line, or rows of a table with a heading', required: true }],
    text: ({ places }) => `Give each of these places of the Philippines its PSGC code:

${quoted(places)}

1. Call match_places with the rows: columns as province, municity and barangay where there are any, else each line as text.
   Without credentials at most 20 rows a call. Where the answer says "more", send the rows from next_row on again.
2. Take the codes of exact and likely rows. List ambiguous ones with their candidates, and those with none, and ask.
Answer with a table: the row as it was, code, official name, what it lies in, and how sure the match is.`,
  },
  {
    name: 'what_changed',
    title: 'What changed',
    description: 'What happened to a place between the editions of the PSGC',
    arguments: [{ name: 'place', description: 'A PSGC code of any edition, or a name', required: true }],
    text: ({ place }) => `Tell what happened to this place of the Philippines between the editions of the PSGC:

${quoted(place)}

1. If it is a name, call search_places for its code. If several places fit, ask which is meant.
2. Call place_history with the code.
3. Call get_place with the newest code for what it is today.
Answer with what changed and when, with codes and names before and after, and how it is known (basis).`,
  },
];
