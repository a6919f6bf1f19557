import { describe, expect, it } from 'vitest';
import { codeOf, possibleCodes } from '../../../../scripts/pipeline/boundaries/read/codes.ts';

function codeIn(properties: Record<string, unknown>, id?: unknown): unknown {
  return codeOf({ at: '', layer: '', id, properties, geometry: null });
}

describe('codeOf', () => {
  it.each([
    [{ psgc: '0102801001', m_code: '0102801000', r_code: '0100000000' }, '0102801001'],
    [{ adm1_psgc: 100000000, adm2_psgc: 102800000, adm3_psgc: 102801000 }, 102801000],
    [{ ADM4_PCODE: 'PH0102801001', ADM3_PCODE: 'PH0102801', ADM1_PCODE: 'PH01' }, 'PH0102801001'],
    [{ ADM2_PCODE: 'PH01028', ADM1_PCODE: 'PH01', ADM0_PCODE: 'PH' }, 'PH01028'],
    [{ psgc: null, adm1_psgc: '', code: '0100000000' }, '0100000000'],
    [{ '10-digit PSGC': '0100000000' }, '0100000000'],
    [{ name: 'Adams' }, null],
  ])('of %j is %s', (properties, expected) => {
    expect(codeIn(properties)).toBe(expected);
  });

  it('is the feature’s own id where no property has one', () => {
    expect(codeIn({ name: 'Adams' }, '0102801000')).toBe('0102801000');
  });
});

describe('candidates', () => {
  it.each([
    ['0102801001', ['0102801001']],
    [1380100001, ['1380100001']],
    [102801001, ['0102801001', '102801001']],
    ['012801001', ['012801001']],
    [12801001, ['012801001']],
    ['102801001.0', ['0102801001', '102801001']],
    [' PH0102801001 ', ['0102801001']],
    ['PH0102801', ['0102801000']],
    ['PH01028', ['0102800000']],
    ['PH01', ['0100000000']],
    ['PH012801000', ['012801000']],
    ['1909901001', ['1909901001', '1999901001']],
    ['PH19099', ['1909900000', '1999900000']],
    ['01', []],
    ['Adams', []],
    ['01028010011', []],
    [1.5, []],
    [Number.NaN, []],
  ])('of %j are %j', (published, expected) => {
    expect(possibleCodes(published)).toEqual(expected);
  });
});
