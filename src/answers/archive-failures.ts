// Says in the words of the contract that a store behind an answer is away.
import { Failure } from '../contracts/failures.js';
import { ArchiveUnavailable } from '../ports/archive.js';
import { WatchlistsUnavailable } from '../ports/watchlists.js';

type Answer = (...given: never[]) => Promise<unknown>;

function translated(error: unknown): unknown {
  const away = error instanceof ArchiveUnavailable || error instanceof WatchlistsUnavailable;
  return away ? new Failure('archive_unavailable', { retryAfterSeconds: 2, cause: error }) : error;
}

/** The same answers; what a store throws because it is away becomes the failure that operations declare. */
export function withArchiveFailures<T extends Readonly<Record<string, Answer>>>(answers: T): T {
  const wrapped = Object.entries(answers).map(([name, answer]) => [
    name,
    async (...given: never[]) => {
      try {
        return await answer(...given);
      } catch (error) {
        throw translated(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}
