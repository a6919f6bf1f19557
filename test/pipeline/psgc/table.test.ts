import { describe, expect, it } from 'vitest';
import { Table } from '../../../scripts/pipeline/psgc/table.ts';

describe('a table with another header', () => {
  it.each([
    ['code,title\n', 'areas.csv, line 1: the header is "code,title", not "code,name"'],
    // As git writes it where it is told to change the ends of lines.
    ['code,name\r\n1,a\r\n', 'areas.csv, line 1: the header is "code,name\\r", not "code,name"'],
  ])('is refused with what it is and what it should be: %j', (text, message) => {
    expect(() => new Table('areas.csv', text, 'code,name')).toThrow(new Error(message));
  });
});
