import { describe, expect, it } from 'vitest';
import { choicesAt } from '../../../pages/explore/own/address.ts';
import { inTableOrder, namingColumn } from '../../../pages/explore/own/column-order.ts';
import { COARSE_COUNTS, isCountedExactly } from '../../../pages/explore/own/count-levels.ts';
import type { Features } from '../../../pages/explore/own/features.ts';
import { columnsOf, rowOf } from '../../../pages/explore/own/rows.ts';
import { createStyling } from '../../../pages/explore/own/styling.ts';
import { cellsOf, headingsOf } from '../../../pages/explore/own/workbook-cells.ts';

const ID = '0b9ff0f0-3b0a-4e6e-9a39-9d1a1f3b7f11';

/** The styling of areas with some properties, of which nothing is drawn. */
function stylingOf(name: string, ...all: Record<string, unknown>[]) {
  return stylingOfType('Polygon', name, ...all);
}

function stylingOfType(type: 'Polygon' | 'Point', name: string, ...all: Record<string, unknown>[]) {
  const rows = all.map((properties, index) => rowOf({ id: `f${index}`, properties, type }, index));
  const features = {
    rows,
    coordinates: [],
    show: async () => undefined,
    insides: async () => [],
    areas: async () => Float64Array.from(rows, () => 2),
  } as unknown as Features;
  const ask = async () => Response.json({ meta: { total: rows.length } });
  const columns = columnsOf(rows);
  return { rows, columns, styling: createStyling({ features, columns, name, ask }) };
}

describe('the columns of the table', () => {
  const orderOf = (color: string | undefined, ...all: Record<string, unknown>[]) => {
    const { rows, columns } = stylingOf('A', ...all);
    return inTableOrder(columns, { naming: namingColumn(columns, rows), color }).map(({ name }) => name);
  };

  it('are what names the rows, then what colours them, and all others as they were', () => {
    const rows = [
      { region: 'I', place: 'Abra', people: 1, psgc_name: 'Abra', status: 'Done' },
      { region: 'I', place: 'Aurora', people: 2, psgc_name: 'Aurora', status: 'Done' },
    ];
    expect(orderOf('status', ...rows)).toEqual(['place', 'status', 'region', 'people', 'psgc_name']);
    expect(orderOf('place', ...rows)).toEqual(['place', 'region', 'people', 'psgc_name', 'status']);
    expect(orderOf(undefined, ...rows)).toEqual(Object.keys(rows[0] as object));
    expect(orderOf('none', ...rows)).toEqual(Object.keys(rows[0] as object));
  });

  it('begin with the one called name, or with the published names where others repeat', () => {
    expect(orderOf('a', { id: 'x', a: 1, Name: 'A' })).toEqual(['Name', 'a', 'id']);
    const same = { town: 'San Jose', a: 1 };
    expect(orderOf('a', { ...same, psgc_name: 'A' }, { ...same, psgc_name: 'B' })).toEqual(['psgc_name', 'a', 'town']);
    expect(orderOf('a', same, same)).toEqual(['town', 'a']);
    expect(orderOf('a', { b: 2, a: 1 })).toEqual(['a', 'b']);
  });
});

describe('the name of a feature', () => {
  const namesOf = (query: string, ...all: Record<string, unknown>[]) => {
    const { rows, styling } = stylingOf('A', ...all);
    const choices = choicesAt(`#/datasets/${ID}?${query}`);
    return rows.map((row) => [styling.nameOf(row), styling.hintOf(row, choices)]);
  };

  it.each(['Pangalan', 'ngalan', 'Name', 'TITLE', 'Label '])('is that of the column %s', (heading) => {
    const [first] = namesOf('color=kind', { kind: 'dug', note: 'x', [heading]: 'Balon' });
    expect(first).toEqual(['Balon', 'Balon\nkind: dug']);
  });

  it('is the published one of a matched place before any other', () => {
    const [first] = namesOf('color=none', { Pangalan: 'Sugbo', psgc_name: 'Cebu' });
    expect(first).toEqual(['Cebu', 'Cebu']);
  });

  it('is else the first text that each has another of, or the first text', () => {
    const wells = [
      { n: 1, kind: 'dug', owner: 'Ana' },
      { n: 2, kind: 'dug', owner: 'Ben' },
    ];
    expect(namesOf('color=kind', ...wells)[1]).toEqual(['Ben', 'Ben\nkind: dug']);
    expect(namesOf('color=n', { n: 1, kind: 'dug' }, { n: 2, kind: 'dug' })[1]).toEqual(['dug', 'dug\nn: 2']);
    expect(namesOf('color=none', { n: 1 })).toEqual([['', '']]);
  });

  it('is not said beside the value of the same column', () => {
    expect(namesOf('color=kind', { n: 1, kind: 'dug' })).toEqual([['dug', 'kind: dug']]);
  });
});

describe('the key of the sizes', () => {
  it('is there with colours and without, as long as points have sizes', async () => {
    const { rows, styling } = stylingOf('A', { depth: 9, kind: 'dug' }, { depth: 3, kind: 'dug' });
    const areas = await styling.show(rows, choicesAt(`#/datasets/${ID}?size=depth`));
    expect(areas?.sizes).toBeUndefined();
    const points = stylingOfType('Point', 'A', { depth: 9, kind: 'dug' }, { depth: 3, kind: 'dug' });
    for (const [query, expected] of [
      ['color=none&size=depth', ['depth', ['2', '5']]],
      ['color=kind&size=depth', ['depth', ['2', '5']]],
      ['color=kind', undefined],
    ] as const) {
      const drawn = await points.styling.show(points.rows, choicesAt(`#/datasets/${ID}?${query}`));
      const key = drawn?.sizes && [drawn.sizes.title, drawn.sizes.circles.map(({ label }) => label)];
      expect([query, key]).toEqual([query, expected]);
    }
  });
});

describe('the rate of a table', () => {
  it('is there under the title of the legend as long as numbers are divided', async () => {
    const { rows, styling } = stylingOf('A', { cases: 7 }, { cases: null });
    const show = (query: string) => styling.show(rows, choicesAt(`#/datasets/${ID}?${query}`));
    await show('color=cases');
    expect(styling.rateOf({ color: 'cases' })).toBeUndefined();
    const drawn = await show('color=cases&rate=area');
    const rate = styling.rateOf({ color: 'cases' });
    expect(rate?.title).toBe(drawn?.legend?.title);
    expect(rows.map((row) => rate?.numberFor(row))).toEqual([3.5, undefined]);
    expect(styling.rateOf({ color: undefined })).toBeUndefined();
  });
});

describe('the title of a map', () => {
  const titleOf = async (name: string, query: string) => {
    const { rows, styling } = stylingOf(name, { poverty: 11, status: 'Done' }, { poverty: 7, status: 'Ongoing' });
    const drawn = await styling.show(rows, choicesAt(`#/datasets/${ID}?${query}`));
    return drawn?.legend?.words.title;
  };

  it('follows the colours where the dataset is called by another of its columns', async () => {
    expect(await titleOf('poverty', 'color=status')).toBe('status');
    expect(await titleOf('poverty', 'color=poverty&rate=area')).toBe('poverty per km²');
  });

  it('is the name of the dataset where that is no column, or the one of the colours', async () => {
    expect(await titleOf('Survey', 'color=status')).toBe('');
    expect(await titleOf('poverty', 'color=poverty')).toBe('');
  });

  it('is what the author wrote', async () => {
    expect(await titleOf('poverty', 'color=status&title=Mine')).toBe('Mine');
  });
});

describe('the grey land of a map', () => {
  const legendOf = async (query: string, listed: number) => {
    const { rows, styling } = stylingOf(
      'A',
      { psgc_code: '0102800000', cases: 7 },
      { psgc_code: '0102900000', cases: 1 },
    );
    const drawn = await styling.show(rows.slice(0, listed), choicesAt(`#/datasets/${ID}?color=cases${query}`));
    const { rest, noun, isFiltered } = drawn?.legend ?? {};
    return { rest, noun, isFiltered };
  };

  it('is of no row, unless rows are left out: then it is of those', async () => {
    expect(await legendOf('', 2)).toEqual({ rest: 'Not in the data', noun: 'areas', isFiltered: false });
    expect(await legendOf('', 1)).toEqual({ rest: 'Not chosen', noun: 'areas', isFiltered: true });
  });

  it('is called as the author writes, and so is what is counted', async () => {
    const words = '&rest=Wala+sa+datos&unchosen=Hindi+napili&noun=lalawigan';
    expect(await legendOf(words, 2)).toEqual({ rest: 'Wala sa datos', noun: 'lalawigan', isFiltered: false });
    expect(await legendOf(words, 1)).toEqual({ rest: 'Hindi napili', noun: 'lalawigan', isFiltered: true });
  });
});

describe('counts by coarse boundaries', () => {
  it('are said to be so in the legend, which goes into embeds, pictures and prints', async () => {
    const { rows, columns, styling } = stylingOf('A', { points: 0 }, { points: 4 });
    const remarkOf = async (one: typeof styling) =>
      (await one.show(rows, choicesAt(`#/datasets/${ID}?color=points`)))?.legend?.remark;
    const features = { rows, coordinates: [], show: async () => undefined, insides: async () => [] };
    const ask = async () => Response.json({ meta: { total: rows.length } });
    const options = { features: features as unknown as Features, columns, name: 'A', ask, isCounted: true };
    expect(await remarkOf(styling)).toBe('');
    expect(await remarkOf(createStyling(options))).toBe('');
    expect(await remarkOf(createStyling({ ...options, isCoarse: true }))).toBe(COARSE_COUNTS);
  });

  it('are said to be so in a workbook', () => {
    const columns = [{ name: 'name' }, { name: 'points' }];
    expect(headingsOf(columns, { title: 'points per km²' }, true)).toEqual([
      ...['name', 'points, by coarse boundaries', 'points per km², by coarse boundaries'],
    ]);
    expect(headingsOf(columns, undefined, false)).toEqual(['name', 'points']);
  });

  it('are made only where exact ones can’t be had, or would take many requests', () => {
    const isBy = (query: string, features: number, canCount = true) =>
      isCountedExactly(choicesAt(`#/datasets/${ID}?${query}`), { canCount, features });
    expect([isBy('areas=province', 178), isBy('areas=province', 2000), isBy('', 178)]).toEqual([true, true, false]);
    expect([isBy('areas=province', 2001), isBy('areas=province&counts=exact', 2001)]).toEqual([false, true]);
    expect([isBy('areas=province', 178, false), isBy('areas=province&counts=exact', 178, false)]).toEqual([
      ...[false, false],
    ]);
  });
});

describe('the listed rows as a workbook', () => {
  const saved = (...values: unknown[]) => {
    const rows = values.map((a, index) => rowOf({ id: `f${index}`, properties: { a }, type: 'Polygon' }, index));
    return cellsOf(columnsOf(rows), rows).map(([cell]) => cell);
  };

  it('have numbers in columns of numbers and of words for none, and texts in all others', () => {
    expect(saved('9.8', '57,088', 'n.a.', '', null)).toEqual([9.8, 57_088, 'n.a.', null, null]);
    expect(saved('9.8', '57088', 'many')).toEqual(['9.8', '57088', 'many']);
    expect(saved('007', '12')).toEqual(['007', '12']);
    expect(saved('0702200000', '1380600000')).toEqual(['0702200000', '1380600000']);
    expect(saved('12%', '8%')).toEqual(['12%', '8%']);
    expect(saved(5, 'many')).toEqual([5, 'many']);
    // Ten numbers beside one text do not make it a number.
    expect(saved(...Array.from({ length: 10 }, () => '1'), 'x').at(0)).toBe('1');
  });
});
