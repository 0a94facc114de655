// The handshake of a WebSocket: browsers can set no header, so the key travels as one of two offered subprotocols.

export const SNAPSHOT_PROTOCOL = 'barograph.snapshot.v1';
export const KEY_PROTOCOL_PREFIX = 'barograph.key.';

const MOST_BYTES = 1_024;

export type OfferFault =
  | 'too_long'
  | 'no_snapshot_protocol'
  | 'no_key_protocol'
  | 'several_key_protocols'
  | 'other_protocols'
  | 'key_encoding';

export type Offer = { readonly key: string } | { readonly fault: OfferFault };

/**
 * Reads `Sec-WebSocket-Protocol`: the snapshot protocol once and one key protocol, in either order, and nothing else.
 * The server selects SNAPSHOT_PROTOCOL, never what stands first: a selected key protocol would be sent back.
 */
export function readOffer(header: string | undefined): Offer {
  if (header === undefined) return { fault: 'no_snapshot_protocol' };
  if (Buffer.byteLength(header) > MOST_BYTES) return { fault: 'too_long' };
  const offered = header.split(',').map((protocol) => protocol.trim());
  const keys = offered.filter((protocol) => protocol.startsWith(KEY_PROTOCOL_PREFIX));
  if (!offered.includes(SNAPSHOT_PROTOCOL)) return { fault: 'no_snapshot_protocol' };
  if (keys.length === 0) return { fault: 'no_key_protocol' };
  if (keys.length > 1) return { fault: 'several_key_protocols' };
  if (offered.length !== 2) return { fault: 'other_protocols' };
  const key = decodeKey(keys[0]!.slice(KEY_PROTOCOL_PREFIX.length));
  return key === null ? { fault: 'key_encoding' } : { key };
}

/** Base64url without padding has one spelling for every text; the others are refused, or one key would have several. */
function decodeKey(encoded: string): string | null {
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length === 0 || bytes.toString('base64url') !== encoded) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What a client offers for a key, for clients and tests. */
export function keyProtocol(key: string): string {
  return `${KEY_PROTOCOL_PREFIX}${Buffer.from(key, 'utf8').toString('base64url')}`;
}
