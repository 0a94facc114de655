// The fingerprint of a coordination measurement: what a gate record is about and what an answer shows must be one thing.
import { fingerprint } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import type { CoordinationReading } from './coordination.js';

export function measurementSha256(
  ticker: string,
  at: Instant,
  { sample, measurement }: CoordinationReading,
): string {
  return fingerprint({ schema: 'realness.measurement.v1', ticker, at, sample, measurement });
}
