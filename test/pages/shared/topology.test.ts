import { describe, expect, it } from 'vitest';
import { unfold } from '../../../pages/shared/topology.ts';

describe('a topology', () => {
  it('becomes GeoJSON: arcs are relative, shared by neighbours, and taken backwards where one says so', () => {
    const { areas, points } = unfold({
      transform: { scale: [0.5, 0.1], translate: [120, 10] },
      arcs: [
        // The border between the two, from south to north.
        [
          [2, 0],
          [0, 10],
        ],
        [
          [2, 10],
          [-2, 0],
          [0, -10],
          [2, 0],
        ],
        [
          [2, 10],
          [2, 0],
          [0, -10],
          [-2, 0],
        ],
      ],
      objects: {
        areas: {
          geometries: [
            { type: 'Polygon', arcs: [[0, 1]], properties: { code: 'west' } },
            { type: 'MultiPolygon', arcs: [[[2, 0]], [[-3, -1]]], properties: { code: 'east' } },
          ],
        },
        points: { geometries: [{ type: 'Point', coordinates: [2, 10], properties: {} }] },
      },
    });
    const [west, east] = areas?.features ?? [];
    expect(west).toEqual({
      type: 'Feature',
      properties: { code: 'west' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [121, 10],
            [121, 11],
            [120, 11],
            [120, 10],
            [121, 10],
          ],
        ],
      },
    });
    const ring = [
      [121, 11],
      [122, 11],
      [122, 10],
      [121, 10],
      [121, 11],
    ];
    const backwards = [
      [121, 10],
      [122, 10],
      [122, 11],
      [121, 11],
      [121, 10],
    ];
    expect(east?.geometry).toMatchObject({ type: 'MultiPolygon', coordinates: [[ring], [backwards]] });
    expect(points?.features[0]?.geometry).toEqual({ type: 'Point', coordinates: [121, 11] });
  });
});
