import { dereference, type Schema, validate } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { compiler } from '../support/keeps-to.ts';

/** Schemas by what they are about, with values that keep to them and values that do not. */
const TABLE: Record<string, [schema: Schema, good: unknown[], bad: unknown[]]> = {
  types: [{ type: ['integer', 'null'] }, [1, -2, null], [1.5, '1', true, [], {}, Number.NaN]],
  numbers: [{ type: 'number', minimum: 1, maximum: 2 }, [1, 1.5, 2], [0, 2.1, '1']],
  texts: [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '😀😀😀'], ['a', '😀', 'abcd', 1]],
  patterns: [{ pattern: '^\\d+$' }, ['12', 5], ['', 'a1']],
  formats: [{ format: 'date-time' }, ['2026-01-01T00:00:00.000Z', 1], ['2026-01-01', '']],
  'formats of nobody': [{ format: 'binary' }, ['', 'x'], []],
  lists: [{ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 }, [['a'], ['a', 'b']], [[], [1], {}]],
  positions: [
    { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: { type: 'null' } },
    [[], [1], [1, 'a'], [1, 'a', null]],
    [['a'], [1, 2], [1, 'a', 1]],
  ],
  choices: [{ enum: ['a', null] }, ['a', null], ['b', 1, []]],
  'one of several': [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['a', null], [1, []]],
  'all of several': [{ allOf: [{ minimum: 1 }, { type: 'integer' }] }, [1], [0, 1.5, 'a']],
  members: [
    { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false },
    [{ a: 1 }],
    [{}, { a: '1' }, { a: 1, b: 1 }, { a: 1, toString: 1 }, [], null],
  ],
  'members of any name': [
    { additionalProperties: { type: 'number' }, minProperties: 1 },
    [{ a: 1, constructor: 2 }],
    [{}, { a: '1' }],
  ],
  'a reference, and what is beside it': [
    { $ref: '#/$defs/Tree', required: ['name'] },
    [{ name: 'a' }, { name: 'a', children: [{ children: [{ name: 'b' }] }] }],
    [{}, { name: 1 }, { name: 'a', children: [{ children: [{ name: 1 }] }] }, { name: 'a', children: [{ x: 1 }] }],
  ],
  'what is not compiled': [{ not: { type: 'string' }, items: { uniqueItems: true } }, [1, [[1, 2]]], ['a', [[1, 1]]]],
};

const TREE: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
  additionalProperties: false,
};

describe('a compiled schema says what the validator says of', () => {
  it.each(Object.entries(TABLE))('%s', (_, [schema, good, bad]) => {
    const document: Schema = { $defs: { Tree: TREE }, properties: { value: schema } };
    const places = dereference(document);
    const keepsTo = compiler(places)(schema);
    for (const value of [...good, ...bad]) {
      const said = [keepsTo(value), validate(value, schema, '2020-12', places, false).valid];
      expect([value, ...said]).toEqual([value, good.includes(value), good.includes(value)]);
    }
  });
});
