// The DSSE encoding against the protocol's own example and its published signature.
import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { preAuthEncoding } from './dsse.js';
import golden from './golden/dsse.json' with { type: 'json' };

const coordinate = (decimal: string): string =>
  Buffer.from(BigInt(decimal).toString(16).padStart(64, '0'), 'hex').toString('base64url');

it.each(golden.cases)(
  '$id',
  ({ payload_utf8, payloadType, expected_pae_utf8, ecdsa_p256, sig_base64_raw_rs }) => {
    const encoded = preAuthEncoding(payloadType, Buffer.from(payload_utf8));
    expect(encoded.toString()).toBe(expected_pae_utf8);
    const key = createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: coordinate(ecdsa_p256.x), y: coordinate(ecdsa_p256.y) },
      format: 'jwk',
    });
    const signature = Buffer.from(sig_base64_raw_rs, 'base64');
    expect(verify('sha256', encoded, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  },
);

it('counts bytes, not characters, and leaves binary payloads as they are', () => {
  const encoded = preAuthEncoding('é', Buffer.from([0xff, 0x00]));
  expect(encoded).toEqual(Buffer.concat([Buffer.from('DSSEv1 2 é 2 '), Buffer.from([0xff, 0x00])]));
});
