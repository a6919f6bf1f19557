/** The kinds of changes: the most that can happen to an area first. */
export const KINDS = [
  'created',
  'abolished',
  'merged',
  'split',
  'moved',
  'redrawn',
  'reclassified',
  'recoded',
  'renamed',
] as const;

export type Kind = (typeof KINDS)[number];

/** Titles of the kinds of changes, and what those mean that their title does not say. */
export const KIND_WORDS: Readonly<Record<Kind, { title: string; about?: string }>> = {
  created: { title: 'New' },
  abolished: { title: 'Abolished' },
  merged: { title: 'Merged' },
  split: { title: 'Split' },
  moved: { title: 'Moved', about: 'To another region, province, city or municipality, mostly with another code.' },
  redrawn: { title: 'Redrawn', about: 'The same area with more or with less land.' },
  reclassified: { title: 'Reclassified', about: 'Municipalities that became cities, and cities of another class.' },
  recoded: { title: 'Recoded', about: 'Another code in the same place.' },
  renamed: { title: 'Renamed' },
};

/** Colours of changed areas, which stand out from light and from dark land. */
export const COLOR_OF_KIND: Readonly<Record<Kind, string>> = {
  created: '#2f8f5b',
  abolished: '#6f6a72',
  merged: '#7a5bb0',
  split: '#d07a1f',
  moved: '#2b78c2',
  redrawn: '#96693f',
  reclassified: '#c24a8a',
  recoded: '#2ba3a8',
  renamed: '#b8a01e',
};
