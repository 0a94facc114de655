// The newest frame, or the one refusal of a service that has none yet.
import { Failure } from '../contracts/failures.js';
import type { PublishedFrame } from '../domain/facts/published.js';
import type { LiveBoard } from './live-board.js';

export function newestFrame(live: LiveBoard): PublishedFrame {
  if (live.latest) return live.latest;
  throw new Failure('warming_up', { retryAfterSeconds: 2 });
}
