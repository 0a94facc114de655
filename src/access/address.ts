// Internet addresses as sixteen bytes, IPv4 in its mapped form: the notation is not the question, the bits are.
import { isIP } from 'node:net';

export type Address = Uint8Array;

export interface Network {
  readonly address: Address;
  /** How many leading bits of the sixteen bytes count. */
  readonly bits: number;
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

const groupsOf = (text: string): number[] =>
  text === ''
    ? []
    : text
        .split(':')
        .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);

export function parseAddress(text: string): Address | null {
  const bare = text.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return null;
  if (family === 4) return Uint8Array.from([...MAPPED, ...bare.split('.').map(Number)]);
  // A dotted tail is two groups, wherever it stands.
  const plain = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_whole, ...parts: string[]) => {
    const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [before = '', after] = plain.split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const address = new Uint8Array(16);
  address.set(head);
  address.set(tail, 16 - tail.length);
  return address;
}

export function isIPv4(address: Address): boolean {
  return MAPPED.every((byte, at) => address[at] === byte);
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function parseNetwork(text: string): Network | null {
  const match = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text);
  const address = parseAddress(match?.[1] ?? '');
  if (!match || address === null) return null;
  // A mapped address written as IPv6 counts its bits as IPv6.
  const short = isIP(match[1]!) === 4;
  const bits = Number(match[2] ?? (short ? 32 : 128)) + (short ? 96 : 0);
  return bits > 128 ? null : { address, bits };
}

export function isWithin(address: Address, { address: network, bits }: Network): boolean {
  for (let at = 0; at * 8 < bits; at++) {
    const mask = bits - at * 8 >= 8 ? 0xff : (0xff << (8 - (bits - at * 8))) & 0xff;
    if ((address[at]! & mask) !== (network[at]! & mask)) return false;
  }
  return true;
}

/** The network that an address stands for, as text: IPv4 and IPv6 each with their own number of leading bits. */
export function networkOf(address: Address, bits: { readonly v4: number; readonly v6: number }): string {
  const short = isIPv4(address);
  const kept = short ? bits.v4 : bits.v6;
  const bytes = short ? address.subarray(12) : address;
  const masked = Array.from(bytes, (byte, at) => {
    const left = Math.min(8, Math.max(0, kept - at * 8));
    return byte & ((0xff << (8 - left)) & 0xff);
  });
  if (short) return `${masked.join('.')}/${kept}`;
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((masked[2 * at]! << 8) | masked[2 * at + 1]!).toString(16),
  );
  return `${groups.join(':')}/${kept}`;
}
