/** Characters of the bytes 80 to 9F (https://encoding.spec.whatwg.org/index-windows-1252.txt). */
const MARKS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const decoder = new TextDecoder('windows-1252');

/** Decodes Windows-1252. Node 20's decoder of this name turns quotes and dashes into control characters. */
export function windows1252(bytes: Uint8Array): string {
  return decoder.decode(bytes).replace(/[\x80-\x9f]/g, (mark) => MARKS[mark.charCodeAt(0) - 0x80] as string);
}
