import { bytesOf, reasonOf } from './bytes.ts';
import { asFeature, type BoundaryFormat, type SourceFeature, type SourceFile, UnreadableFile } from './format.ts';

/**
 * The record separator of RFC 8142. Where a file begins with one, each text ends at the next one and may span lines.
 */
const SEPARATOR = '\u001e';

/** GeoJSON texts one after another, one on each line or after record separators (RFC 8142), read as a stream. */
export const sequence: BoundaryFormat = {
  name: 'GeoJSON text sequence',
  matches: (name) => /\.(ndjson|ndgeojson|geojsonl|geojsons|geojsonseq|jsonl)$/.test(name),
  read: readSequence,
};

export async function* readSequence(file: SourceFile, _scratch?: string, layer = ''): AsyncIterable<SourceFeature> {
  for await (const { number, text, unit } of readTexts(file)) {
    const at = `${layer === '' ? '' : `${layer} `}${unit} ${number}`;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new UnreadableFile(file.name, at, `is no JSON (${(error as Error).message}); the file may be cut off`);
    }
    const feature = asFeature(value, at, layer);
    if (!feature) throw new UnreadableFile(file.name, at, 'is no GeoJSON Feature');
    yield feature;
  }
}

interface Numbered {
  number: number;
  unit: 'line' | 'record';
  text: string;
}

/** Yields the texts of a file that aren't blank. Blank lines are counted too, as editors count them. */
async function* readTexts(file: SourceFile): AsyncIterable<Numbered> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let unit: Numbered['unit'] | undefined;
  let parts: string[] = [];
  const next = (): Numbered | undefined => {
    const text = parts.join('');
    parts = [];
    const blank = text.trim() === '';
    // What comes before the first separator is no record.
    if (unit === 'line' || !blank) number++;
    return blank ? undefined : { number, unit: unit ?? 'line', text };
  };
  try {
    for await (const chunk of bytesOf(file)) {
      const text = decoder.decode(chunk, { stream: true });
      unit ??= text.startsWith(SEPARATOR) ? 'record' : 'line';
      const separator = unit === 'record' ? SEPARATOR : '\n';
      let start = 0;
      for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
        parts.push(text.slice(start, end));
        start = end + 1;
        const record = next();
        if (record) yield record;
      }
      parts.push(text.slice(start));
    }
    parts.push(decoder.decode());
  } catch (error) {
    throw new UnreadableFile(file.name, `after ${unit ?? 'line'} ${number}`, reasonOf(error));
  }
  const last = next();
  if (last) yield last;
}
