/** How a client reaches the service. */
export interface PsgcOptions {
  /** The address of the service, such as `https://geo.example`. With a key it has `https://`, or is of this machine. */
  readonly baseUrl: string;
  /** An API key, or what gives one when it is needed. Without it, only what is free can be asked for. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** The edition of the PSGC to answer from, such as `2026-3q`; the one that is served unless given. */
  readonly edition?: string | undefined;
  /** Milliseconds that one attempt may take until its answer is there; 30,000 unless given. */
  readonly timeout?: number | undefined;
  /** How often a request is sent again that failed in passing; 4 unless given. */
  readonly retries?: number | undefined;
  /** The longest wait before a request is sent again, in milliseconds; 60,000 unless given. What would take longer fails at once. */
  readonly maxWait?: number | undefined;
  /** In place of the global `fetch`. That of an object has to be bound to it: `env.API.fetch.bind(env.API)`. */
  readonly fetch?: typeof fetch | undefined;
}

/** What every method takes as its last argument. */
export interface CallOptions {
  /** Ends the call, its waits included. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, in place of the client's. */
  readonly timeout?: number | undefined;
  /** The edition of the PSGC to answer from, in place of the client's. */
  readonly edition?: string | undefined;
}

/** The longest time that timers take, milliseconds. A longer one would be over at once. */
const LONGEST = 2 ** 31 - 1;

/** @throws TypeError that names the option, what was got and what would be right */
export function requireOptions({ baseUrl, key, timeout, retries, maxWait, fetch }: PsgcOptions): void {
  const address = requireAddress(baseUrl);
  if (key !== undefined && typeof key !== 'function') tokenOf(key);
  if (key !== undefined && !isPrivate(address)) {
    throw new TypeError(
      `baseUrl must begin with https:// where a key is given (got "${baseUrl}"): others on the way could read it.`,
    );
  }
  requireWhole('timeout', timeout, 1);
  requireWhole('retries', retries, 0);
  requireWhole('maxWait', maxWait, 0);
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new TypeError(`fetch must be a function (got ${typeof fetch}).`);
  }
}

/** @throws TypeError unless the value is left out or a whole number that is not below the least one */
export function requireWhole(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= LONGEST)) return;
  throw new TypeError(`${name} must be a whole number from ${least} to ${LONGEST} (got ${String(value)}).`);
}

/** A key as it is sent. @throws TypeError that does not tell it */
export function tokenOf(key: unknown): string {
  const token = typeof key === 'string' ? key.trim() : '';
  // Whatever else is no header.
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const got = typeof key !== 'string' ? typeof key : token === '' ? 'an empty text' : 'a text with other characters';
  throw new TypeError(`key must be one word of ASCII (got ${got}). Leave it out to ask for what is free.`);
}

/** Whether nobody on the way reads what is sent: it is encrypted, or does not leave this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}

function requireAddress(baseUrl: unknown): URL {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.username || url?.password) {
    throw new TypeError('baseUrl must have no user and no password: give an API key as the option key.');
  }
  if (url && /^https?:$/.test(url.protocol) && !/[?#]/.test(url.href)) return url;
  const got = typeof baseUrl === 'string' ? `"${baseUrl}"` : String(baseUrl);
  throw new TypeError(`baseUrl must be the address of the service, such as https://geo.example (got ${got}).`);
}
