import type { Tone } from '../map-colors.ts';

// Colours that people with any colour vision can tell apart, on light and on dark land.

/**
 * Colours of ColorBrewer that it marks as safe for colour blindness, each scheme for three classes and more (C. Brewer,
 * M. Harrower and The Pennsylvania State University, https://colorbrewer2.org, Apache License 2.0).
 */
const SEQUENTIAL = {
  YlGnBu:
    'edf8b17fcdbb2c7fb8 ffffcca1dab441b6c4225ea8 ffffcca1dab441b6c42c7fb8253494 ffffccc7e9b47fcdbb41b6c42c7fb8253494 ffffccc7e9b47fcdbb41b6c41d91c0225ea80c2c84 ffffd9edf8b1c7e9b47fcdbb41b6c41d91c0225ea80c2c84 ffffd9edf8b1c7e9b47fcdbb41b6c41d91c0225ea8253494081d58',
  PuBuGn:
    'ece2f0a6bddb1c9099 f6eff7bdc9e167a9cf02818a f6eff7bdc9e167a9cf1c9099016c59 f6eff7d0d1e6a6bddb67a9cf1c9099016c59 f6eff7d0d1e6a6bddb67a9cf3690c002818a016450 fff7fbece2f0d0d1e6a6bddb67a9cf3690c002818a016450 fff7fbece2f0d0d1e6a6bddb67a9cf3690c002818a016c59014636',
  YlOrBr:
    'fff7bcfec44fd95f0e ffffd4fed98efe9929cc4c02 ffffd4fed98efe9929d95f0e993404 ffffd4fee391fec44ffe9929d95f0e993404 ffffd4fee391fec44ffe9929ec7014cc4c028c2d04 ffffe5fff7bcfee391fec44ffe9929ec7014cc4c028c2d04 ffffe5fff7bcfee391fec44ffe9929ec7014cc4c02993404662506',
  Oranges:
    'fee6cefdae6be6550d feeddefdbe85fd8d3cd94701 feeddefdbe85fd8d3ce6550da63603 feeddefdd0a2fdae6bfd8d3ce6550da63603 feeddefdd0a2fdae6bfd8d3cf16913d948018c2d04 fff5ebfee6cefdd0a2fdae6bfd8d3cf16913d948018c2d04 fff5ebfee6cefdd0a2fdae6bfd8d3cf16913d94801a636037f2704',
  Purples:
    'efedf5bcbddc756bb1 f2f0f7cbc9e29e9ac86a51a3 f2f0f7cbc9e29e9ac8756bb154278f f2f0f7dadaebbcbddc9e9ac8756bb154278f f2f0f7dadaebbcbddc9e9ac8807dba6a51a34a1486 fcfbfdefedf5dadaebbcbddc9e9ac8807dba6a51a34a1486 fcfbfdefedf5dadaebbcbddc9e9ac8807dba6a51a354278f3f007d',
} as const;

/**
 * The neutral colour of each is the one that ColorBrewer has between red and blue with yellow (RdYlBu): its almost white ones
 * are the colours of the sea, and look as if there were no data.
 */
const DIVERGING = {
  RdBu: 'ef8a62ffffbf67a9cf ca0020f4a58292c5de0571b0 ca0020f4a582ffffbf92c5de0571b0 b2182bef8a62fddbc7d1e5f067a9cf2166ac b2182bef8a62fddbc7ffffbfd1e5f067a9cf2166ac b2182bd6604df4a582fddbc7d1e5f092c5de4393c32166ac b2182bd6604df4a582fddbc7ffffbfd1e5f092c5de4393c32166ac 67001fb2182bd6604df4a582fddbc7d1e5f092c5de4393c32166ac053061 67001fb2182bd6604df4a582fddbc7ffffbfd1e5f092c5de4393c32166ac053061',
  PuOr: '998ec3ffffbff1a340 5e3c99b2abd2fdb863e66101 5e3c99b2abd2ffffbffdb863e66101 542788998ec3d8daebfee0b6f1a340b35806 542788998ec3d8daebffffbffee0b6f1a340b35806 5427888073acb2abd2d8daebfee0b6fdb863e08214b35806 5427888073acb2abd2d8daebffffbffee0b6fdb863e08214b35806 2d004b5427888073acb2abd2d8daebfee0b6fdb863e08214b358067f3b08 2d004b5427888073acb2abd2d8daebffffbffee0b6fdb863e08214b358067f3b08',
  BrBG: 'd8b365ffffbf5ab4ac a6611adfc27d80cdc1018571 a6611adfc27dffffbf80cdc1018571 8c510ad8b365f6e8c3c7eae55ab4ac01665e 8c510ad8b365f6e8c3ffffbfc7eae55ab4ac01665e 8c510abf812ddfc27df6e8c3c7eae580cdc135978f01665e 8c510abf812ddfc27df6e8c3ffffbfc7eae580cdc135978f01665e 5430058c510abf812ddfc27df6e8c3c7eae580cdc135978f01665e003c30 5430058c510abf812ddfc27df6e8c3ffffbfc7eae580cdc135978f01665e003c30',
} as const;

/**
 * Colours of categories: eight of M. Okabe and K. Ito (2008, https://jfly.uni-koeln.de/color/), and four that are as far as
 * possible from these and from each other, whichever kind of cones an eye lacks.
 */
export const CATEGORIES = [
  ...['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#f0e442', '#000000'],
  ...['#aa44ff', '#662200', '#aaee88', '#220088'],
] as const;

/** Colours of categories on a dark map, into which black, brown and indigo would sink. */
export const DARK_CATEGORIES: readonly string[] = [
  ...CATEGORIES.slice(0, 7),
  ...['#ffffff', '#8800ee', '#ccaa66', '#22ffaa', '#8888ff'],
];

/** Values that are none of the most frequent. */
export const REST = '#7d8286';

/** Features without a value. The map hatches their areas. */
export const MISSING: Tone = { color: '#d3d6d8', dark: '#5a6267' };
/** The lines of the hatching, on light and on dark maps. */
export const HATCH = '#8b9195';

/** The middle of diverging schemes on a dark map, brighter than land that is not in the data. */
const DARK_MIDDLE = '505355';
/** How many colours a diverging scheme has to each side of it. The palest ones, which differ too little, are left out. */
const DARK_SIDE = 4;

/** The side of the square that is repeated, and the width of its lines, pixels. */
export const HATCHING = { side: 8, line: 1.5 } as const;

/** The size of a name on an area, pixels. On the screen it grows with the zoom. */
export const LABEL_SIZE = 10;

export type Scheme = keyof typeof SEQUENTIAL | keyof typeof DIVERGING;

const ALL: Readonly<Record<Scheme, string>> = { ...SEQUENTIAL, ...DIVERGING };

/** The names of the schemes for numbers from small to large, and of those around a number in the middle. */
export const SEQUENTIAL_SCHEMES = Object.keys(SEQUENTIAL) as Scheme[];
export const DIVERGING_SCHEMES = Object.keys(DIVERGING) as Scheme[];

export function isScheme(name: string | null): name is Scheme {
  return name !== null && Object.hasOwn(ALL, name);
}

/**
 * So many colours of a scheme, in their order. Beyond those that it has, they lie between its own.
 *
 * @param isDark whether they lie on a dark map: what stands out there is bright, so sequential schemes are turned round, and
 * each side of a diverging one
 */
export function colorsOf(scheme: Scheme, count: number, isDark = false): string[] {
  const sets = ALL[scheme].split(' ').map((text) => text.match(/.{6}/g) ?? []);
  const most = sets.at(-1) ?? [];
  if (isDark) {
    if (!DIVERGING_SCHEMES.includes(scheme)) return colorsOf(scheme, count).toReversed();
    const [left, right] = [most.slice(0, DARK_SIDE), most.slice(-DARK_SIDE)];
    return spread([...left.toReversed(), DARK_MIDDLE, ...right.toReversed()], count);
  }
  const found = sets.find(({ length }) => length === count);
  if (found) return found.map((hex) => `#${hex}`);
  const [first = []] = sets;
  // Fewer than three: the ends, or the one in the middle.
  if (count < 3) return (count < 2 ? first.slice(1, 2) : [first[0], first.at(-1)]).map((hex) => `#${hex}`);
  return spread(most, count);
}

/** So many colours at equal steps along others. One is that in the middle. */
function spread(along: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const position = (along.length - 1) * (count === 1 ? 0.5 : index / (count - 1));
    return between(along[Math.floor(position)] ?? '', along[Math.ceil(position)] ?? '', position % 1);
  });
}

function between(from: string, to: string, share: number): string {
  const parts = [0, 2, 4].map((at) => {
    const [a, b] = [from, to].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}
