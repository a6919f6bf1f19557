import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberTexts, unstorable, unstorableParsed } from '../../../src/geojson/json.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('a JSON value', () => {
  it.each([1, 'é', null, [], { a: [{ b: '🇵🇭' }] }, nested(64)])('can be stored: %j', (value) => {
    expect(unstorable(value)).toBeUndefined();
  });

  it.each<[unknown, RegExp]>([
    ['\0', /U\+0000/],
    [{ 'a\0': 1 }, /U\+0000/],
    [[1, { a: ['\ud800'] }], /well-formed/],
    [nested(65), /deeper than 64/],
    [nested(100_000), /deeper than 64/],
  ])('can not be stored', (value, fault) => {
    expect(unstorable(value)).toMatch(fault);
  });

  it('is changed by parsing where it has a number too large for a double', () => {
    expect(unstorableParsed(JSON.parse('{"a":[1.7976931348623157e308,-0,"1e400"]}'))).toBeUndefined();
    expect(unstorableParsed(JSON.parse('{"a":[{"b":-1e400}]}'))).toMatch(/beyond 1.79/);
    expect(unstorableParsed(['\0'])).toMatch(/U\+0000/);
  });
});

describe('the members of an object in JSON text', () => {
  it('are the texts that they are', () => {
    const text =
      '{ "a\\"\\\\" : 1.10,"\\u00f1":[ {"}":"]\\\\"} , 12345678901234567890],"": null ,"__proto__":"\\","\t}';
    expect([...memberTexts(text)]).toEqual([
      ['a"\\', '1.10'],
      ['ñ', '[ {"}":"]\\\\"} , 12345678901234567890]'],
      ['', 'null'],
      ['__proto__', '"\\","'],
    ]);
    expect(memberTexts('{ }').size).toBe(0);
  });

  it('are those that parsing finds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const found = [...memberTexts(JSON.stringify(value, null, space))];
        expect(Object.fromEntries(found.map(([name, text]) => [name, JSON.parse(text)]))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });
});
