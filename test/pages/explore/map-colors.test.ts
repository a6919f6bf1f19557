import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { greyOf, paletteFor } from '../../../pages/explore/map-colors.ts';

/** The contrast of two colours, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each([
  ['light', false],
  ['dark', true],
])('the %s map', (_, isDark) => {
  const palette = paletteFor(isDark);

  it('has land that stands out from the sea, and borders that stand out from both', () => {
    for (const tint of palette.tints) {
      expect(contrast(tint, palette.sea), tint).toBeGreaterThan(1.5);
      expect(contrast(tint, palette.edge), tint).toBeGreaterThan(2);
      expect(contrast(tint, palette.label), tint).toBeGreaterThan(4.5);
    }
    expect(contrast(palette.edge, palette.sea)).toBeGreaterThan(3);
    expect(contrast(palette.land, palette.sea)).toBeGreaterThan(1.25);
  });

  it('has land below the colours of a legend that stands out from the sea, with an edge that does from both', () => {
    const { land, sea, edge, landEdge } = greyOf(palette);
    expect(contrast(land, sea)).toBeGreaterThan(1.4);
    for (const line of [edge, landEdge])
      for (const beside of [land, sea]) expect(contrast(line, beside), beside).toBeGreaterThan(1.6);
  });

  it('has the colours of the drawing that it takes the place of', async () => {
    const read = async (path: string) =>
      (await readFile(new URL(`../../../pages/${path}`, import.meta.url), 'utf8')).split('prefers-color-scheme: dark');
    const [tints, drawing] = await Promise.all(['shared/country.css', 'explore/style.css'].map(read));
    for (const tint of palette.tints) expect(tints?.[Number(isDark)]).toContain(tint);
    for (const color of [palette.sea, palette.grid, palette.shallows, palette.edge, palette.label, palette.halo]) {
      expect(drawing?.[Number(isDark)]).toContain(color);
    }
  });
});
