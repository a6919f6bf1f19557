const RING = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

/** A polygon of a triangle, with holes that are the same ring as its edge. */
export const triangle = (holes = 0) => ({ type: 'Polygon', coordinates: Array(1 + holes).fill(RING) });

/** A polygon along meridians and parallels. */
export const square = (w: number, s: number, e: number, n: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ],
  ],
});
