import type { Sources } from '../../clients/typescript/src/types.ts';

const NUMBER = new Intl.NumberFormat('en');

export function number(value: number): string {
  return NUMBER.format(value);
}

/** Which edition is served, how old it is, and the release, as sentences. */
export function editionSentence({ notice, release }: Pick<Sources, 'notice' | 'release'>): string {
  return `${notice} Data\u00a0release\u00a0${release.replaceAll('-', '\u2011')}.`;
}

/** A size in bytes with the unit that suits it, such as `3.4 MB`. */
export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let rest = bytes;
  let unit = 0;
  for (; rest >= 1000 && unit < units.length - 1; unit += 1) rest /= 1000;
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[unit]}`;
}

/** A measure with its unit. Small ones have decimals, so that a density can be recalculated from them. */
export function amountWith(value: number | null | undefined, unit: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  const scale = value < 10 ? 100 : value < 100 ? 10 : 1;
  return `${number(Math.round(value * scale) / scale)} ${unit}`;
}
