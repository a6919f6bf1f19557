import { describe, expect, it } from 'vitest';
import type { Queryables } from '../../../src/cql2/expression.ts';
import { predicateOf, type RowColumns } from '../../../src/cql2/predicate.ts';
import { parseCql2Text } from '../../../src/cql2/text.ts';

const QUERYABLES: Queryables = new Map([
  ['s', 'string'],
  ['t', 'string'],
  ['n', 'number'],
  ['b', 'boolean'],
  ['geometry', 'geometry'],
  ['free', 'any'],
]);

/** Whether one row with these values passes a filter. */
function passes(filter: string, row: Record<string, string | number | boolean | null>): boolean {
  const columns: RowColumns = {
    valueOf: (name) => () => row[name] ?? null,
    intersects:
      ({ type }) =>
      () =>
        row.geometry == null ? null : row.geometry === type,
  };
  return predicateOf(parseCql2Text(filter, QUERYABLES), columns)(0);
}

describe('LIKE', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['%', '', true],
    ['%%', 'a', true],
    ['_%', '', false],
    ['_%', 'a', true],
    ['%_', 'a', true],
    ['_', 'ab', false],
    ['ab', 'ab', true],
    ['ab', 'abc', false],
    ['ab', 'xab', false],
    ['a%', 'abc', true],
    ['%c', 'abc', true],
    ['%c', 'ccc', true],
    ['a%c', 'ac', true],
    ['a%a', 'a', false],
    ['ab%ba', 'aba', false],
    ['%b%', 'abc', true],
    ['%a_c%', 'aabxabc', true],
    ['%_a%_a', 'aaa', false],
    ['%_a%_a', 'aaaa', true],
    ['%ab%ab%', 'aab', false],
    ['%a%ab', 'aab', true],
    ['A', 'a', false],
    ['\\%', '%', true],
    ['\\%', 'a', false],
    ['\\_\\_', '__', true],
    ['a\\bc', 'abc', true],
    ['_', '𝒜', true],
    ['__', '𝒜', false],
    ['%_', '𝒜', true],
    ['_%_', '𝒜', false],
    ['%__b', '𝒜ab', true],
    ['%a_%b', 'a𝒜𝒜b', true],
    ['_ñ%', 'Añ', true],
  ])('%j: %j is %s', (pattern, s, is) => {
    // Strings read \b as an escape, which JSON and so this test do not.
    expect(passes(`s LIKE '${pattern.replaceAll('\\', '\\\\')}'`, { s })).toBe(is);
  });
});

it.each([
  ["s = 'é'", { s: 'é' }, true],
  ["s = 'É'", { s: 'é' }, false],
  ["s < '\u{10000}'", { s: '\uFFFD' }, true],
  ["s > '\uFFFD'", { s: '\u{10000}' }, true],
  ["s < '\u{10001}'", { s: '\u{10000}' }, true],
  ["s < 'b'", { s: 'B' }, true],
  ["s <= 'ab'", { s: 'a' }, true],
  ['b > false', { b: true }, true],
  ['b', { b: true }, true],
  ['b', { b: false }, false],
  ['NOT b', { b: null }, false],
  ['NOT n = 1', { n: 2 }, true],
  ['NOT n = 1', { n: null }, false],
  ['NOT NOT n = 1', { n: null }, false],
  ['n = 1 OR true', { n: null }, true],
  ['n = 1 AND false', { n: null }, false],
  ['NOT (n = 1 AND false)', { n: null }, true],
  ['NOT (n = 1 AND true)', { n: null }, false],
  ['NOT (n = 1 OR false)', { n: null }, false],
  ['n BETWEEN 1 AND 3', { n: 1 }, true],
  ['n BETWEEN 3 AND 1', { n: 2 }, false],
  ['n NOT BETWEEN 3 AND 1', { n: 2 }, true],
  ['n NOT BETWEEN 3 AND 1', { n: null }, false],
  ['n IN (1, 2)', { n: 2 }, true],
  ['n NOT IN (1, 2)', { n: null }, false],
  ["s IN ('a', t)", { s: 'x', t: 'x' }, true],
  ["s NOT IN ('a', t)", { s: 'x', t: null }, false],
  ["s IN ('x', t)", { s: 'x', t: null }, true],
  ["NOT s LIKE 'a'", { s: null }, false],
  ['s IS NULL', { s: null }, true],
  ['free IS NOT NULL', { free: 1 }, true],
  ["CASEI(s) = CASEI('LAS PIÑAS')", { s: 'Las Piñas' }, true],
  ["CASEI(s) LIKE CASEI('%PIÑ%')", { s: 'Las Piñas' }, true],
  ["CASEI(s) IN (CASEI('X'), CASEI('LAS PIÑAS'))", { s: 'Las Piñas' }, true],
  ["ACCENTI(s) = ACCENTI('Las Pin\u0303as')", { s: 'Las Piñas' }, true],
  ["ACCENTI(s) = 'Las Pinas'", { s: 'Las Piñas' }, true],
  ["CASEI(s) = CASEI('x')", { s: null }, false],
  ['free = 1', { free: 1 }, true],
  ["free = '1'", { free: 1 }, false],
  ["NOT free = '1'", { free: 1 }, false],
  ["NOT CASEI(free) = '1'", { free: 1 }, false],
  ['S_INTERSECTS(geometry, POINT(1 2))', { geometry: 'Point' }, true],
  ['NOT S_INTERSECTS(geometry, POINT(1 2))', { geometry: 'Polygon' }, true],
  ['NOT S_INTERSECTS(geometry, POINT(1 2))', { geometry: null }, false],
])('%s of %j is %s', (filter, row, is) => {
  expect(passes(filter, row)).toBe(is);
});
