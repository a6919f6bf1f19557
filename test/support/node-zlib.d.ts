/** What tests in the Workers runtime use of Node's module; its own types would bring all of Node's along. */
declare module 'node:zlib' {
  export function brotliCompressSync(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  export function brotliDecompressSync(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  export function gunzipSync(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
}
