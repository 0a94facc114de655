// Gives the emissions of a frame their places right behind it.
import type { Emission, Emitted } from '../domain/facts/emission.js';
import type { Instant } from '../kernel/instant.js';
import type { Stamping } from './stamping.js';

export function stampEmissions(stamping: Stamping, at: Instant, emissions: readonly Emission[]): Emitted[] {
  return emissions.map((emission) => ({ ...emission, ...stamping.frame(at), at }));
}
