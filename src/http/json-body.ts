import type { MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';
import { mayHaveLongNumbers, parseExactly } from '../geojson/exact-json.ts';
import { itemTexts, memberTexts, unstorable } from '../geojson/json.ts';
import { jsonFaultAt } from '../geojson/json-fault.ts';
import { repeatedMember } from '../geojson/json-losses.ts';

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * The members of bodies that may be any JSON, kept as they are written with all digits of numbers, and how long they are
 * worth that, characters. Metadata is refused long before.
 */
const ANY_JSON: ReadonlyMap<string, number> = new Map([
  ['metadata', 256 * 1024],
  ['properties', Number.POSITIVE_INFINITY],
]);

/**
 * Parses a body for the validator, which comes later. It refuses a body that is not declared as `application/json`, or is
 * not JSON in UTF-8 (RFC 8259, 8.1), or has two members of the same name in one object, of which programs take different
 * ones (RFC 7493, 2.3). The validator itself would take every type that ends in `json`, replace every invalid
 * byte by a replacement character, round numbers, and take a body that has no type for an empty object. A request without a
 * type and without a body is left to it: its error names the missing members.
 *
 * @param others which bodies are taken too, for the message
 * @param options `isRequired`: unset it where an empty body is the same as an empty object
 * @throws DomainError `unsupported_media_type` for a body that declares another type or encoding, or no type; `invalid_json`
 * for one that is not JSON or has two members of the same name, with the line and column, or in another encoding
 */
export function jsonBody(others: string | undefined = '', { isRequired = true } = {}): MiddlewareHandler {
  const notJson = (got: string) => notOfType(got, others);
  return async (c, next) => {
    const type = c.req.header('Content-Type') ?? '';
    if (type === '') {
      const isEmpty = (await c.req.arrayBuffer()).byteLength === 0;
      if (!isEmpty) throw notJson('a body without a type');
    } else {
      if (!JSON_TYPE.test(type)) throw notJson(`"${type.slice(0, 60)}"`);
      requirePlain(c.req.header('Content-Encoding'));
      const charset = CHARSET.exec(type)?.[1];
      if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw notJson(`charset "${charset.slice(0, 60)}"`);
      const bytes = await c.req.arrayBuffer().catch(() => {
        throw new DomainError('invalid_json', 'The body broke off.');
      });
      const body = bytes.byteLength === 0 && !isRequired ? {} : jsonOf(bytes);
      // The validator asks the request for the value.
      Object.defineProperty(c.req, 'json', { value: async () => body });
    }
    await next();
  };
}

/** @throws DomainError `unsupported_media_type` */
export function requirePlain(encoding: string | undefined): void {
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding.trim())) {
    throw new DomainError(
      'unsupported_media_type',
      `The body must be sent as it is, without a Content-Encoding (got "${encoding.slice(0, 60)}").`,
    );
  }
}

function notOfType(got: string, others: string): DomainError {
  return new DomainError(
    'unsupported_media_type',
    `The body must be JSON in UTF-8: send the header "Content-Type: application/json"${others} (got ${got}).`,
  );
}

/** @throws DomainError `invalid_json` */
export function jsonOf(bytes: ArrayBuffer | Uint8Array): unknown {
  return parsed(utf8Text(bytes));
}

/** The value of a body. Numbers in members that may be any JSON keep their digits; all others are doubles. */
function parsed(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new DomainError('invalid_json', `The body is not valid JSON (${locationOf(text, jsonFaultAt(text))}).`);
  }
  const repeated = repeatedMember(text, body);
  if (repeated) {
    const [name, location] = [JSON.stringify(repeated.name.slice(0, 60)), locationOf(text, repeated.at)];
    throw new DomainError('invalid_json', `The body has the member ${name} twice in one object (${location}).`);
  }
  if (mayHaveLongNumbers(text)) keepDigits(body, text.trimStart());
  return body;
}

function locationOf(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`;
}

/** Reads the members that may be any JSON again, those of the body and of the items of its arrays, with all digits. */
function keepDigits(value: unknown, text: string, isItem = false): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  for (const [name, member] of memberTexts(text)) {
    const parsedMember: unknown = Reflect.get(value, name);
    const longest = ANY_JSON.get(name);
    if (longest !== undefined) {
      // What is nested too deep to be stored is refused later, and is too deep to be parsed in this way.
      if (unstorable(parsedMember) || JSON.stringify(parsedMember).length > longest) continue;
      Reflect.set(value, name, parseExactly(member));
    } else if (Array.isArray(parsedMember) && !isItem) {
      itemTexts(member).forEach((item, i) => {
        keepDigits(parsedMember[i], item, true);
      });
    }
  }
}

function utf8Text(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new DomainError('invalid_json', 'The body must be UTF-8, and has bytes that are not.');
  }
}
