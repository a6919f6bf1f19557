/** Host names that no name server can redirect: this machine, and IP addresses. */
const FIXED = /^(localhost|.+\.localhost|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

/**
 * Why a request may come from a foreign page by DNS rebinding; undefined if nothing suggests so. A page can point its
 * own host name to a machine in the reader's network, and then send requests there as to its own server. This works
 * neither over TLS nor with an IP address. So the host and the origin of a request over plain HTTP, as the local server
 * gets them, must be this machine or an IP address.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 *
 * @param url of the request
 * @param origin the header Origin, if present
 */
export function rebindingOf(url: URL, origin: string | undefined): string | undefined {
  if (url.protocol === 'http:' && !FIXED.test(url.hostname)) {
    return `Over plain HTTP the host must be localhost or an IP address (got "${url.hostname.slice(0, 60)}"). Use HTTPS.`;
  }
  if (origin === undefined || origin === 'null') return undefined;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (from?.origin !== origin.toLowerCase()) {
    return `The header Origin must be the origin of a page, such as https://example.com (got "${origin.slice(0, 60)}").`;
  }
  if (url.protocol === 'http:' && !FIXED.test(from.hostname)) {
    return `Over plain HTTP only pages of localhost or of an IP address may ask (the header Origin is "${origin.slice(0, 60)}"). Use HTTPS.`;
  }
  return undefined;
}
