// Admits a WebSocket handshake by the key among its subprotocols: valid, with the scope, and within its plan.
import type { Network } from '../../access/address.js';
import type { AddressCeiling } from '../../access/address-ceiling.js';
import { admit, keyAccount } from '../../access/admission.js';
import type { Audit, AuditEvent } from '../../access/audit.js';
import { clientAddress } from '../../access/client-address.js';
import type { Keyring } from '../../access/keyring.js';
import { type OfferFault, readOffer } from '../../access/websocket-key.js';
import { Failure } from '../../contracts/failures.js';
import type { Counters } from '../../ports/counters.js';
import type { Authenticate } from './websocket.js';

export interface HandshakeKeyParts {
  readonly keyring: Keyring;
  readonly counters: Counters;
  readonly scope: string;
  readonly audit: Audit;
  readonly trustedProxies: readonly Network[];
  readonly failedKeys?: AddressCeiling;
}

type Reason = Extract<AuditEvent, { event: 'ws.refused' }>['reason'];

const HOW = 'Offer barograph.snapshot.v1 and one barograph.key. protocol, and nothing else.';

/** What is wrong with the key itself is `unauthorized` like everywhere; the rest is a malformed handshake. */
function failureOfOffer(fault: OfferFault): Failure {
  return fault === 'no_key_protocol' || fault === 'key_encoding'
    ? new Failure('unauthorized')
    : new Failure('bad_request', { detail: `The offered subprotocols are wrong. ${HOW}` });
}

export function handshakeKey(parts: HandshakeKeyParts): Authenticate {
  const { keyring, counters, scope } = parts;
  return async (req, requestId) => {
    const refuse = (reason: Reason, failure: Failure): Failure => {
      const address = clientAddress(req, parts.trustedProxies);
      parts.audit({ event: 'ws.refused', reason }, { requestId, address });
      return failure;
    };
    if (!keyring.configured) return new Failure('customer_api_not_configured');
    const offered = req.headers['sec-websocket-protocol'];
    if (offered === undefined) return refuse('missing', new Failure('unauthorized'));
    const offer = readOffer(offered);
    if ('fault' in offer) return refuse(offer.fault, failureOfOffer(offer.fault));
    const found = keyring.authenticate(offer.key);
    if (!('holder' in found)) {
      const wait = parts.failedKeys?.pass(clientAddress(req, parts.trustedProxies)) ?? null;
      if (wait !== null) return refuse('limit', new Failure('rate_limited', { retryAfterSeconds: wait }));
      return refuse(found.refused, new Failure('unauthorized'));
    }
    const { holder } = found;
    if (!holder.scopes.includes(scope)) return refuse('scope', new Failure('insufficient_scope'));
    const account = keyAccount(holder);
    const { refusal } = await admit(counters, account, 'calls').catch((error: unknown) => {
      parts.audit({ event: 'limiter.unavailable', keyId: holder.id }, { requestId });
      throw error;
    });
    if (refusal !== null) return refuse('limit', refusal);
    const streams = account.plan.concurrentStreams;
    return {
      keyId: holder.id,
      streams,
      recheck: () => keyring.current(holder)?.scopes.includes(scope) ?? false,
    };
  };
}
