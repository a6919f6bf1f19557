import { expect, it } from 'vitest';
import { slowText } from '../../../scripts/check/linear.ts';

it.each([
  /\([^)]*\)/g,
  /\s+$/,
  /^(.*?)\s*\(([^()]+)\)\s*$/,
  /(?:, )?\d+\.$/,
  /^(?:[a-z]+\.?)+$/,
  /^(?=(?:a|a?b|ab?)*c)/,
  /(?:[^"]|"")*;/,
  /x{3}y*z*y*!/u,
])('%s is slow on a text that is made of its parts', (regex) => {
  expect(slowText(regex)).toBeTypeOf('string');
});

it.each([
  /\([^()]*\)?/g,
  /(?<!\s)\s+$/,
  /\(([^()]+)\)\s*$/,
  /[a-z]+|\d+/gi,
  /^(?:[a-z]+\.)+$/,
  /^[a-z]{1,64}(?:-[a-z]{1,64}){0,3}$/,
  /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y,
])('%s takes time in proportion to a text', (regex) => {
  expect(slowText(regex)).toBeUndefined();
});
