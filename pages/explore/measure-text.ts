import type { WidthOf } from './country-names.ts';

/** Measures lines in the font of the page. */
export function measureText(): WidthOf {
  const canvas = document.createElement('canvas').getContext('2d');
  const { fontFamily } = getComputedStyle(document.body);
  return (line, { size, weight }) => {
    // Where a browser hides its measures, a letter is taken to be as wide as most are.
    if (!canvas) return line.length * size * 0.6;
    canvas.font = `${weight} ${size}px ${fontFamily}`;
    return canvas.measureText(line).width;
  };
}
