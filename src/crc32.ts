/** The remainder of each byte, for the polynomial of ISO 3309 with its bits reversed. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

/**
 * The CRC-32 of ISO 3309, which zip and gzip use, as an unsigned integer.
 *
 * @param before the checksum of the bytes that come before these, where they come in chunks
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  // An index is several times faster here than an iterator, and files of many megabytes are checked.
  for (let i = 0; i < bytes.length; i += 1) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
