import { describe, expect, it } from 'vitest';
import { faultOfAddress } from '../../../src/notifications/address.ts';

const fault = (url: string) => faultOfAddress(url, { allowsLoopback: false });

describe('the address of an endpoint', () => {
  it.each([
    'https://example.com/',
    'https://hooks.example.ph:8443/a?b=c',
    'https://EXAMPLE.com:443/',
    'https://local.example.com/',
    'https://internal.example/',
    'https://mga-pangalan.ñ.example/',
    `https://${'a'.repeat(63)}.example/`,
  ])('may be %s', (url) => {
    expect(fault(url)).toBeUndefined();
  });

  it.each([
    // Private, link-local, shared, loopback, multicast, unspecified; and a public one, which has no name to check a certificate with.
    ...[
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '127.0.0.1',
      '224.0.0.1',
      '0.0.0.0',
      '8.8.8.8',
    ],
    // The same in other notations.
    ...[
      '2130706433',
      '0x7f000001',
      '017700000001',
      '0x7f.1',
      '127.1',
      '0177.0.0.1',
      '10.1',
      '0xa.0x0.0x0.0x1',
      '127.0.0.1.',
    ],
    ...['１２７.０.０.１', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1', '127。0。0。1'],
    ...[
      '[::1]',
      '[::]',
      '[fe80::1]',
      '[fd00::1]',
      '[ff02::1]',
      '[::ffff:10.0.0.1]',
      '[::ffff:a00:1]',
      '[64:ff9b::a00:1]',
    ],
    '[2001:db8::1]',
  ])('is no number: %s', (host) => {
    expect(fault(`https://${host}/`)).toBe('must have the name of a host, not its number');
  });

  it.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'printer.local',
    'db.internal',
    'intranet',
    'router.lan',
    'x.home.arpa',
    ...['localhost..', 'a..example', '.example.com', 'example.com..'],
  ])('is not of an internal network: %s', (host) => {
    expect(fault(`https://${host}/`)).toBe('must have a host of the public internet');
  });

  it.each([
    ['http://example.com/', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['https://user@example.com/', 'must have no user or password'],
    ['https://:secret@example.com/', 'must have no user or password'],
    ['https://example.com:5432/', 'must have the port 443 or 8443'],
    ['https://example.com:80/', 'must have the port 443 or 8443'],
    ['example.com/hooks', 'must be an address such as https://example.com/hooks'],
    ['https://example.com/hooks#section', 'must have no fragment (#)'],
    ['https://example.com/hooks#', 'must have no fragment (#)'],
    [`https://${'a'.repeat(64)}.example/`, 'must have a host of at most 253 characters, and 63 between dots'],
    [`https://${'a.'.repeat(124)}example/`, 'must have a host of at most 253 characters, and 63 between dots'],
    ['https://', 'must be an address such as https://example.com/hooks'],
  ])('is none of these: %s', (url, rule) => {
    expect(fault(url)).toBe(rule);
  });

  it('may be plain HTTP on the machine itself in development, and nothing else then', () => {
    const inDevelopment = (url: string) => faultOfAddress(url, { allowsLoopback: true });
    for (const host of ['127.0.0.1:9797', 'localhost:1', '[::1]:8080']) {
      expect(inDevelopment(`http://${host}/`)).toBeUndefined();
      expect(fault(`http://${host}/`)).toBe('must begin with https://');
    }
    expect(inDevelopment('http://10.0.0.1/')).toBe('must begin with https://');
    expect(inDevelopment('https://127.0.0.1/')).toBe('must have the name of a host, not its number');
  });
});
