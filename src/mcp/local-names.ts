/** Names of hosts that no name server leads elsewhere: this machine, and addresses. */
const FIXED = /^(localhost|.+\.localhost|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

/**
 * Why a request may have been sent by a page that has no business with the service; undefined where nothing says so. A page
 * can give the name that it was loaded by the address of a machine in the reader's network, and then ask that machine as
 * its own server (DNS rebinding). It can not do so over TLS, and not by an address. So a request over plain HTTP, as the
 * local server gets them, has to name this machine or an address, as its host and as its origin.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 *
 * @param url the address that was asked for
 * @param origin the header Origin, where there is one
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
