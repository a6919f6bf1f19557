import type { AppContext, ServiceContext } from '../context.ts';
import { nameRelease } from '../http/answers.ts';
import type { Encoding } from '../http/codings.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { preferredEncodings, withEncoding } from '../http/encodings.ts';
import { rangeOf } from '../http/preconditions.ts';
import { rangedAnswer } from '../http/ranges.ts';
import type { AreaStore, Level, Resolution, StoredCollection } from './store.ts';

const HEADERS = { 'Content-Type': 'application/geo+json' };

interface Asked {
  readonly areas: AreaStore;
  readonly level: Level;
  readonly resolution: Resolution | undefined;
}

/**
 * The collection of all areas of a level as it is stored compressed, for a caller who accepts that, or a range of it, or
 * 304. A range is one of the plain bytes, so that a caller who asks for a range of a file gets no compressed ones; a caller
 * who names the tag of a compressed answer in If-Range goes on with that. Undefined where all plain bytes must be sent, or
 * what is stored can't be read.
 */
export async function storedCollection(
  c: AppContext,
  ctx: ServiceContext,
  { areas, level, resolution = 'simple' }: Asked,
): Promise<Response | undefined> {
  c.header('Vary', 'Accept-Encoding', { append: true });
  const plain = areas.plainCollection?.(level, resolution);
  if (!plain) return undefined;
  c.header('Accept-Ranges', 'bytes');
  const compressed = preferredEncodings(c).flatMap(
    (encoding) => areas.compressedCollection?.(level, resolution, encoding) ?? [],
  );
  const [best] = compressed;
  const { release, version } = plain;
  const validator = validatorOf(c, ctx.config);
  const setHeaders = (encoding?: Encoding) => {
    nameRelease(c, release);
    setCaching(c, validator.etag(version, encoding), ctx.principal);
  };

  if (validator.matches(version)) {
    if (!best) return undefined;
    setHeaders();
    return c.body(null, 304);
  }

  const isHead = c.req.method === 'HEAD';
  // HEAD gets the length of what is not compressed.
  if (isHead ? !best : c.req.header('Range') !== undefined) {
    const etagOf = ({ encoding }: StoredCollection) => validator.etag(version, encoding);
    const ifRange = c.req.header('If-Range')?.trim();
    const chosen = compressed.find((one) => etagOf(one) === ifRange) ?? plain;
    const { encoding, size } = chosen;
    const etag = etagOf(chosen);
    const range = isHead ? undefined : rangeOf(c, { etag, size });
    const body = typeof range === 'object' ? await chosen.read(range) : null;
    if ((isHead || range !== undefined) && body !== undefined) {
      setHeaders(encoding);
      // The edge would compress a range of plain bytes.
      c.header('Cache-Control', 'no-transform', { append: true });
      const read = async () => body as ReadableStream;
      const answer = await rangedAnswer(c, { etag, size, headers: HEADERS, read });
      return encoding === undefined || answer.status !== 206 ? answer : withEncoding(answer, encoding);
    }
  }

  const body = isHead ? null : await best?.read();
  if (!best || body === undefined) return undefined;
  setHeaders(best.encoding);
  return withEncoding(c.body(body as ReadableStream, 200, HEADERS), best.encoding);
}
