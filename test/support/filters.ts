import { Random } from '../../scripts/bench/names/random.ts';
import type { Queryables } from '../../src/cql2/expression.ts';

/** The properties of the filters that are made here. */
export const QUERYABLES: Queryables = new Map([
  ['name', 'string'],
  ['region', 'string'],
  ['population', 'number'],
  ['rank', 'number'],
  ['coastal', 'boolean'],
  ['geometry', 'geometry'],
  ['free', 'any'],
]);

const TEXTS = ['', 'Cebu', 'CEBU', 'cebu', 'Las Piñas', 'LAS PIÑAS', 'Las Pin\u0303as', 'a%b', 'a_b', "Sto. Niño's"];
/** Strings that CQL2 text writes with a backslash, and ones whose order by UTF-16 is not that of code points. */
export const HARD_TEXTS = ['a\\b', '\t', '\u{10000}', '\uFFFD', 'Ω', 'ΟΔΟΣ', 'İ'];
const NUMBERS = [-1.5, 0, 1, 2, 3, 1e6, 0.1];
const PATTERNS = ['%', '_%', '', '%ebu', 'C%', '%e_u', '%a%', '_as P%', 'Las Pi_as', '%Ñ%', '%N%s', '%%', 'ceb_'];
const HARD_PATTERNS = ['a\\%b', 'a\\_b', 'a\\\\b', '_', '%\u0303%'];
const DAYS = ['2020-02-29', '2020-03-01', '2024-12-31'];
const TIMES = ['2020-02-29T00:00:00Z', '2020-02-29T16:30:00Z', '2024-12-31T23:59:59.5Z'];
/** Texts that say a day or a time, and ones that almost do. */
export const INSTANTS = [
  ...[...DAYS, ...TIMES, '2020-02-30', '2020-02-29 00:00:00', '2020-02-29T08:00:00+08:00', '2020-03-01T00:30:00+08:00'],
  ...['2024-12-31T23:59:59.50Z', '2024-12-31T23:59:59Z', '2020-02-29T00:00:00', '2024-12-31T15:59:59.500000-08:00'],
  ...[
    '2024-12-31T23:59:59.5000001Z',
    '2020-02-29T23:59:59.9999999Z',
    '2020-02-32',
    '2020-13-01',
    '0000-01-01',
    '2020-02-29T24:00:00Z',
    '2020-02-29 Z',
    ' 2020-02-29',
    '2020-02-29T00:00Z',
  ],
];

/** A filter as text, and the same as JSON. */
export interface Filter {
  readonly text: string;
  readonly json: unknown;
}

/**
 * Makes valid filters, the same ones for the same seed.
 *
 * @param isHard also with strings that have backslashes, and with geometries and operands of rarer kinds
 */
export function filterSource(seed: number, isHard: boolean): () => Filter {
  const random = new Random(seed);
  const below = (count: number) => random.below(count);
  const pick = <T>(items: readonly T[]): T => random.pick(items);
  const texts = isHard ? [...TEXTS, ...HARD_TEXTS] : TEXTS;
  const patterns = isHard ? [...PATTERNS, ...HARD_PATTERNS] : PATTERNS;

  const word = (text: string) => (below(2) === 0 ? text : text.toLowerCase());
  const string = (value: string): Filter => ({ text: quoted(value), json: value });
  const number = (): Filter => {
    const value = pick(NUMBERS);
    return { text: value === 1e6 && isHard ? '1e6' : String(value), json: value };
  };
  const boolean = (): Filter => {
    const value = below(2) === 0;
    return { text: word(value ? 'TRUE' : 'FALSE'), json: value };
  };
  const property = (name: string): Filter => ({ text: below(4) === 0 ? `"${name}"` : name, json: { property: name } });
  const folded = (op: 'casei' | 'accenti', { text, json }: Filter): Filter => ({
    text: `${word(op.toUpperCase())}(${text})`,
    json: { op, args: [json] },
  });

  /** Operands of one type: one that may be a property, and a way to make literals for it. */
  const operands = (): { left: Filter; literal: () => Filter; hasText: boolean } => {
    const [text, free] = [() => string(pick(texts)), property('free')];
    switch (below(isHard ? 7 : 5)) {
      case 0:
        return { left: property(pick(['population', 'rank'])), literal: number, hasText: false };
      case 1:
        return { left: property('coastal'), literal: boolean, hasText: false };
      case 2:
      case 3:
        return { left: property(pick(['name', 'region'])), literal: text, hasText: true };
      case 4:
        return { left: folded('casei', property('name')), literal: () => folded('casei', text()), hasText: true };
      case 5: {
        const both = (of: Filter) => folded('accenti', folded('casei', of));
        return { left: both(property('region')), literal: () => both(text()), hasText: true };
      }
      default:
        return pick([
          { left: free, literal: text, hasText: true },
          { left: free, literal: number, hasText: false },
          { left: folded('accenti', free), literal: text, hasText: true },
        ]);
    }
  };

  const negated = (isNegated: boolean, json: unknown) => (isNegated ? { op: 'not', args: [json] } : json);
  const predicate = (): Filter => {
    const { left, literal, hasText } = operands();
    const isNegated = below(3) === 0;
    const not = isNegated ? `${word('NOT')} ` : '';
    switch (below(8)) {
      case 0: {
        const [low, high] = [number(), number()];
        const value = property(pick(['population', 'rank']));
        return {
          text: `${value.text} ${not}${word('BETWEEN')} ${low.text} ${word('AND')} ${high.text}`,
          json: negated(isNegated, { op: 'between', args: [value.json, low.json, high.json] }),
        };
      }
      case 1: {
        const items = Array.from({ length: 1 + below(4) }, literal);
        return {
          text: `${left.text} ${not}${word('IN')} (${items.map(({ text }) => text).join(pick([',', ', ']))})`,
          json: negated(isNegated, { op: 'in', args: [left.json, items.map(({ json }) => json)] }),
        };
      }
      case 2: {
        const { text, json } = property(pick([...QUERYABLES.keys()]));
        return {
          text: `${text} ${word('IS')} ${not}${word('NULL')}`,
          json: negated(isNegated, { op: 'isNull', args: [json] }),
        };
      }
      case 3: {
        if (!hasText) break;
        const isFolded = left.text.toLowerCase().startsWith('casei');
        const plain = string(pick(patterns));
        const pattern = isFolded ? folded('casei', plain) : plain;
        return {
          text: `${left.text} ${not}${word('LIKE')} ${pattern.text}`,
          json: negated(isNegated, { op: 'like', args: [left.json, pattern.json] }),
        };
      }
      case 4: {
        const literalGeometry = geometry();
        return {
          text: `${word('S_INTERSECTS')}(geometry${pick([',', ', '])}${literalGeometry.text})`,
          json: { op: 's_intersects', args: [{ property: 'geometry' }, literalGeometry.json] },
        };
      }
      case 5: {
        const instant = (): Filter => {
          const [day, time] = [pick(DAYS), pick(TIMES)];
          if (below(2) === 0) return { text: `DATE('${day}')`, json: { date: day } };
          return { text: `TIMESTAMP('${time}')`, json: { timestamp: time } };
        };
        const [left, other] = [property(pick(['name', 'free'])), property('region')];
        const [a, b, op] = [instant(), instant(), pick(COMPARED)];
        return pick([
          { text: `${left.text} ${op} ${a.text}`, json: { op, args: [left.json, a.json] } },
          { text: `${a.text} ${op} ${left.text}`, json: { op, args: [a.json, left.json] } },
          {
            text: `${left.text} ${not}BETWEEN ${a.text} AND ${b.text}`,
            json: negated(isNegated, { op: 'between', args: [left.json, a.json, b.json] }),
          },
          {
            text: `${left.text} ${not}IN (${a.text}, ${other.text}, ${b.text})`,
            json: negated(isNegated, { op: 'in', args: [left.json, [a.json, other.json, b.json]] }),
          },
        ]);
      }
      case 6: {
        const [a, b] = pick([
          ['name', 'region'],
          ['population', 'rank'],
        ] as const);
        const op = pick(COMPARED);
        return { text: `${a}${op}${b}`, json: { op, args: [{ property: a }, { property: b }] } };
      }
    }
    const [right, op, space] = [literal(), pick(COMPARED), pick(['', ' '])];
    return { text: `${left.text}${space}${op}${space}${right.text}`, json: { op, args: [left.json, right.json] } };
  };

  const geometry = (): Filter => {
    const at = () => [below(5), below(5)];
    const wkt = (positions: number[][]) => `(${positions.map((position) => position.join(' ')).join(', ')})`;
    const [a, b, c] = [at(), at(), at()];
    const ring = [
      [0.5, 0.5],
      [3.5, 0.5],
      [3.5, 3.5],
      [0.5, 3.5],
      [0.5, 0.5],
    ];
    switch (below(isHard ? 6 : 4)) {
      case 0:
        return { text: `POINT(${a.join(' ')})`, json: { type: 'Point', coordinates: a } };
      case 1: {
        const box = [a[0], a[1], (a[0] as number) + below(3), (a[1] as number) + below(3)];
        return { text: `BBOX(${box.join(',')})`, json: { bbox: box } };
      }
      case 2:
        return { text: `POLYGON(${wkt(ring)})`, json: { type: 'Polygon', coordinates: [ring] } };
      case 3:
        return { text: `MULTIPOINT${wkt([a, b, c])}`, json: { type: 'MultiPoint', coordinates: [a, b, c] } };
      case 4: {
        // It crosses itself.
        const bow = [ring[0], ring[2], ring[1], ring[3], ring[0]] as number[][];
        return { text: `POLYGON(${wkt(bow)})`, json: { type: 'Polygon', coordinates: [bow] } };
      }
      default: {
        const box = [4, 0, -170, 3];
        return { text: `BBOX(${box.join(', ')})`, json: { bbox: box } };
      }
    }
  };

  const filter = (depth: number): Filter => {
    const choice = depth === 0 ? 0 : below(5);
    if (choice < 2) return predicate();
    if (choice === 2) {
      const { text, json } = filter(depth - 1);
      return { text: `${word('NOT')} (${text})`, json: { op: 'not', args: [json] } };
    }
    const op = choice === 3 ? 'and' : 'or';
    const parts = Array.from({ length: 2 + below(2) }, () => filter(depth - 1));
    return {
      text: parts.map(({ text }) => `(${text})`).join(` ${word(op.toUpperCase())} `),
      json: { op, args: parts.map(({ json }) => json) },
    };
  };
  return () => filter(2);
}

const COMPARED = ['=', '<>', '<', '>', '<=', '>='] as const;

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll("'", "''")}'`;
}
