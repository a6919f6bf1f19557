import type { Hit } from '../shared/find-places.ts';

/** An island that people search for, although no area has its name. */
interface Island {
  readonly name: string;
  /** Code of the province. */
  readonly province: string;
  /** Published names of the cities and municipalities on it. */
  readonly municities: readonly string[];
}

export const ISLANDS: readonly Island[] = [
  {
    name: 'Siargao',
    province: '1606700000',
    municities: [
      'Burgos',
      'Dapa',
      'Del Carmen',
      'General Luna',
      'Pilar',
      'San Benito',
      'San Isidro',
      'Santa Monica',
      'Socorro',
    ],
  },
  { name: 'Boracay', province: '0600400000', municities: ['Malay'] },
  { name: 'Mactan', province: '0702200000', municities: ['City of Lapu-Lapu', 'Cordova'] },
  { name: 'Camotes', province: '0702200000', municities: ['Pilar', 'Poro', 'San Francisco', 'Tudela'] },
  { name: 'Malapascua', province: '0702200000', municities: ['Daanbantayan'] },
  { name: 'Calamianes', province: '1705300000', municities: ['Busuanga', 'Coron', 'Culion', 'Linapacan'] },
];

/**
 * What of the places that the service found stands before and after those on an island with the name: its order is kept, and
 * whole names, regions and provinces that stand first in it stay there.
 *
 * @param onIslands codes of the places on the island, which are not listed twice
 */
export function aroundIslands<H extends Pick<Hit, 'code' | 'level' | 'match'>>(
  hits: readonly H[],
  onIslands: readonly string[],
): { readonly before: readonly H[]; readonly after: readonly H[] } {
  const isFirst = ({ level, match }: H) =>
    match === 'exact' || match === 'alias' || ((level === 'region' || level === 'province') && match !== 'fuzzy');
  const isOther = ({ code }: H) => !onIslands.includes(code);
  const others = hits.findIndex((hit) => !isFirst(hit));
  const at = others === -1 ? hits.length : others;
  return { before: hits.slice(0, at).filter(isOther), after: hits.slice(at).filter(isOther) };
}
