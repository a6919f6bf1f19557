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

describe('a KMZ', () => {
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

  it('is refused with the document and the place in it', async () => {
    const refusal = (bytes: Uint8Array) => readStored('a.kmz', bytes).catch((error: Error) => error);
    expect(await refusal(archive({ 'a.txt': '' }))).toMatchObject({ message: 'has no .kml file in it' });
    const wrong = archive({ 'doc.kml': link('b.kml'), 'b.kml': '\n<Placemark><Point><coordinates>1,x</coordinates>' });
    expect(await refusal(wrong)).toMatchObject({
      message: expect.stringMatching(/coordinates must be numbers/),
      place: expect.stringMatching(/^"b.kml", line 2, column \d+$/),
    });
    const beyond = archive({ 'doc.kml': '<Placemark><Point><coordinates>1,91</coordinates></Point></Placemark>' });
    expect(await refusal(beyond)).toMatchObject({ message: expect.stringMatching(/latitude.*line 1.*\("doc.kml"\)/) });
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
