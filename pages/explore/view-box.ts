import type { Box } from './places.ts';

/** The box in a text of four degrees, `west,south,east,north`. */
export function boxIn(text: string | null): Box | undefined {
  const numbers = (text ?? '').split(',', 5).map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west = 0, south = 0, east = 0, north = 0] = numbers;
  const isBox = numbers.length === 4 && west < east && south < north && west >= -180 && south >= -85 && north <= 85;
  return isBox && east <= 360 ? [west, south, east, north] : undefined;
}

/** A box as a URL has it, to some ten metres. */
export function textOfBox(box: Box): string {
  return box.map((degrees) => Number(degrees.toFixed(4))).join(',');
}

/** The box that a fragment names, as `#/provinces/0702200000?bbox=123,9.4,124.1,11.4`. */
export function boxAt(fragment: string): Box | undefined {
  return boxIn(/[?&]bbox=([^&]*)/.exec(fragment)?.[1]?.replaceAll(/%2c/gi, ',') ?? null);
}

/** The fragment with another box. */
export function withBox(fragment: string, box: Box): string {
  const [path = '', query = ''] = (fragment || '#/').split('?', 2);
  const params = new URLSearchParams(query);
  params.set('bbox', textOfBox(box));
  return `${path}?${params}`;
}

/** The fragment with the box of another one, if that one names a box. */
export function withBoxOf(fragment: string, other: string): string {
  const box = boxAt(other);
  return box ? withBox(fragment, box) : fragment;
}

let read: (() => Box) | undefined;

/** Lets the page ask which part of the world the map shows. */
export function keepView(view: () => Box): void {
  read = view;
}

/** The part of the world that the map shows; undefined before it is open. */
export function viewNow(): Box | undefined {
  return read?.();
}

/** The part of a box that the map shows; all of it before the map is open, or where it shows nothing of it. */
export function shownOf(box: Box): Box {
  const [west, south, east, north] = viewNow() ?? box;
  const shown: Box = [
    ...([Math.max(west, box[0]), Math.max(south, box[1]), Math.min(east, box[2]), Math.min(north, box[3])] as const),
  ];
  return shown[0] < shown[2] && shown[1] < shown[3] ? shown : box;
}
