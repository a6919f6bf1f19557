import type { AppContext, ServiceContext } from '../context.ts';
import { nameRelease } from '../http/answers.ts';
import type { Encoding } from '../http/codings.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { preferredEncodings, withEncoding } from '../http/encodings.ts';
import { rangeOf } from '../http/preconditions.ts';
import { rangedAnswer } from '../http/ranges.ts';
import type { AreaStore, Level, Resolution, StoredCollection } from './store.ts';

const HEADERS = { 'Content-Type': 'application/geo+json' };

interface CollectionRequest {
  readonly areas: AreaStore;
  readonly level: Level;
  readonly resolution: Resolution | undefined;
}

/**
 * Answers a request for all areas of a level from the stored bytes: compressed where the caller accepts that, a range, or
 * 304. Ranges are of the plain bytes, unless If-Range names the tag of a compressed answer. Undefined where the caller must
 * make the answer: all bytes are asked for without compression, or the stored ones can't be read.
 */
export async function storedCollection(
  c: AppContext,
  ctx: ServiceContext,
  { areas, level, resolution = 'simple' }: CollectionRequest,
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
  // Without an accepted encoding HEAD answers with the length of the plain bytes.
  if (isHead ? !best : c.req.header('Range') !== undefined) {
    const etagOf = ({ encoding }: StoredCollection) => validator.etag(version, encoding);
    const ifRange = c.req.header('If-Range')?.trim();
    const chosen = compressed.find((it) => etagOf(it) === ifRange) ?? plain;
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
