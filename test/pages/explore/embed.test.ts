import { describe, expect, it } from 'vitest';
import { addressIn, framedDataset, framedPlace, frameLine } from '../../../pages/explore/embed-line.ts';
import { choicesAt, fragmentOfDataset } from '../../../pages/explore/own/address.ts';
import { headOf } from '../../../pages/explore/own/public.ts';
import { styleIn, styleInMetadata, withoutSavedStyle, withSavedStyle } from '../../../pages/explore/own/saved-style.ts';
import { boxAt, withBox, withBoxOf } from '../../../pages/explore/view-box.ts';

const ID = '6f1c9f0e-8a8e-4a52-9a38-3c1f2b8f2f10';
const HOSTILE = '"><script>alert(1)</script>&amp;';

const AS_IT_IS = { theme: 'auto', height: 450 } as const;
const embedLine = (...args: Parameters<typeof framedDataset>) => frameLine(framedDataset(...args), AS_IT_IS);

describe('the line that embeds a dataset', () => {
  it('has all that is chosen but the order of the table and the marked feature', () => {
    const chosen = `color=kind&size=depth_m&find=well+1&filters=${encodeURIComponent('[["kind",{"values":["dug"]}]]')}`;
    const hash = `#/datasets/${ID}?${chosen}&sort=name&order=desc&feature=a`;
    const line = embedLine({ id: ID, name: 'Wells' }, { origin: 'https://geo.example', hash });
    const [, address = ''] = /src="([^"]*)"/.exec(line) ?? [];
    const { origin, pathname, hash: shown } = new URL(address.replaceAll('&amp;', '&'));
    expect([origin, pathname]).toEqual(['https://geo.example', '/embed']);
    expect(choicesAt(shown)).toEqual({ ...choicesAt(hash), sort: undefined, isDescending: false, feature: undefined });
  });

  it('is one element, whatever names have in them', () => {
    const choices = { ...choicesAt(''), color: HOSTILE, find: HOSTILE };
    const hash = fragmentOfDataset(ID, choices);
    const line = embedLine({ id: ID, name: HOSTILE }, { origin: 'https://geo.example', hash });
    expect(line.match(/</g)).toHaveLength(2);
    expect(line).toContain('title="&quot;>&lt;script>alert(1)&lt;/script>&amp;amp;"');
    expect(line).toMatch(/^<iframe( [a-z]+="[^"]*")+><\/iframe>$/);
  });
});

describe('the line that embeds a place', () => {
  it('has the address of the explorer, and its name as the title', () => {
    const address = { origin: 'https://geo.example', hash: '#/provinces/0702200000?bbox=1%2C2%2C3%2C4' };
    expect(frameLine(framedPlace(HOSTILE, address), AS_IT_IS)).toMatch(
      /^<iframe src="https:\/\/geo.example\/embed#\/provinces\/0702200000\?bbox=1%2C2%2C3%2C4" title="[^"<]*"/,
    );
    expect(withBox('#/regions/1?edition=2023-4q', [1, 2, 3, 4.00001])).toBe(
      '#/regions/1?edition=2023-4q&bbox=1%2C2%2C3%2C4',
    );
    expect(boxAt(withBox('', [1, 2, 3, 4]))).toEqual([1, 2, 3, 4]);
    expect(boxAt(withBoxOf('#/regions/1', '#/regions/2?bbox=1,2,3,4'))).toEqual([1, 2, 3, 4]);
    expect(withBoxOf('#/regions/1', '#/regions/2?edition=2023-4q')).toBe('#/regions/1');
    expect(boxAt('#/regions/1')).toBeUndefined();
  });

  it('has the title of the author where there is one', () => {
    const hash = `#/datasets/${ID}?color=a&title=Wells+of+Cebu`;
    expect(embedLine({ id: ID, name: 'Wells' }, { origin: 'https://geo.example', hash })).toContain(
      'title="Wells of Cebu"',
    );
  });
});

describe('the theme of an embed', () => {
  it('is in its address, and left out where the device of the reader decides', () => {
    const framed = (hash: string) => framedPlace('Cebu', { origin: 'https://geo.example', hash });
    expect(addressIn(framed('#/provinces/1'), 'dark')).toBe('https://geo.example/embed#/provinces/1?theme=dark');
    expect(addressIn(framed('#/provinces/1?bbox=1'), 'light')).toMatch(/#\/provinces\/1\?bbox=1&theme=light$/);
    expect(addressIn(framed('#/provinces/1'), 'auto')).toBe('https://geo.example/embed#/provinces/1');
    const line = frameLine(framed('#/provinces/1?bbox=1'), { theme: 'light', height: 520 });
    expect(line).toContain('bbox=1&amp;theme=light" title="Cebu" width="100%" height="520"');
  });
});

describe('a style that is kept with a dataset', () => {
  const plain = `#/datasets/${ID}`;
  const style = 'color=cases&classes=3&scheme=Purples&title=Kept';

  it('is that of its address, without what is searched, filtered or marked', () => {
    expect(styleIn(`${plain}?find=a&${style}&feature=1&sort=b&bbox=1,2,3,4`)).toBe(style);
    expect(styleIn(plain)).toBe('');
  });

  it('is shown where an address does not say what the colours show', () => {
    expect(withSavedStyle(plain, style)).toBe(`${plain}?${style}`);
    expect(choicesAt(withSavedStyle(`${plain}?feature=7&title=Mine`, style))).toEqual(
      choicesAt(`${plain}?color=cases&classes=3&scheme=Purples&title=Mine&feature=7`),
    );
    for (const hash of [`${plain}?color=change`, `${plain}?color=`]) expect(withSavedStyle(hash, style)).toBe(hash);
    expect(withSavedStyle(plain, undefined)).toBe(plain);
    // Nothing but a style is taken from it.
    expect(withSavedStyle(plain, 'color=a&feature=1&filters=x&theme=dark#/datasets/x')).toBe(`${plain}?color=a`);
  });

  it('is left out of an address that has the same', () => {
    expect(withoutSavedStyle(`${plain}?${style}`, style)).toBe(plain);
    expect(withoutSavedStyle(`${plain}?${style}&find=a`, `${style}&find=b`)).toBe(`${plain}?find=a`);
    for (const kept of [undefined, 'color=cases', ''])
      expect(withoutSavedStyle(`${plain}?${style}`, kept)).toBe(`${plain}?${style}`);
  });

  it('is a text of an object of metadata, and not too long', () => {
    expect(styleInMetadata({ map_style: style, phone: 1 })).toBe(style);
    for (const metadata of [
      null,
      'map_style',
      ['map_style'],
      {},
      { map_style: { color: 'a' } },
      { map_style: 'x'.repeat(4001) },
    ])
      expect(styleInMetadata(metadata)).toBeUndefined();
  });
});

describe('the head of a public dataset', () => {
  it('is read without its features, whatever its texts have in them', () => {
    const head = { name: 'a,"features":[', description: '"\\",\\"features\\":['.repeat(500), feature_count: 1 };
    const text = JSON.stringify({ type: 'FeatureCollection', ...head, bbox: [1, 2, 3, 4], features: [{ id: '{' }] });
    const bytes = new TextEncoder().encode(text).buffer;
    expect(headOf(bytes)).toEqual({ type: 'FeatureCollection', ...head, bbox: [1, 2, 3, 4] });
  });

  it('is found behind the longest description', () => {
    const description = '\u0085'.repeat(10_000);
    const text = JSON.stringify({ name: 'ñ'.repeat(256), description, features: [] }).replaceAll('\u0085', '\\u0085');
    const padded = text.replace(']}', `${'{},'.repeat(100_000)}{}]}`);
    expect(headOf(new TextEncoder().encode(padded).buffer).description).toBe(description);
  });
});
