import { number } from '../shared/format.ts';
import type { Area } from './places.ts';

/**
 * How many areas of each level lie in a place, a line for each.
 *
 * @param hosted the cities and municipalities in a province that don't belong to it, so that they and their barangays are not
 * among the others
 */
export function containedIn(area: Area, hosted: readonly Area[]): string[] {
  const count = (value: number | undefined, one: string, many: string) =>
    value ? `${number(value)} ${value === 1 ? one : many}` : undefined;
  const ofOthers = hosted.filter(({ r_code }) => r_code !== area.r_code);
  const barangays = count(area.barangay_count, 'barangay', 'barangays');
  const beside = [
    count(hosted.length - ofOthers.length, 'independent city', 'independent cities'),
    ofOthers.length > 0 ? `${numberOf(ofOthers)} of another region` : undefined,
  ];
  return [
    count(area.province_count, 'province', 'provinces'),
    count(area.municity_count, 'city or municipality', 'cities and municipalities'),
    hosted.length > 0 && barangays ? `${barangays} in these` : barangays,
    ...beside.map((part) => part && `besides, ${part}`),
  ].filter((part) => part !== undefined);
}

/** `1 city`, `8 municipalities`. */
export function numberOf(areas: readonly Area[]): string {
  const cities = areas.every(({ type }) => type === 'City');
  const [one, many] = cities ? ['city', 'cities'] : ['municipality', 'municipalities'];
  return `${number(areas.length)} ${areas.length === 1 ? one : many}`;
}
