/** How the attribution of boundaries begins. It comes after that of the list of the areas. */
const OF_BOUNDARIES = 'Boundaries:';

/**
 * Whose the areas on a map are, in one line. Each is named once, in the same order on every page.
 *
 * @param isOnlyOfAreas whether the map has other data too, whose author says where they are from
 */
export function attributionOf(attributions: readonly string[], isOnlyOfAreas = false): string {
  const isLast = (attribution: string) => Number(attribution.startsWith(OF_BOUNDARIES));
  const text = [...new Set(attributions)].sort((a, b) => isLast(a) - isLast(b)).join(' · ');
  return isOnlyOfAreas && text ? `Areas: ${text}` : text;
}

/** The attributions in a header of the service that has several. */
export function attributionsIn(header: string): string[] {
  return header.split('; ').filter((attribution) => attribution !== '');
}
