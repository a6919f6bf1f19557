import type { AppContext } from '../context.ts';
import { CONTROL_CHARACTER, CONTROL_RULE } from '../control-characters.ts';
import { DomainError } from '../errors.ts';
import { jsonOf, requirePlain } from '../http/json-body.ts';
import { rawBody } from '../http/raw-body.ts';

/**
 * Max bytes of a body and of the form of a search, parameters of a request, characters of a value, and codings of a concept. A
 * validator sends value sets and the code system along, with all their codes.
 */
const MAX_BODY = 4 * 1024 * 1024;
const MAX_FORM = 64 * 1024;
const MAX_PARAMETERS = 100;
const MAX_TEXT = 1000;
const MAX_CODINGS = 20;

/** The media types of a Parameters resource. */
const JSON_TYPE = /^\s*application\/(?:fhir\+)?json\s*(?:;|$)/i;
/** That of the parameters of a search. */
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8"?\s*(?:;|$))/i;

/** A coding to look at, and where it is in the request. */
export interface GivenCoding {
  readonly system?: string | undefined;
  readonly version?: string | undefined;
  readonly code: string;
  readonly display?: string | undefined;
  readonly at: string;
}

type Values = ReadonlyMap<string, readonly unknown[]>;

/** The parameters of an operation, of the query or of a Parameters resource. Those that it does not have change nothing. */
export class Given {
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** @throws DomainError `invalid_parameter` where it is given twice, or is no text */
  text(name: string): string | undefined {
    const values = this.texts(name);
    if (values.length > 1) throw invalid(`${name}: must be given once (got ${values.length} times).`);
    return values[0];
  }

  texts(name: string): string[] {
    return (this.#values.get(name) ?? []).map((value) => textOf(name, value));
  }

  /** @throws DomainError `invalid_parameter` */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw invalid(`${name}: must be given.`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === 'true' || value === 'false') return value === 'true';
    throw invalid(`${name}: must be true or false (got ${quoted(value)}).`);
  }

  /** A whole number from 0. */
  whole(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^\d{1,9}$/.test(value)) return Number(value);
    throw invalid(`${name}: must be a whole number from 0 to 999999999 (got ${quoted(value)}).`);
  }

  /** A canonical URL without the version behind it, and this version. */
  canonical(name: string): readonly [url: string | undefined, version: string | undefined] {
    const [url, version] = this.text(name)?.split('|') ?? [];
    return [url, version];
  }

  /** The version of a code system in parameters that name one for each (`system|version`); undefined if none is of this one. */
  versionFor(name: string, system: string): string | undefined {
    const found = this.texts(name).flatMap((it) => (it.startsWith(`${system}|`) ? [it.slice(system.length + 1)] : []));
    if (found.length > 1) throw invalid(`${name}: must name one version of ${system} (got ${found.length}).`);
    return found[0];
  }

  /** Refuses what a client may mean to change the answer by. */
  refuse(...names: readonly string[]): void {
    for (const name of names) {
      if (!this.has(name)) continue;
      throw invalid(`${name}: is not supported. Name a resource of this service by its url or its id.`);
    }
  }

  /** The canonical URL and the version of a resource that a client sends along. */
  sent(name: string): { readonly url?: unknown; readonly version?: unknown } {
    const [resource] = this.#values.get(name) ?? [];
    return resource ?? {};
  }

  /** Refuses resources that a client sends along, other than those with these canonical URLs. */
  refuseForeign(names: readonly string[], urls: readonly string[]): void {
    for (const name of names) {
      for (const resource of this.#values.get(name) ?? []) {
        const { url } = (resource ?? {}) as { url?: unknown };
        if (urls.some((it) => it === url)) continue;
        const got = typeof url === 'string' ? quoted(url) : 'none';
        throw invalid(`${name}: must have a url of this service, ${urls.join(', ')} (got ${got}).`);
      }
    }
  }

  coding(name: string): GivenCoding | undefined {
    const [value] = this.#values.get(name) ?? [];
    return value === undefined ? undefined : codingOf(value, name);
  }

  /**
   * The codings to look at: `code`, `coding` and those of `codeableConcept`.
   *
   * @param system that of `code`
   * @throws DomainError `invalid_parameter` where there are none
   */
  codings(system: string | undefined): GivenCoding[] {
    const code = this.text('code');
    const coding = this.coding('coding');
    const [concept] = this.#values.get('codeableConcept') ?? [];
    const { coding: list = [] } = (concept ?? {}) as { coding?: unknown };
    if (!Array.isArray(list) || list.length > MAX_CODINGS)
      throw invalid(`codeableConcept.coding: must be a list of ${MAX_CODINGS} at most.`);
    const found = [
      ...(code === undefined ? [] : [{ system, code, display: this.text('display'), at: 'code' }]),
      ...(coding ? [coding] : []),
      ...list.map((item, i) => codingOf(item, `codeableConcept.coding[${i}]`)),
    ];
    if (found.length === 0) throw invalid('code: must be given, or coding or codeableConcept in its place.');
    for (const { code: text, system: uri = '-', at } of found) {
      // They are answered as they are, and FHIR has no others.
      if (/^\S+( \S+)*$/.test(text) && /^\S+$/.test(uri)) continue;
      throw invalid(`${at}: must be a code without blanks around it, of a system without any (got ${quoted(text)}).`);
    }
    return found;
  }
}

/** The parameters in the query of a request. */
export function queryOf(c: AppContext): Given {
  return limited(inQuery(c));
}

function inQuery(c: AppContext): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const [name, value] of new URL(c.req.url).searchParams) add(found, name, value);
  return found;
}

/** The parameters of a search: of its query, and of the form in its body, which may be left out. */
export async function searchIn(c: AppContext): Promise<Given> {
  const found = inQuery(c);
  const type = c.req.header('Content-Type');
  if (c.req.method === 'POST' && type !== undefined) {
    requireType(
      type,
      FORM_TYPE,
      'The body must be a form in UTF-8: send the header "Content-Type: application/x-www-form-urlencoded"',
    );
    requirePlain(c.req.header('Content-Encoding'));
    const form = new TextDecoder().decode(await rawBody(c, MAX_FORM));
    for (const [name, value] of new URLSearchParams(form)) add(found, name, value);
  }
  return limited(found);
}

/** @throws DomainError `unsupported_media_type` */
function requireType(type: string, wanted: RegExp, rule: string): void {
  if (wanted.test(type) && !OTHER_CHARSET.test(type)) return;
  throw new DomainError('unsupported_media_type', `${rule} (got ${quoted(type)}).`);
}

/** The parameters of a request: of its query, and of the Parameters resource in its body. */
export async function givenIn(c: AppContext): Promise<Given> {
  if (c.req.method !== 'POST') return queryOf(c);
  const rule =
    'The body must be a Parameters resource in JSON and UTF-8: send the header "Content-Type: application/fhir+json"';
  requireType(c.req.header('Content-Type') ?? '', JSON_TYPE, rule);
  requirePlain(c.req.header('Content-Encoding'));
  const body = jsonOf(await rawBody(c, MAX_BODY)) as { resourceType?: unknown; parameter?: unknown } | null;
  const { resourceType, parameter = [] } = body ?? {};
  if (resourceType !== 'Parameters' || !Array.isArray(parameter)) {
    throw invalid('The body must be a Parameters resource: {"resourceType":"Parameters","parameter":[…]}.');
  }
  const found = inQuery(c);
  for (const [i, item] of parameter.entries()) {
    const { name, ...members } = (item ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string') throw invalid(`parameter[${i}].name: must be text.`);
    const key = Object.keys(members).find((member) => /^value[A-Z]|^resource$/.test(member));
    if (key === undefined) throw invalid(`parameter[${i}]: must have a value (value[x]).`);
    add(found, name, members[key]);
  }
  return limited(found);
}

function add<T>(found: Map<string, T[]>, name: string, value: T): void {
  const values = found.get(name);
  if (values) values.push(value);
  else found.set(name, [value]);
}

function limited<T>(found: Map<string, T[]>): Given {
  const count = [...found.values()].reduce((sum, values) => sum + values.length, 0);
  if (count <= MAX_PARAMETERS) return new Given(found);
  throw invalid(`The request must have at most ${MAX_PARAMETERS} parameters (got ${count}).`);
}

function codingOf(value: unknown, at: string): GivenCoding {
  if (value === null || typeof value !== 'object')
    throw invalid(`${at}: must be a Coding, in a Parameters resource (POST).`);
  const { code, system, version, display } = value as Record<string, unknown>;
  const member = (name: string, it: unknown) => (it === undefined ? undefined : textOf(`${at}.${name}`, it));
  const text = member('code', code);
  if (text === undefined || text === '') throw invalid(`${at}.code: must be given.`);
  return {
    code: text,
    system: member('system', system),
    version: member('version', version),
    display: member('display', display),
    at,
  };
}

function textOf(name: string, value: unknown): string {
  if (value === null || typeof value === 'object') throw invalid(`${name}: must be a single value, and no object.`);
  const text = String(value);
  if (text.length > MAX_TEXT) throw invalid(`${name}: must have at most ${MAX_TEXT} characters (got ${text.length}).`);
  if (CONTROL_CHARACTER.test(text)) throw invalid(`${name}: ${CONTROL_RULE} (got ${quoted(text)}).`);
  return text;
}

export function invalid(message: string): DomainError {
  return new DomainError('invalid_parameter', message);
}

export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60).toWellFormed());
}
