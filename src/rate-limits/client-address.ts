import type { Context } from 'hono';

/** The length of the longest address: one of IPv6 that has one of IPv4 at its end. What else is sent is cut there. */
const MAX_ADDRESS = 45;

/**
 * The network that a request comes from, by the header that Cloudflare sets; the loopback address without it. On
 * Cloudflare no client can choose what the header says. Elsewhere one can: see docs/deploy.md.
 */
export function networkOf(c: Context): string {
  return clientNetwork((c.req.header('CF-Connecting-IP') ?? '127.0.0.1').slice(0, MAX_ADDRESS));
}

/** The continent that the platform takes a request's address to be in; `XX` where it does not say. */
export function continentOf(c: Context): string {
  return (c.req.raw as { cf?: { continent?: string } }).cf?.continent ?? 'XX';
}

/**
 * The part of a client's address that one household or office has for itself: an IPv4 address, or the first 64 bits of
 * an IPv6 address (RFC 6177). A client can choose the other 64 bits freely.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after];
  if (groups.slice(0, 6).join(':') === MAPPED) return dotted(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * What a site has of IPv6 addresses, the first 48 bits (RFC 6177); undefined for an IPv4 address.
 *
 * @param network see `clientNetwork`
 */
export function siteOf(network: string): string | undefined {
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::/48` : undefined;
}

/** The beginning of an IPv4 address that is written as an IPv6 address (RFC 4291, 2.5.5.2). */
const MAPPED = '0:0:0:0:0:ffff';

/** Groups of 16 bits in hexadecimal without leading zeros. The last two may be written as an IPv4 address. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text
    .replace(/\d+\.\d+\.\d+\.\d+$/, (ipv4) => {
      const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
      return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    })
    .split(':')
    .map((group) => group.replace(/^0+(?=.)/, ''));
}

function dotted(groups: string[]): string {
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}
