import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../../src/geojson/exact-json.ts';
import { itemTexts } from '../../../src/geojson/json.ts';
import { jsonFaultAt } from '../../../src/geojson/json-fault.ts';

describe('JSON that is parsed exactly', () => {
  it.each([
    '[12345678901234567890,-9007199254740993,0.1234567890123456789,1.00000000000000000001e-7]',
    '{"a":{"b":[9007199254740993]},"c":"12345678901234567890"}',
    '98765432109876543210',
    '9007199254740993',
    '[-12345678.90123456789]',
    '0.1000000000000000001',
    '[0.1e-500,-1E-400,{"a":1.234e-320,"b":5e-324}]',
  ])('is written with the digits that it had: %s', (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text);
  });

  it('has numbers where doubles have all their digits, and where no number is as large', () => {
    const text = '[9007199254740991,120.98420000000002,1e300,-0,1e999,0e-999,-0.0e-500,1e-307,"12345678901234567890"]';
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it('is the same as otherwise but for long numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify([value, 0.12345678901234566]);
        expect(JSON.stringify(parseExactly(text))).toBe(text);
      }),
    );
  });
});

it('has the items of an array, each as its text', () => {
  expect(itemTexts('[]')).toEqual([]);
  expect(itemTexts('[ ]')).toEqual([]);
  expect(itemTexts('[ 1.10 ,{"a":[1,2]},"],\\"", [ ] ]')).toEqual(['1.10', '{"a":[1,2]}', '"],\\""', '[ ]']);
});

describe('the fault of a text that is no JSON', () => {
  it.each<[string, number]>([
    ['', 0],
    [' \n', 2],
    ['{"a":tru}', 5],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ["{'a':1}", 1],
    ['{"a":1', 6],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{]', 1],
    ['01', 1],
    ['1.', 1],
    ['-', 0],
    ['NaN', 0],
    ['[1]]', 3],
    ['"a', 2],
    ['"a\tb"', 2],
    ['["\\x"]', 2],
    ['"\\u12"', 1],
    ['\ufeff{}', 0],
    ['{"a":[{"b":"}"},// x\n]}', 16],
    ['['.repeat(100_000), 100_000],
  ])('%j is at %d', (text, at) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(jsonFaultAt(text)).toBe(at);
  });

  it('is where a byte was inserted that JSON does not allow', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, where) => {
        const text = JSON.stringify(value, null, 1);
        const at = where % (text.length + 1);
        const found = jsonFaultAt(`${text.slice(0, at)}\u0001${text.slice(at)}`);
        // In a number, a word or an escape the fault is where that begins.
        expect(found).toBeLessThanOrEqual(at);
        expect(text.slice(found, at)).toMatch(/^(\\.{0,4}|[-+\w.]*)$/);
        expect(jsonFaultAt(text)).toBe(text.length);
      }),
    );
  });
});
