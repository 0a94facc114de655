// Writes down who was refused a stream for another reason than the key, which has its own lines in the audit.
import type { IncomingMessage } from 'node:http';
import type { Network } from '../../access/address.js';
import type { Audit } from '../../access/audit.js';
import { clientAddress } from '../../access/client-address.js';
import type { Failure, FailureCode } from '../../contracts/failures.js';
import type { Wire } from './connection.js';

export type Refused = (wire: Wire, failure: Failure, req: IncomingMessage, requestId: string) => void;

const REASONS: Partial<Record<FailureCode, 'origin' | 'streams'>> = {
  origin_not_allowed: 'origin',
  too_many_streams: 'streams',
  streams_exhausted: 'streams',
};

export function auditedRefusals(audit: Audit, trustedProxies: readonly Network[]): Refused {
  return (wire, { code }, req, requestId) => {
    const reason = REASONS[code];
    if (reason === undefined) return;
    const call = { requestId, address: clientAddress(req, trustedProxies) };
    audit({ event: wire === 'sse' ? 'stream.refused' : 'ws.refused', reason }, call);
  };
}
