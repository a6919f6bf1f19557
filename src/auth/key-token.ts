import { crc32 } from '../crc32.ts';

/** `svc_sk_<environment>_<prefix>_<secret>`: base62, and the last six characters of the secret are a checksum. */
const TOKEN = /^svc_sk_(live|test)_([0-9A-Za-z]{8,12})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

const PREFIX_LENGTH = 12;
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

export type KeyEnvironment = 'live' | 'test';

/** What every API key begins with. */
export const KEY_SCHEME = 'svc_sk_';

/**
 * The prefix of an API key, which names it.
 *
 * @returns undefined for a text that is no API key: it has another form, or its checksum shows that it was mistyped. So
 * the database is not asked for it.
 */
export function prefixOf(token: string): string | undefined {
  const [, , prefix, , checksum] = TOKEN.exec(token) ?? [];
  return prefix !== undefined && checksum === checksumOf(token.slice(0, -CHECKSUM_LENGTH)) ? prefix : undefined;
}

/** Of how many random bytes a key is made: twice as many as it has characters, so that there are always enough. */
export const SEED_BYTES = 2 * (PREFIX_LENGTH + RANDOM_LENGTH);

/**
 * A new API key and its prefix. The prefix has 71 random bits, the secret 190.
 *
 * @param seed `SEED_BYTES` bytes that nobody can guess, of which the same key is made each time
 */
export function createKeyToken(
  environment: KeyEnvironment,
  seed: Uint8Array = crypto.getRandomValues(new Uint8Array(SEED_BYTES)),
): { token: string; prefix: string } {
  const text = base62Of(seed);
  const prefix = text.slice(0, PREFIX_LENGTH);
  const unchecked = `${KEY_SCHEME}${environment}_${prefix}_${text.slice(PREFIX_LENGTH, PREFIX_LENGTH + RANDOM_LENGTH)}`;
  return { token: unchecked + checksumOf(unchecked), prefix };
}

/** SHA-256 of an API key, 64 hex digits. The hash is stored in place of the key. */
export async function hashOf(token: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte. Bytes from there on are not used, because they would make some characters likelier. */
const EVEN = 248;

function base62Of(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte < EVEN ? BASE62[byte % 62] : '')).join('');
}

/** The CRC-32 of an ASCII text, as six base62 digits, most significant first. */
export function checksumOf(text: string): string {
  let rest = crc32(new TextEncoder().encode(text));
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
