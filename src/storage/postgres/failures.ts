// Tells a server that cannot be reached from a server that objects, and speaks of the first without secrets.
import { ArchiveUnavailable } from '../../ports/archive.js';

/** SQLSTATEs that say nothing about the statement: connection, authorization, database, too many clients, operator, disk. */
const OUTSIDE_THE_STATEMENT = /^(08|28|3D|533|57P|58)/;
/** The server has become a replica. */
const READ_ONLY = '25006';
/** What the driver, the socket and the certificate check say when there is no line to the server. */
const DEAD_LINE = [
  /^CONNECTION_(CLOSED|ENDED|DESTROYED)$|^CONNECT_TIMEOUT$|^SASL_/,
  /^E(?!RR_)[A-Z0-9_]+$|^ERR_(SOCKET|STREAM|TLS|SSL)_/,
  /CERT|^UNABLE_TO_/,
];

export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('no answer in time');
    this.name = 'NoAnswer';
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  return OUTSIDE_THE_STATEMENT.test(code) || code === READ_ONLY || DEAD_LINE.some((line) => line.test(code));
}

/** The cause is the bare code: the driver's texts name users, and its errors carry statements and their values. */
export function unavailable(location: string, error: unknown): ArchiveUnavailable {
  return new ArchiveUnavailable(location, new Error(codeOf(error) || 'the connection was lost'));
}
