/** How many characters of a text are shown beside others. */
const MOST = 32;

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

/** A visible text that is cut behind so many characters, with a sign that more of it follows. */
export function shortened(text: string, most = MOST): string {
  if (text.length <= most) return visible(text);
  // Some characters are two units of a string, which are never parted.
  const characters = [...text.slice(0, 2 * most + 1)];
  return visible(characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text);
}
