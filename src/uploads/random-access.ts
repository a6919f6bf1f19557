import type { RandomAccess } from './formats/format.ts';

/** Any part of a stored object. */
export function randomAccess(bucket: R2Bucket, key: string, bytes: number): RandomAccess {
  const part = async (offset: number, length: number): Promise<R2ObjectBody> => {
    const object = await bucket.get(key, { range: { offset, length } });
    if (!object) throw new Error('A file that was just stored is gone');
    return object;
  };
  return {
    bytes,
    read: async (start, length) => {
      if (length === 0) return new Uint8Array(0);
      return new Uint8Array(await (await part(start, length)).arrayBuffer());
    },
    stream: async (start, length) => (await part(start, length)).body,
  };
}
