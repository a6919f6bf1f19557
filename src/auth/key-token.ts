/** `svc_sk_<environment>_<prefix>_<secret>`: base62, and the last six characters of the secret are a checksum. */
const TOKEN = /^svc_sk_(live|test)_([0-9A-Za-z]{8,12})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

const PREFIX_LENGTH = 12;
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

export type KeyEnvironment = 'live' | 'test';

/** What every API key begins with. */
export const KEY_SCHEME = 'svc_sk_';

/**
 * The prefix of an API key, which names it, or undefined where the text is none: of another form, or mistyped, which
 * its checksum tells without asking anybody.
 */
export function prefixOf(token: string): string | undefined {
  const [, , prefix, , checksum] = TOKEN.exec(token) ?? [];
  return prefix !== undefined && checksum === checksumOf(token.slice(0, -CHECKSUM_LENGTH)) ? prefix : undefined;
}

/** A new API key and its prefix: 71 random bits name it, 190 keep it secret. */
export function createKeyToken(environment: KeyEnvironment): { token: string; prefix: string } {
  const prefix = randomBase62(PREFIX_LENGTH);
  const unchecked = `${KEY_SCHEME}${environment}_${prefix}_${randomBase62(RANDOM_LENGTH)}`;
  return { token: unchecked + checksumOf(unchecked), prefix };
}

/** SHA-256 of an API key, 64 hex digits: all that is kept of it. */
export async function hashOf(token: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 that a byte can count to; what is above would make some characters likelier. */
const EVEN = 248;

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < EVEN && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** CRC-32 (ISO 3309, as in gzip) of an ASCII text, six base62 digits, most significant first. */
function checksumOf(text: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
