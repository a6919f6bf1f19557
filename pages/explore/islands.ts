/** An island that people look for by a name which no area has. */
interface Island {
  readonly name: string;
  /** Code of the province. */
  readonly province: string;
  /** Names of the cities and municipalities on it, as published. */
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
