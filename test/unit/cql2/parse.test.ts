import { describe, expect, it } from 'vitest';
import { type Expression, InvalidFilter, type Queryables } from '../../../src/cql2/expression.ts';
import { parseCql2Json } from '../../../src/cql2/json.ts';
import { parseCql2Text } from '../../../src/cql2/text.ts';

const QUERYABLES: Queryables = new Map([
  ['name', 'string'],
  ['region', 'string'],
  ['population', 'number'],
  ['area_km2', 'number'],
  ['coastal', 'boolean'],
  ['geometry', 'geometry'],
  ['note', 'any'],
  ['date', 'string'],
  ['eo:cloud_cover', 'number'],
  ['kulay ng "mapa"', 'string'],
  ['or', 'number'],
]);

const text = (filter: string) => parseCql2Text(filter, QUERYABLES);
const json = (filter: unknown) => parseCql2Json(JSON.stringify(filter), QUERYABLES);

const name = { property: 'name', type: 'string' } as const;
const population = { property: 'population', type: 'number' } as const;
const coastal = { property: 'coastal', type: 'boolean' } as const;
const jsonName = { property: 'name' };
const jsonPopulation = { property: 'population' };
const point = { type: 'Point', coordinates: [121, 14.5] };

/** A filter in text, the same in JSON, and what both are read as. */
const BOTH: [text: string, json: unknown, Expression][] = [
  ['true', true, true],
  ['FALSE', false, false],
  ['coastal', { property: 'coastal' }, coastal],
  ["name = 'Cebu'", { op: '=', args: [jsonName, 'Cebu'] }, { op: '=', args: [name, 'Cebu'] }],
  ["name<>'Cebu'", { op: '<>', args: [jsonName, 'Cebu'] }, { op: '<>', args: [name, 'Cebu'] }],
  ['population<-1.5e3', { op: '<', args: [jsonPopulation, -1500] }, { op: '<', args: [population, -1500] }],
  ['population >+.5', { op: '>', args: [jsonPopulation, 0.5] }, { op: '>', args: [population, 0.5] }],
  ['population <= 5.', { op: '<=', args: [jsonPopulation, 5] }, { op: '<=', args: [population, 5] }],
  ['1 >= population', { op: '>=', args: [1, jsonPopulation] }, { op: '>=', args: [1, population] }],
  ['coastal = TRUE', { op: '=', args: [{ property: 'coastal' }, true] }, { op: '=', args: [coastal, true] }],
  ['1 = 1', { op: '=', args: [1, 1] }, { op: '=', args: [1, 1] }],
  [
    'name = region',
    { op: '=', args: [jsonName, { property: 'region' }] },
    { op: '=', args: [name, { property: 'region', type: 'string' }] },
  ],
  [
    "note = 'x' OR note > 1",
    {
      op: 'or',
      args: [
        { op: '=', args: [{ property: 'note' }, 'x'] },
        { op: '>', args: [{ property: 'note' }, 1] },
      ],
    },
    {
      op: 'or',
      args: [
        { op: '=', args: [{ property: 'note', type: 'string' }, 'x'] },
        { op: '>', args: [{ property: 'note', type: 'number' }, 1] },
      ],
    },
  ],
  [
    "name not like 'San\\_%'",
    { op: 'not', args: [{ op: 'like', args: [jsonName, 'San\\_%'] }] },
    { op: 'not', args: [{ op: 'like', args: [name, 'San\\_%'] }] },
  ],
  [
    "CASEI(name) LIKE casei('SAN%')",
    {
      op: 'like',
      args: [
        { op: 'casei', args: [jsonName] },
        { op: 'casei', args: ['SAN%'] },
      ],
    },
    {
      op: 'like',
      args: [
        { op: 'casei', args: [name] },
        { op: 'casei', args: ['SAN%'] },
      ],
    },
  ],
  [
    "ACCENTI(CASEI(name)) = accenti(casei('Ñ'))",
    {
      op: '=',
      args: [
        { op: 'accenti', args: [{ op: 'casei', args: [jsonName] }] },
        { op: 'accenti', args: [{ op: 'casei', args: ['Ñ'] }] },
      ],
    },
    {
      op: '=',
      args: [
        { op: 'accenti', args: [{ op: 'casei', args: [name] }] },
        { op: 'accenti', args: [{ op: 'casei', args: ['Ñ'] }] },
      ],
    },
  ],
  [
    'population BETWEEN 1 AND 2 and coastal',
    {
      op: 'and',
      args: [{ op: 'between', args: [jsonPopulation, 1, 2] }, { property: 'coastal' }],
    },
    { op: 'and', args: [{ op: 'between', args: [population, 1, 2] }, coastal] },
  ],
  [
    "name IN ('Cebu', 'Bohol')",
    { op: 'in', args: [jsonName, ['Cebu', 'Bohol']] },
    { op: 'in', args: [name, ['Cebu', 'Bohol']] },
  ],
  [
    'geometry is not null',
    { op: 'not', args: [{ op: 'isNull', args: [{ property: 'geometry' }] }] },
    { op: 'not', args: [{ op: 'isNull', property: 'geometry' }] },
  ],
  [
    'NOT (coastal OR population = 1) AND true OR NOT NOT false',
    {
      op: 'or',
      args: [
        {
          op: 'and',
          args: [
            {
              op: 'not',
              args: [{ op: 'or', args: [{ property: 'coastal' }, { op: '=', args: [jsonPopulation, 1] }] }],
            },
            true,
          ],
        },
        { op: 'not', args: [{ op: 'not', args: [false] }] },
      ],
    },
    {
      op: 'or',
      args: [
        {
          op: 'and',
          args: [{ op: 'not', args: [{ op: 'or', args: [coastal, { op: '=', args: [population, 1] }] }] }, true],
        },
        { op: 'not', args: [{ op: 'not', args: [false] }] },
      ],
    },
  ],
  [
    '(coastal AND true) AND false',
    { op: 'and', args: [{ op: 'and', args: [{ property: 'coastal' }, true] }, false] },
    { op: 'and', args: [coastal, true, false] },
  ],
  ['((population)) = (1)', { op: '=', args: [jsonPopulation, 1] }, { op: '=', args: [population, 1] }],
  [
    "\"date\" > DATE('2024-02-29') AND date < TIMESTAMP('2025-01-01T00:00:00.5Z')",
    {
      op: 'and',
      args: [
        { op: '>', args: [{ property: 'date' }, { date: '2024-02-29' }] },
        { op: '<', args: [{ property: 'date' }, { timestamp: '2025-01-01T00:00:00.5Z' }] },
      ],
    },
    {
      op: 'and',
      args: [
        { op: '>', args: [{ property: 'date', type: 'instant' }, Date.UTC(2024, 1, 29)] },
        { op: '<', args: [{ property: 'date', type: 'instant' }, Date.UTC(2025, 0, 1, 0, 0, 0, 500)] },
      ],
    },
  ],
  [
    'eo:cloud_cover = 1 OR "or" = 2',
    {
      op: 'or',
      args: [
        { op: '=', args: [{ property: 'eo:cloud_cover' }, 1] },
        { op: '=', args: [{ property: 'or' }, 2] },
      ],
    },
    {
      op: 'or',
      args: [
        { op: '=', args: [{ property: 'eo:cloud_cover', type: 'number' }, 1] },
        { op: '=', args: [{ property: 'or', type: 'number' }, 2] },
      ],
    },
  ],
  [
    '"kulay ng ""mapa""" = \'pula\'',
    { op: '=', args: [{ property: 'kulay ng "mapa"' }, 'pula'] },
    { op: '=', args: [{ property: 'kulay ng "mapa"', type: 'string' }, 'pula'] },
  ],
  [
    "name = 'Sto. Niño''s \\'x\\' \\\\ \\t\\n'",
    { op: '=', args: [jsonName, "Sto. Niño's 'x' \\ \t\n"] },
    { op: '=', args: [name, "Sto. Niño's 'x' \\ \t\n"] },
  ],
  [
    'S_INTERSECTS(geometry, POINT(121 14.5))',
    { op: 's_intersects', args: [{ property: 'geometry' }, point] },
    { op: 's_intersects', geometry: point },
  ],
  [
    's_intersects(Point Z (121 14.5 7), geometry)',
    { op: 's_intersects', args: [{ type: 'Point', coordinates: [121, 14.5, 7] }, { property: 'geometry' }] },
    { op: 's_intersects', geometry: point },
  ],
  [
    'S_INTERSECTS(geometry, MULTIPOINT(121 14.5, (122 15)))',
    {
      op: 's_intersects',
      args: [{ property: 'geometry' }, { type: 'MultiPoint', coordinates: [point.coordinates, [122, 15]] }],
    },
    { op: 's_intersects', geometry: { type: 'MultiPoint', coordinates: [point.coordinates, [122, 15]] } },
  ],
  [
    'S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 1, 0 0)))',
    {
      op: 's_intersects',
      args: [
        { property: 'geometry' },
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
      ],
    },
    {
      op: 's_intersects',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    },
  ],
  [
    'S_INTERSECTS(geometry, GEOMETRYCOLLECTION(POINT(121 14.5), LINESTRING(0 0, 1 1)))',
    {
      op: 's_intersects',
      args: [
        { property: 'geometry' },
        {
          type: 'GeometryCollection',
          geometries: [
            point,
            {
              type: 'LineString',
              coordinates: [
                [0, 0],
                [1, 1],
              ],
            },
          ],
        },
      ],
    },
    {
      op: 'or',
      args: [
        { op: 's_intersects', geometry: point },
        {
          op: 's_intersects',
          geometry: {
            type: 'LineString',
            coordinates: [
              [0, 0],
              [1, 1],
            ],
          },
        },
      ],
    },
  ],
  [
    'S_INTERSECTS(geometry, BBOX(1, 2, 0, 3, 4, 9))',
    { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [1, 2, 3, 4] }] },
    {
      op: 's_intersects',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [1, 2],
            [3, 2],
            [3, 4],
            [1, 4],
            [1, 2],
          ],
        ],
      },
    },
  ],
  [
    'S_INTERSECTS(geometry, BBOX(179, 2, -180, 4))',
    { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [179, 2, -180, 4] }] },
    {
      op: 'or',
      args: [
        {
          op: 's_intersects',
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [179, 2],
                [180, 2],
                [180, 4],
                [179, 4],
                [179, 2],
              ],
            ],
          },
        },
        {
          op: 's_intersects',
          geometry: {
            type: 'LineString',
            coordinates: [
              [-180, 2],
              [-180, 4],
            ],
          },
        },
      ],
    },
  ],
];

it.each(BOTH)('reads %s in text and in JSON as the same', (inText, inJson, expression) => {
  expect(text(inText)).toEqual(expression);
  expect(json(inJson)).toEqual(expression);
});

it('makes each position longitude and latitude', () => {
  const swapped = ([lat, lon]: readonly number[]): [number, number] => [lon as number, lat as number];
  const geometry = {
    type: 'LineString',
    coordinates: [
      [121, 14],
      [122, 15],
    ],
  };
  const filter = {
    op: 's_intersects',
    args: [
      { property: 'geometry' },
      {
        ...geometry,
        coordinates: [
          [14, 121],
          [15, 122],
        ],
      },
    ],
  };
  expect(parseCql2Text('S_INTERSECTS(geometry, LINESTRING(14 121, 15 122))', QUERYABLES, swapped)).toEqual({
    op: 's_intersects',
    geometry,
  });
  expect(parseCql2Json(JSON.stringify(filter), QUERYABLES, swapped)).toEqual({ op: 's_intersects', geometry });
  expect(parseCql2Text('S_INTERSECTS(geometry, BBOX(14, 121, 14, 121))', QUERYABLES, swapped)).toEqual({
    op: 's_intersects',
    geometry: { type: 'Point', coordinates: [121, 14] },
  });
});

describe('names what is wrong and where', () => {
  it.each([
    ['', 'must have a property or a value here (got the end at character 1)'],
    ["nmae = 'x'", /^must name properties that there are: "name", "region", .*"or" \(got "nmae" at character 1\)$/],
    [
      "population = 'many'",
      'must compare values of one type (got the number property "population" with the string "many" at character 14)',
    ],
    [
      'name = region AND name = population',
      /the string property "name" with the number property "population" at character 26/,
    ],
    ['name LIKE 5', 'must have a text as pattern of LIKE (got the number 5 at character 11)'],
    ["population LIKE '5'", /one type .* at character 17/],
    ['name LIKE region', /pattern of LIKE \(got the string property "region"/],
    ["name LIKE 'x\\", /close each single quote/],
    ["name LIKE 'x\\\\'", /something after the last/],
    ["accenti(name) LIKE accenti('x\\\u0301')", /something after the last/],
    ["name LIKE '%%%%%%%%%%%%%%%%%%%%%'", 'must have 20 percent signs at most in a pattern (got 21 at character 11)'],
    ['name = ', 'must have a property or a value here (got the end at character 8)'],
    ['name = AND', 'must have a property or a value here (got "AND" at character 8)'],
    ["name = 'a' name", 'must end or go on with AND or OR (got "name" at character 12)'],
    ["(name = 'a'", 'must have ")" here (got the end at character 12)'],
    ["name = 'a", 'must close each single quote (got one that is open at character 8)'],
    ['"name = 1', 'must close each double quote (got one that is open at character 1)'],
    ["name != 'a'", 'must have <> for values that differ (got "!" at character 6)'],
    ["name = 'a';", 'must have other characters in quotes only (got ";" at character 11)'],
    ['name = NULL', /"NULL" at character 8/],
    ['name IS', 'must have NULL here (got the end at character 8)'],
    ["name NOT 'a'", 'must have LIKE, BETWEEN or IN after NOT (got "\'a\'" at character 10)'],
    ['name', 'must have a condition, such as a comparison, (got the string property "name" at character 1)'],
    ['population BETWEEN 1', 'must have AND here (got the end at character 21)'],
    ["population BETWEEN 1 AND 'b'", /one type/],
    ['name IN ()', /a property or a value here \(got "\)"/],
    ["name IN ('a', 2)", /the string property "name" with the number 2 at character 15/],
    ['population + 1 > 2', /^must have no functions but .*\(got "\+", which is not supported, at character 12\)$/],
    ['population > 2 * 3', /"\*", which is not supported/],
    ['population > -area_km2', /"-", which is not supported, at character 14/],
    ['population div 2 = 3', /"div", which is not supported/],
    ['avg(population) = 3', /"avg", which is not supported, at character 1/],
    ['S_DISJOINT(geometry, POINT(1 2))', /"S_DISJOINT", which is not supported/],
    ["T_AFTER(date, DATE('2020-01-01'))", /"T_AFTER", which is not supported/],
    ["A_CONTAINS(note, ('a'))", /"A_CONTAINS", which is not supported/],
    ["date = INTERVAL('..', '..')", /"INTERVAL", which is not supported/],
    ["date = DATE('2023-02-29')", 'must have a date such as \'2024-01-31\' (got "2023-02-29" at character 8)'],
    ["date = TIMESTAMP('2023-02-29')", /a timestamp such as/],
    ["population = DATE('2023-02-28')", /one type \(got the moment 2023-02-28T00:00:00.000Z with the number property/],
    ["date BETWEEN DATE('2023-02-28') AND 'x'", /one type \(got the moment .* with the string "x"/],
    ['CASEI(population) = 1', /a string in CASEI \(got the number property/],
    ["CASEI(name, region) = 'a'", 'must have 1 operands of "casei" (got 2 at character 1)'],
    ['geometry = 1', /one type/],
    ['geometry = geometry', /geometries by S_INTERSECTS only/],
    ['note = note', /no certain type/],
    ['note = population', /no certain type/],
    ["(name = 'a') = true", /a value or a property \(got an expression with "="/],
    ['S_INTERSECTS(geometry, geometry)', /a property with a geometry in S_INTERSECTS/],
    ['S_INTERSECTS(name, POINT(1 2))', /the property of geometry/],
    [
      'S_INTERSECTS(geometry, POINT(90 180))',
      /a latitude from -90 to 90 \(got 180, as if longitude and latitude were swapped\), at character 24/,
    ],
    ['S_INTERSECTS(geometry, POINT(1))', 'must have geometries as well-known text (got "POINT(1)" at character 24)'],
    ['S_INTERSECTS(geometry, POINT EMPTY)', /geometries with coordinates/],
    ['S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 1, 0 1)))', /must be closed/],
    ['S_INTERSECTS(geometry, POINT(1 2)', /"\)" here/],
    ['S_INTERSECTS(geometry, SRID=4326;POINT(1 2))', /in quotes only \(got ";"/],
    ['S_INTERSECTS(geometry, BBOX(1, 2, 3))', /four or six numbers in a box \(got 3/],
    ['S_INTERSECTS(geometry, BBOX(1, 4, 3, 2))', /south is not above north \(got 4, 2/],
    ['S_INTERSECTS(geometry, BBOX(1, 2, 200, 4))', /a longitude from -180 to 180 \(got 200\)/],
    ['S_INTERSECTS(geometry, POINT(1.52.5))', 'must have one point at most in a number (got "1.52." at character 30)'],
    ['population = + 1', 'must have a property or a value here (got "+" at character 14)'],
    ['population = 1e999', /numbers up to/],
    ['name = "\ud800"', 'must be well-formed Unicode (got a lone surrogate at character 9)'],
    ["name = '\0'", 'must be without the character U+0000 (got it at character 9)'],
  ])('%j in text', (filter, message) => {
    expect(() => text(filter)).toThrow(InvalidFilter);
    expect(() => text(filter)).toThrow(message);
  });

  it.each([
    ['{"op":"=","args":[{"property":"name"},"a"}', 'must be JSON (got "}" at character 42)'],
    ['', 'must be JSON (got the end at character 1)'],
    ['{"op":"=","args":[{"property":"name"},null]}', /"isNull" where NULL is meant \(got null at args\[1\]\)/],
    ['{"op":"=","args":[{"property":"name"}]}', 'must have 2 operands of "=" (got 1 at the top)'],
    ['{"op":"="}', /an array "args"/],
    ['{"op":"and","args":[true]}', /two conditions or more in "and" \(got 1 at the top\)/],
    ['{"op":"and","args":[true,{"op":"=","args":[{"property":"x"},1]}]}', /\(got "x" at args\[1\]\.args\[0\]\)/],
    ['{"op":"like","args":[{"property":"name"},{"op":"lower","args":["a"]}]}', /pattern of LIKE/],
    ['{"op":"avg","args":[]}', /"avg", which is not supported, at the top/],
    ['{"op":"=","args":[{"op":"+","args":[1,2]},1]}', /"\+", which is not supported, at args\[0\]/],
    ['{"op":"=","args":[{"property":"date"},{"interval":["..",".."]}]}', /"interval", which is not supported/],
    ['{"op":"=","args":[{"property":"date"},{"date":5}]}', /a date such as '2024-01-31' \(got no string/],
    ['{"op":"in","args":[{"property":"name"},[]]}', /one value or more in a list/],
    ['{"op":"in","args":[{"property":"name"},"a"]}', /a list for IN \(got the string "a" at args\[1\]\)/],
    ['{"op":"=","args":[{"property":"name"},["a"]]}', /a value or a property \(got a list/],
    ['{"op":"isNull","args":[5]}', /a property before IS NULL/],
    ['{"casei":"a"}', /objects with "op" and "args", .* \(got one with "casei" at the top\)/],
    ['{"op":"=","op":"<","args":[1,1]}', /two members of the same name/],
    ['{"op":"=","args":[1,1e999]}', /numbers beyond/],
    ['{"op":"=","args":[{"property":"name"},"\\u0000"]}', /U\+0000/],
    [
      '{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Point","coordinates":["1",2]}]}',
      /coordinates\[0\] of the geometry must be a number/,
    ],
    [
      '{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Point","coordinates":[9007199254740993,14]}]}',
      /coordinates\[0\] of the geometry must be a longitude from -180 to 180/,
    ],
    [
      '{"op":"s_intersects","args":[{"property":"geometry"},{"bbox":[1,-9007199254740993,3,4]}]}',
      /must be a latitude from -90 to 90/,
    ],
    [
      '{"op":"s_intersects","args":[{"property":"geometry"},{"type":"MultiPoint","coordinates":[]}]}',
      /must have coordinates/,
    ],
    [
      '{"op":"s_intersects","args":[{"property":"geometry"},{"type":"GeometryCollection","geometries":[]}]}',
      /an empty one/,
    ],
    ['{"op":"s_intersects","args":[{"property":"geometry"},{"bbox":["1",2,3,4]}]}', /objects with/],
    ['"name"', /a condition/],
  ])('%s in JSON', (filter, message) => {
    expect(() => parseCql2Json(filter, QUERYABLES)).toThrow(InvalidFilter);
    expect(() => parseCql2Json(filter, QUERYABLES)).toThrow(message);
  });
});

it('folds a string once, however often it says so', () => {
  const once = { op: 'accenti', args: [{ op: 'casei', args: [name] }] };
  expect(text("ACCENTI(CASEI(name)) = 'x'")).toEqual({ op: '=', args: [once, 'x'] });
  expect(text("CASEI(ACCENTI(CASEI(CASEI(name)))) = 'x'")).toEqual({ op: '=', args: [once, 'x'] });
});

it('names twenty properties at most', () => {
  const many: Queryables = new Map(Array.from({ length: 25 }, (_, i) => [`p${i}`, 'string']));
  expect(() => parseCql2Text('x = 1', many)).toThrow(/"p19" and 5 more \(got "x"/);
});

describe('limits', () => {
  it.each([
    ['8192 characters', `name = '${'x'.repeat(8183)}'`, `name = '${'x'.repeat(8184)}'`],
    ['24 brackets', `${'('.repeat(23)}true${')'.repeat(23)}`, `${'('.repeat(24)}true${')'.repeat(24)}`],
    ['24 times NOT', `${'NOT '.repeat(23)}true`, `${'NOT '.repeat(24)}true`],
    [
      '24 functions',
      `${'casei('.repeat(23)}name${')'.repeat(23)}=''`,
      `${'casei('.repeat(24)}name${')'.repeat(24)}=''`,
    ],
    ['100 comparisons', Array(100).fill('true').join(' or '), Array(101).fill('true').join(' or ')],
    ['1000 items', `population in (${Array(1000).fill(1)})`, `population in (${Array(1001).fill(1)})`],
    [
      '1000 items together',
      `population in (${Array(500).fill(1)}) or population in (${Array(500).fill(1)})`,
      `population in (${Array(500).fill(1)}) or population in (${Array(501).fill(1)})`,
    ],
  ])('%s', (_, most, more) => {
    expect(() => text(most)).not.toThrow();
    expect(() => text(more)).toThrow(InvalidFilter);
  });

  it('of JSON are the same', () => {
    const nested = (depth: number): unknown => (depth === 0 ? true : { op: 'not', args: [nested(depth - 1)] });
    expect(() => json(nested(23))).not.toThrow();
    expect(() => json(nested(24))).toThrow(/24 levels deep/);
    expect(() => parseCql2Json('['.repeat(4000) + ']'.repeat(4000), QUERYABLES)).toThrow(/24 levels deep/);
    expect(() => json('x'.repeat(8191))).toThrow(/8192 characters/);
  });
});

it.each([
  ['10,000 comparisons', `${'rank=1 OR '.repeat(10_000)}rank=1`],
  ['as many as fit', Array(1100).fill('or=1').join(' OR ')],
  ['brackets', '('.repeat(8190)],
  ['NOT', 'NOT '.repeat(2047)],
  ['functions', 'casei('.repeat(1365)],
  ['items', `population IN (${'1,'.repeat(4000)}1)`],
  ['quotes', `name='${"''".repeat(4090)}`],
  ['words', 'é'.repeat(8192)],
  ['digits', '1'.repeat(8192)],
  ['brackets of a geometry', `S_INTERSECTS(geometry,POLYGON${'('.repeat(4000)})`],
  ['collections', `S_INTERSECTS(geometry,${'GEOMETRYCOLLECTION('.repeat(400)})`],
  ['positions', `S_INTERSECTS(geometry,LINESTRING(${'1 1,'.repeat(2030)}1 91))`],
  ['wildcards', `name LIKE '${'%'.repeat(8000)}'`],
])('refuses a filter of many %s in no more than twenty times what the longest list takes', (_, filter) => {
  const longest = `population IN (${Array(1000).fill(1)})`;
  const timeOf = (work: () => unknown) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    });
    // Others may have had the processor meanwhile.
    return Math.min(...times);
  };
  const refusal = timeOf(() => expect(() => text(filter)).toThrow(InvalidFilter));
  expect(refusal).toBeLessThan(20 * timeOf(() => text(longest)));
});

it('counts dates in a list as values, not as comparisons', () => {
  const dates = (count: number) => Array(count).fill("DATE('2024-01-01')").join(',');
  expect(() => parseCql2Text(`date in (${dates(400)})`, QUERYABLES)).not.toThrow();
});
