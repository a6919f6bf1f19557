/** Ports that endpoints may have; the first one is that of https. */
const PORTS: readonly string[] = ['', '8443'];

/** Endings of names that are not on the public internet (RFC 6761, RFC 6762, RFC 8375), or are internal by custom. */
const INTERNAL = /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|arpa|test|invalid|onion)$/;

/** Max characters of a name and of each part between its dots (RFC 1035, 2.3.4). */
const MAX_NAME = 253;
const MAX_LABEL = 63;

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The rule that the URL of an endpoint breaks; undefined if it is allowed. Endpoints must be on the public internet. IP addresses are
 * refused in every notation, because the URL parser gives all of them one form. The address of a name is not checked here: on
 * Cloudflare no internal network can be reached, nor an origin behind this zone's own rules (`global_fetch_strictly_public`), and
 * `npm start` connects to public addresses only.
 *
 * @param allowsLoopback whether plain HTTP to this machine is allowed, as in development
 */
export function faultOfAddress(text: string, { allowsLoopback }: { allowsLoopback: boolean }): string | undefined {
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hooks';
  const { protocol, hostname, port, username, password, href } = new URL(text);
  // Only `href` shows an empty fragment.
  if (href.includes('#')) return 'must have no fragment (#)';
  if (username !== '' || password !== '') return 'must have no user or password';
  if (allowsLoopback && protocol === 'http:' && LOOPBACK.includes(hostname)) return undefined;
  if (protocol !== 'https:') return 'must begin with https://';
  const name = hostname.replace(/\.$/, '');
  if (name.startsWith('[') || /^[\d.]+$/.test(name)) return 'must have the name of a host, not its number';
  if (!name.includes('.') || name.split('.').includes('') || INTERNAL.test(name))
    return 'must have a host of the public internet';
  if (name.length > MAX_NAME || name.split('.').some((label) => label.length > MAX_LABEL))
    return `must have a host of at most ${MAX_NAME} characters, and ${MAX_LABEL} between dots`;
  if (!PORTS.includes(port)) return 'must have the port 443 or 8443';
  return undefined;
}
