const DARK = '(prefers-color-scheme: dark)';

/**
 * Shows the page light or dark as its URL says. Without a theme there the device of the reader decides.
 *
 * @returns whether the map is dark; undefined where the device decides
 */
export function applyTheme(fragment: string): boolean | undefined {
  const theme = new URLSearchParams(fragment.split('?', 2)[1]).get('theme');
  if (theme !== 'light' && theme !== 'dark') return undefined;
  const isDark = theme === 'dark';
  document.documentElement.style.colorScheme = theme;
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules)
      if (rule instanceof CSSMediaRule && rule.media.mediaText === DARK)
        rule.media.mediaText = isDark ? 'all' : 'not all';
  return isDark;
}
