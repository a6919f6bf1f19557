import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

/** The luminance of a colour, as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (one: string, other: string) => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

describe('the classes of the map on the landing page', async () => {
  const read = async (path: string) => readFile(new URL(`../../../pages/${path}`, import.meta.url), 'utf8');
  const [rules, base] = await Promise.all(['landing/style.css', 'shared/base.css'].map(read));
  const colorIn = (text: string | undefined, name: string) =>
    new RegExp(`${name}: (#[0-9a-f]{6})`).exec(text ?? '')?.[1];
  const middle = /\.class-2 \{\s*background: (#[0-9a-f]{6})/.exec(rules ?? '')?.[1];

  it.each([
    ['light', 0],
    ['dark', 1],
  ])('can be told from one another and from paper, on which the lowest is not taken for no data: %s', (_, scheme) => {
    const part = rules?.split('prefers-color-scheme: dark')[scheme];
    const paper = colorIn(base?.split('prefers-color-scheme: dark')[scheme], '--paper') ?? '';
    const classes = [0, 1, 2, 3, 4].map((at) => (at === 2 ? middle : colorIn(part, `--class-${at}`)) ?? '');
    for (const [at, color] of classes.entries())
      expect([color, contrast(color, at === 0 ? paper : (classes[at - 1] ?? '')) > 1.25]).toEqual([color, true]);
  });
});
