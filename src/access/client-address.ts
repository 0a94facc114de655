// Where a call comes from: the socket, or what trusted proxies say, and only they.
import { type Address, isWithin, type Network, parseAddress } from './address.js';

/** The parts of a Node request that are looked at. */
export interface Arrival {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::1` or `[2001:db8::1]:4711`. */
function hopAddress(text: string): Address | null {
  const hop = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1];
  const withPort = /^([\d.]+):\d+$/.exec(hop)?.[1];
  return parseAddress(bracketed ?? withPort ?? hop);
}

/**
 * Walks from the socket outwards as long as the speaker is a trusted proxy; the first stranger is the client.
 * What strangers wrote further left is never read, so inventing it changes nothing.
 */
export function clientAddress(call: Arrival, trusted: readonly Network[]): Address | null {
  let address = parseAddress(call.socket.remoteAddress ?? '');
  if (address === null || trusted.length === 0) return address;
  const forwarded = call.headers['x-forwarded-for'];
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  for (const hop of hops.reverse()) {
    const speaker = address;
    if (!trusted.some((network) => isWithin(speaker, network))) return speaker;
    const next = hopAddress(hop);
    if (next === null) return speaker;
    address = next;
  }
  return address;
}
