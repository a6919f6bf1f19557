import { SaxesParser } from 'saxes';

// What requests and answers of S3 have in common, wherever they are sent from.

/** A bucket of an S3, and who asks it. */
export interface S3Location {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The beginning of all keys, empty or with a slash at its end. */
  readonly start: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** Without quotes. */
  readonly etag: string;
  /** ISO 8601. */
  readonly modified: string;
}

interface Listing {
  readonly objects: readonly ListedObject[];
  /** What keys have between the prefix and the delimiter, with both. */
  readonly prefixes: readonly string[];
  /** The token that the next page is asked for with. */
  readonly next: string | undefined;
}

/** A page of https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html. No key has a character that XML can't have. */
export function readListing(xml: string): Listing {
  const objects: ListedObject[] = [];
  const prefixes: string[] = [];
  const path: string[] = [];
  let fields: Record<string, string> = {};
  let next: string | undefined;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    path.push(name);
    if (path.length === 2) fields = {};
  });
  parser.on('text', (text) => {
    const name = path.at(-1) ?? '';
    if (path.length === 2 && name === 'NextContinuationToken') next = (next ?? '') + text;
    else if (path.length === 3) fields[name] = (fields[name] ?? '') + text;
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    if (path.length !== 1) return;
    const { Key: key = '', Size: size, ETag: etag = '', LastModified: modified = '', Prefix: prefix = '' } = fields;
    if (name === 'Contents') objects.push({ key, bytes: Number(size), etag: unquoted(etag), modified });
    else if (name === 'CommonPrefixes') prefixes.push(prefix);
  });
  parser.write(xml).close();
  return { objects, prefixes, next };
}

/** The text of the first element of a name that has no other elements in it. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, after] = xml.split(`<${name}>`, 2);
  return after?.split('<', 1)[0];
}

/** What the XML of an error says. */
export function reasonIn(xml: string): string {
  const code = elementOf(xml, 'Code');
  return code === undefined ? xml.slice(0, 300) : `${code}: ${elementOf(xml, 'Message')?.slice(0, 300)}`;
}

export function unquoted(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}

/** A key as a part of a URL. `encodeURIComponent` leaves five characters as they are that signatures encode. */
export function encodedKey(key: string): string {
  const segment = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
  return key.split('/').map(segment).join('/');
}
