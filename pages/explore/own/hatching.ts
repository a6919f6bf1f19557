import { HATCH, HATCHING, MISSING } from './schemes.ts';

/** A square of diagonal lines, for areas without a value, of twice the pixels. */
export function hatching(isDark: boolean): ImageData {
  const side = 2 * HATCHING.side;
  const image = new ImageData(side, side);
  const [ground, line] = [isDark ? MISSING.dark : MISSING.color, HATCH].map((hex) =>
    Number.parseInt(`${hex.slice(1)}ff`, 16),
  ) as [number, number];
  const pixels = new DataView(image.data.buffer);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      pixels.setUint32(4 * (y * side + x), (x + y) % side < 2 * HATCHING.line ? line : ground);
    }
  }
  return image;
}
