import type { MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * Refuses a body that is not declared as `application/json`, or is not UTF-8 (RFC 8259, 8.1). The validator comes later
 * and reads the same body: it would take every type that ends in `json`, replace every invalid byte by a replacement
 * character, and take a body that has no type, or is missing, for an empty object.
 *
 * @param required whether there must be a body
 * @throws DomainError `unsupported_media_type` for a body that declares another type or encoding, `invalid_json` for one
 * that is missing or in another encoding
 */
export function utf8Body(required: boolean): MiddlewareHandler {
  return async (c, next) => {
    const type = c.req.header('Content-Type') ?? '';
    if (type === '') {
      const isEmpty = (await c.req.arrayBuffer()).byteLength === 0;
      if (!isEmpty) throw notJson('a body without a type');
      if (required) throw new DomainError('invalid_json', 'The body is missing: it must be JSON.');
    } else {
      if (!JSON_TYPE.test(type)) throw notJson(`"${type.slice(0, 60)}"`);
      requirePlain(c.req.header('Content-Encoding'), CHARSET.exec(type)?.[1]);
      const bytes = await c.req.arrayBuffer().catch(() => {
        throw new DomainError('invalid_json', 'The body broke off.');
      });
      requireUtf8(bytes);
    }
    await next();
  };
}

function requirePlain(encoding: string | undefined, charset: string | undefined): void {
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding.trim())) {
    throw new DomainError(
      'unsupported_media_type',
      `The body must be sent as it is, without a Content-Encoding (got "${encoding.slice(0, 60)}").`,
    );
  }
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw notJson(`charset "${charset.slice(0, 60)}"`);
  }
}

function notJson(got: string): DomainError {
  return new DomainError(
    'unsupported_media_type',
    `The body must be JSON in UTF-8: send the header "Content-Type: application/json" (got ${got}).`,
  );
}

function requireUtf8(bytes: ArrayBuffer): void {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_json', 'The body must be UTF-8, and has bytes that are not.');
  }
}
