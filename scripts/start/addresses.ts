import { BlockList, isIP } from 'node:net';

/** Addresses of proxies whose headers are believed. */
export type Proxies = Pick<BlockList, 'check'>;

/**
 * Reads a list of addresses and networks, such as `127.0.0.0/8, ::1`.
 *
 * @throws Error that names what is neither
 */
export function proxiesFrom(list: string): Proxies {
  const proxies = new BlockList();
  for (const entry of list.split(/[\s,]+/).filter((it) => it !== '')) {
    const [, address = '', bits = ''] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    if (version === 0 || Number(bits) > most) {
      throw new Error(`TRUSTED_PROXIES must be addresses or networks such as 127.0.0.1 or 10.0.0.0/8 (got ${entry}).`);
    }
    proxies.addSubnet(address, bits === '' ? most : Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  }
  return proxies;
}

/**
 * The address that a request comes from: that of the connection, or the last one in `X-Forwarded-For` that is no trusted proxy's.
 * What is before that one, the client may have written itself.
 */
export function clientOf(connection: string, forwardedFor: string | undefined, proxies: Proxies): string {
  let client = plain(connection);
  const before = (forwardedFor ?? '').split(',').map((it) => plain(it.trim()));
  while (isTrusted(client, proxies)) {
    const next = before.pop();
    if (next === undefined || isIP(next) === 0) break;
    client = next;
  }
  return client;
}

export function isTrusted(address: string, proxies: Proxies): boolean {
  const client = plain(address);
  const version = isIP(client);
  return version !== 0 && proxies.check(client, version === 6 ? 'ipv6' : 'ipv4');
}

/** An address without its zone, and one of IPv4 that is written as one of IPv6, as a socket of both has it, in its usual form. */
function plain(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
}
