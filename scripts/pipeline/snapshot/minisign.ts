import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';

// Signatures of minisign (https://jedisct1.github.io/minisign/): Ed25519 over the BLAKE2b-512 of a file, and over that
// signature with a comment, which says what was signed.

/** Bytes of the parts of a secret key, in their order. */
const PARTS = { algorithm: 2, kdf: 2, checksum: 2, salt: 32, limits: 16, id: 8, seed: 32, publicKey: 32, digest: 32 };

type Part = keyof typeof PARTS;

const HOW = 'Make one with "minisign -G -W".';

/** What releases are signed with; undefined without RELEASE_SIGNING_KEY. @throws Error if that names no key */
export async function signerFromSettings() {
  const path = process.env.RELEASE_SIGNING_KEY;
  return path ? signerOf(path) : undefined;
}

/**
 * Reads a secret key of minisign that has no password.
 *
 * @param path the file that `minisign -G -W` wrote
 * @returns signs bytes, with a comment of one line: the text of a `.minisig` file
 * @throws Error if the file is missing, no such key, or has a password
 */
export async function signerOf(path: string): Promise<(bytes: Uint8Array, comment: string) => string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`RELEASE_SIGNING_KEY: there is no file ${path} that can be read. ${HOW}`);
  });
  const { algorithm, kdf, id, seed, publicKey } = partsOf(Buffer.from(text.split(/\r?\n/)[1] ?? '', 'base64'), path);
  if (algorithm.toString('latin1') !== 'Ed')
    throw new Error(`RELEASE_SIGNING_KEY: ${path} is no key of minisign. ${HOW}`);
  if (kdf.readUInt16BE() !== 0) throw new Error(`RELEASE_SIGNING_KEY: ${path} has a password. ${HOW}`);
  const [d, x] = [seed, publicKey].map((part) => part.toString('base64url')) as [string, string];
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  if (createPublicKey(key).export({ format: 'jwk' }).x !== x)
    throw new Error(`RELEASE_SIGNING_KEY: ${path} is damaged. ${HOW}`);
  return (bytes, comment) => {
    const signature = sign(null, createHash('blake2b512').update(bytes).digest(), key);
    const ofComment = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
    const line = Buffer.concat([Buffer.from('ED'), id, signature]).toString('base64');
    const untrusted = `untrusted comment: signature of the key ${Buffer.from(id).reverse().toString('hex').toUpperCase()}`;
    return `${untrusted}\n${line}\ntrusted comment: ${comment}\n${ofComment.toString('base64')}\n`;
  };
}

function partsOf(bytes: Buffer, path: string): Record<Part, Buffer> {
  let at = 0;
  const parts = Object.entries(PARTS).map(([name, size]) => {
    at += size;
    return [name, bytes.subarray(at - size, at)];
  });
  if (bytes.length !== at) throw new Error(`RELEASE_SIGNING_KEY: ${path} is no secret key of minisign. ${HOW}`);
  return Object.fromEntries(parts);
}
