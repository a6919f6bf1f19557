import { expect, it } from 'vitest';
import { wordsOfRow } from '../../../pages/shared/invalid-row.ts';

it.each([
  [
    { place: 'line 3', column: 'lat', value: '95.2', message: 'lat must be a latitude from -90 to 90 (got 95.2)' },
    ['line 3', 'lat', '95.2', 'must be a latitude from -90 to 90'],
  ],
  [
    {
      place: 'line 3',
      column: 'Lat. (N)',
      value: 'a "b", c',
      message: 'Lat. (N) must be a number (got "a \\"b\\", c")',
    },
    ['line 3', 'Lat. (N)', 'a "b", c', 'must be a number'],
  ],
  [
    {
      ...{ place: 'feature 2', column: 'geometry.coordinates[0][2][1]', value: '121' },
      message: 'must be a latitude from -90 to 90 (got 121, as if longitude and latitude were swapped)',
    },
    [
      'feature 2',
      'geometry.coordinates, item 1, 3, 2',
      '121',
      'must be a latitude from -90 to 90, as if longitude and latitude were swapped',
    ],
  ],
  [
    { place: 'from byte 90', column: null, value: null, message: 'features[1]: properties must be an object or null' },
    ['feature 2', '', '', 'properties must be an object or null'],
  ],
  [
    { place: 'line 5', column: null, value: null, message: 'must have 3 values, as the headings in line 1 (got 2)' },
    ['line 5', '', '', 'must have 3 values, as the headings in line 1 (got 2)'],
  ],
])('a row that is not valid is told in words: %j', (row, words) => {
  expect(wordsOfRow(row)).toEqual(words);
});
