import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readStored } from '../read.ts';

const placemark = (name: string) =>
  `<Placemark><name>${name}</name><Point><coordinates>121,14</coordinates></Point></Placemark>`;
const link = (href: string) => `<NetworkLink><Link><href>${href}</href></Link></NetworkLink>`;
const kml = (content: string) => strToU8(`<kml><Document>${content}</Document></kml>`);
const archive = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, kml(content)])));
const namesOf = async (files: Record<string, string>) =>
  (await readStored('a.kmz', archive(files))).features.map(({ properties }) => properties?.name);

/** An archive with its directory as zip64 has it, as `zip -fz` writes it: what the records say is in their extra field. */
function wide(files: Record<string, string>): Uint8Array {
  const narrow = archive(files);
  const view = new DataView(narrow.buffer, narrow.byteOffset, narrow.length);
  const end = narrow.length - 22;
  const [count, from] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  const records: number[] = [];
  for (let at = from; at < end; ) {
    const length = 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true);
    const extra = new DataView(new ArrayBuffer(28));
    extra.setUint16(0, 1, true);
    extra.setUint16(2, 24, true);
    for (const [i, offset] of [24, 20, 42].entries()) {
      extra.setBigUint64(4 + 8 * i, BigInt(view.getUint32(at + offset, true)), true);
      view.setUint32(at + offset, 0xffffffff, true);
    }
    view.setUint16(at + 30, view.getUint16(at + 30, true) + 28, true);
    records.push(...narrow.subarray(at, at + length), ...new Uint8Array(extra.buffer));
    at += length;
  }
  const ends = new DataView(new ArrayBuffer(56 + 20 + 22));
  ends.setUint32(0, 0x06064b50, true);
  ends.setBigUint64(4, 44n, true);
  for (const offset of [24, 32]) ends.setBigUint64(offset, BigInt(count), true);
  ends.setBigUint64(40, BigInt(records.length), true);
  ends.setBigUint64(48, BigInt(from), true);
  ends.setUint32(56, 0x07064b50, true);
  ends.setBigUint64(64, BigInt(from + records.length), true);
  ends.setUint32(76, 0x06054b50, true);
  for (const offset of [84, 86]) ends.setUint16(offset, 0xffff, true);
  for (const offset of [88, 92]) ends.setUint32(offset, 0xffffffff, true);
  return Uint8Array.from([...narrow.subarray(0, from), ...records, ...new Uint8Array(ends.buffer)]);
}

/** An archive behind a program that extracts it. */
const behindProgram = (bytes: Uint8Array) => Uint8Array.from([...strToU8('#!/bin/sh\nPK\n'), ...bytes]);

/** An archive with a comment. */
function commented(bytes: Uint8Array, comment: Uint8Array): Uint8Array {
  const all = Uint8Array.from([...bytes, ...comment]);
  new DataView(all.buffer).setUint16(bytes.length - 2, comment.length, true);
  return all;
}

describe('an archive', () => {
  const files = { 'doc.kml': placemark('a'), 'b.kml': placemark('b') };
  const end = Uint8Array.from([0x50, 0x4b, 5, 6, ...new Uint8Array(30)]);

  it.each<[string, Uint8Array]>([
    ['of zip64', wide(files)],
    ['that extracts itself', behindProgram(archive(files))],
    ['of zip64 that extracts itself', behindProgram(wide(files))],
    ['whose comment looks like an end', commented(archive(files), end)],
    ['of zip64 with the longest comment', commented(wide(files), new Uint8Array(0xffff).fill(0x50))],
    ['with something behind it', Uint8Array.from([...archive(files), 0x0a])],
  ])('%s is read', async (_, bytes) => {
    const { features } = await readStored('a.kmz', bytes);
    expect(features.map(({ properties }) => properties?.name)).toEqual(['a']);
  });

  it('of zip64 whose directory lies is refused', async () => {
    const bytes = wide(files);
    const view = new DataView(bytes.buffer);
    const record = bytes.length - 98;
    for (const offset of [32, 40, 48]) {
      const was = view.getBigUint64(record + offset, true);
      view.setBigUint64(record + offset, 2n ** 63n, true);
      await expect(readStored('a.kmz', bytes)).rejects.toMatchObject({ name: 'FileFault' });
      view.setBigUint64(record + offset, was, true);
    }
  });
});

describe('a KMZ', () => {
  it('has the Placemarks of the layer that is named, of all its documents', async () => {
    const folder = (name: string, content: string) => `<Folder><name>${name}</name>${content}</Folder>`;
    const bytes = archive({
      'doc.kml': `<name> all </name>${placemark('a')}${folder('x', placemark('b') + folder('y', placemark('c')))}${link('l.kml')}`,
      'l.kml': `<name>l</name>${placemark('d')}${folder('x', placemark('e'))}<Folder>${placemark('f')}</Folder>`,
    });
    const inLayer = async (layer?: string) =>
      (await readStored('a.kmz', bytes, 4326, { layer })).features.map(({ properties }) => properties?.name).join('');
    const layers = [undefined, 'all', 'x', 'y', 'l'];
    expect(await Promise.all(layers.map(inLayer))).toEqual(['abcdef', 'abc', 'bce', 'c', 'def']);
    await expect(inLayer('X')).rejects.toThrow('has not one layer "X" in it (field layer), but "all", "x", "y", "l"');
    const unnamed = readStored('a.kmz', archive({ 'doc.kml': placemark('a') }), 4326, { layer: 'X' });
    await expect(unnamed).rejects.toThrow('(field layer), but none');
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['doc.kml', { 'a.kml': placemark('a'), 'DOC.KML': placemark('doc') }, ['doc']],
    ['the first document', { 'f/doc.kml': placemark('f'), 'b.kml': placemark('b'), 'a.kml': placemark('a') }, ['b']],
    ['a document in a folder', { 'f/x.kml': placemark('x'), '__MACOSX/._x.kml': placemark('m') }, ['x']],
    [
      'what it links to, each once',
      {
        'doc.kml': link('layers/a%20b.kml') + placemark('doc') + link(' ./layers/c.kml ') + link('layers/c.kml'),
        'layers/a b.kml': placemark('a') + link('../doc.kml') + link('sub/d.kml'),
        'layers/c.kml': placemark('c'),
        'layers/sub/d.kml': placemark('d'),
        'layers/e.kml': placemark('e'),
      },
      ['doc', 'a', 'c', 'd'],
    ],
    [
      'nothing outside of it',
      {
        'doc.kml': placemark('doc') + link('https://example.org/a.kml') + link('%zz') + link(''),
        'a.kml': placemark('a'),
      },
      ['doc'],
    ],
  ])('is read from %s', async (_, files, names) => {
    expect(await namesOf(files)).toEqual(names);
  });

  it('is refused with the document and the location in it', async () => {
    const refusal = (bytes: Uint8Array) => readStored('a.kmz', bytes).catch((error: Error) => error);
    expect(await refusal(archive({ 'a.txt': '' }))).toMatchObject({ message: 'has no .kml file in it' });
    const wrong = archive({ 'doc.kml': link('b.kml'), 'b.kml': '\n<Placemark><Point><coordinates>1,x</coordinates>' });
    expect(await refusal(wrong)).toMatchObject({
      message: expect.stringMatching(/coordinates must be numbers/),
      location: expect.stringMatching(/^"b.kml", line 2, column \d+$/),
    });
    const beyond = archive({ 'doc.kml': '<Placemark><Point><coordinates>1,91</coordinates></Point></Placemark>' });
    expect(await refusal(beyond)).toMatchObject({
      message: expect.stringMatching(/latitude.*\("doc.kml", line 1, .*\)/),
    });
    const linking = archive({ 'doc.kml': link('b.kml') + link('https://example.org/a.kml'), 'b.kml': link('c.kml') });
    expect(await refusal(linking)).toMatchObject({
      message: expect.stringMatching(/^has no Placemark, but links to "https:\/\/example.org\/a.kml" and 1 more/),
    });
    expect(await refusal(archive({ 'doc.kml': '' }))).toMatchObject({
      message: expect.stringMatching(/^has no Placemark, so/),
    });
    const bomb = zipSync({ 'doc.kml': new Uint8Array(3_000_000) });
    expect(await refusal(bomb)).toMatchObject({ message: expect.stringMatching(/more than 200 times/) });
    expect(await refusal(strToU8('no archive'))).toMatchObject({ message: expect.stringMatching(/no zip archive/) });
  });
});

it('gives way to others while content without features is unpacked', async () => {
  // Each folder is read, and none gives a feature for which the reader would wait.
  const empty = `<Folder>${'<a/>'.repeat(40)}</Folder>`.repeat(40_000);
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setTimeout(count);
  };
  let timer = setTimeout(count);
  // The ratio of an entry is limited, so that the content is stored.
  const bytes = zipSync({ 'doc.kml': [kml(empty + placemark('a')), { level: 0 }] });
  expect((await readStored('a.kmz', bytes)).features.length).toBe(1);
  clearTimeout(timer);
  expect(turns).toBeGreaterThan(empty.length / (1024 * 1024));
});
