import { describe, expect, it } from 'vitest';
import { isWithin, networkOf, parseAddress, parseNetwork } from './address.js';
import { clientAddress } from './client-address.js';

const whole = (text: string): string | null => {
  const address = parseAddress(text);
  return address === null ? null : networkOf(address, { v4: 32, v6: 64 });
};

describe('addresses', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4/32'],
    ['::ffff:1.2.3.4', '1.2.3.4/32'],
    ['::ffff:102:304', '1.2.3.4/32'],
    ['::FFFF:0102:0304', '1.2.3.4/32'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4/32'],
    ['2001:db8::1.2.3.4', '2001:db8:0:0:0:0:0:0/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:0:0:0:0/64'],
    ['2001:db8:1:2::', '2001:db8:1:2:0:0:0:0/64'],
    ['::1', '0:0:0:0:0:0:0:0/64'],
    ['::', '0:0:0:0:0:0:0:0/64'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:0/64'],
    ['', null],
    ['1.2.3', null],
    ['1.2.3.256', null],
    ['01.2.3.4', null],
    ['localhost', null],
    ['1::2::3', null],
  ])('%s stands for %s', (text, network) => {
    expect(whole(text)).toBe(network);
  });

  it.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '::ffff:10.0.0.0/104', true],
    ['192.168.1.129', '192.168.1.128/25', true],
    ['192.168.1.127', '192.168.1.128/25', false],
    ['1.2.3.4', '1.2.3.4', true],
    ['1.2.3.5', '1.2.3.4', false],
    ['9.9.9.9', '0.0.0.0/0', true],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
  ])('%s within %s: %s', (address, network, within) => {
    expect(isWithin(parseAddress(address)!, parseNetwork(network)!)).toBe(within);
  });

  it.each(['10.0.0.0/33', '::/129', 'proxy', '10.0.0.0/', '/8', '10.0.0.0/8/8', ''])(
    '%j is no network',
    (text) => {
      expect(parseNetwork(text)).toBeNull();
    },
  );
});

describe('the address of the client', () => {
  const trusted = ['10.0.0.0/8', 'fd00::/8'].map((text) => parseNetwork(text)!);
  const from = (remoteAddress: string | undefined, forwarded?: string, networks = trusted): string | null => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const address = clientAddress({ headers, socket: { remoteAddress } }, networks);
    return address === null ? null : networkOf(address, { v4: 32, v6: 128 });
  };

  it.each([
    ['a stranger who claims to be another', '203.0.113.7', '198.51.100.1', '203.0.113.7/32'],
    ['a trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1/32'],
    ['a proxy in mapped notation', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1/32'],
    ['a chain of proxies', '10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1/32'],
    ['what a stranger wrote before the proxy', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1/32'],
    ['a claim to be trusted', '10.0.0.1', '1.1.1.1, 10.0.0.2, 198.51.100.1', '198.51.100.1/32'],
    ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3/32'],
    ['rubbish', '10.0.0.1', '198.51.100.1, what', '10.0.0.1/32'],
    ['nothing', '10.0.0.1', '', '10.0.0.1/32'],
    ['a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1/32'],
    ['brackets', 'fd00::1', '[2001:db8::1]:4711', '2001:db8:0:0:0:0:0:1/128'],
  ])('%s', (_what, socket, forwarded, expected) => {
    expect(from(socket, forwarded)).toBe(expected);
  });

  it('is the socket where nobody is trusted or nothing is said', () => {
    expect(from('10.0.0.1', '198.51.100.1', [])).toBe('10.0.0.1/32');
    expect(from('10.0.0.1')).toBe('10.0.0.1/32');
    expect(from(undefined, '198.51.100.1')).toBeNull();
  });
});
