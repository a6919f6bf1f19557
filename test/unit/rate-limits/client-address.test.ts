import { describe, expect, it } from 'vitest';
import { clientNetwork } from '../../../src/rate-limits/client-address.ts';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1::6', '2001:db8:1:0::/64'],
    ['2001:db8:1:0:3:4:5:6', '2001:db8:1:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it.each([
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8:1::1', '2001:db8:1:1::1'],
    ['::ffff:192.0.2.1', '::1'],
  ])('of %s is not that of %s', (one, other) => {
    expect(clientNetwork(one)).not.toBe(clientNetwork(other));
  });

  it.each(['', ':', ':::', 'garbage', 'a:b', '1:2:3:4:5:6:7:8:9', '::ffff:999.0.0.1'])(
    'fails for nothing: %j',
    (address) => {
      expect(typeof clientNetwork(address)).toBe('string');
    },
  );
});
