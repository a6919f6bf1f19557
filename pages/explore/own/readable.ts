/** How many characters of a text are shown beside others. */
const MAX_SHOWN = 32;

/** How many characters of a text are shown in a list to choose from, which has no room for the whole and no titles. */
export const MAX_OPTION_LENGTH = 80;

/**
 * Characters that nobody sees: controls, and those that turn the direction of what follows. With one of these a text
 * could end the isolation of its element (see `dataText`). Marks of direction and joiners stay, which words of some
 * scripts need.
 */
const UNSEEN = /(?![\t\n\r])\p{Cc}|[\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** A text that somebody else has written, with a sign in place of each character that nobody would see. */
export function visible(text: string): string {
  return text.replace(UNSEEN, '\ufffd');
}

/** A visible text of at most so many characters. What is left out of its middle has a sign in its place: many names differ at their end. */
export function shortened(text: string, most = MAX_SHOWN): string {
  if (text.length <= most) return visible(text);
  // Some characters are two units of a string, which are never parted.
  const [first, last] = [[...text.slice(0, 2 * most + 1)], [...text.slice(-2 * most)]];
  if (first.length <= most) return visible(text);
  const end = Math.floor(most / 3);
  return visible(`${first.slice(0, most - 1 - end).join('')}…${last.slice(-end).join('')}`);
}
