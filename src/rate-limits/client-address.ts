/**
 * The part of a client's address that one household or office has to itself: an IPv4 address, or the first 64 bits of
 * an IPv6 address, within which anyone can choose freely (RFC 6177).
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from(
    { length: tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length) },
    () => '0',
  );
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}
