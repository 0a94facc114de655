// Where a value stands: the knowledge behind it, the definitions in force, and the place of the log.
import type { Surface } from '../contracts/operation.js';
import type { Standing } from '../contracts/tool-receipt.js';
import { ONTOLOGY_SHA256 } from '../domain/attention/ontology.js';
import { modelReceipt } from '../domain/macro/model-receipt.js';
import { formatInstant, LATEST } from '../kernel/instant.js';
import { storedRoot } from '../kernel/tree-proofs.js';
import type { ArchiveReader } from '../ports/archive.js';
import { isFixture } from './board-shapes.js';
import type { LiveBoard } from './live-board.js';

/** `definition`: rests on no fact, like a formula. */
export type StandingOf = (
  value: unknown,
  of: { readonly surface: Surface; readonly definition: boolean },
) => Promise<Standing>;

const STATES: Readonly<Record<string, Standing['provenance_state']>> = {
  fixture: 'fixture',
  archived: 'replay',
  replay: 'replay',
  simulated: 'recomputed',
};

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function firstText(...values: readonly unknown[]): string | null {
  return (values.find((value) => typeof value === 'string') as string | undefined) ?? null;
}

function firstNumber(...values: readonly unknown[]): number | null {
  return (values.find((value) => typeof value === 'number') as number | undefined) ?? null;
}

interface Parts {
  readonly archive: ArchiveReader;
  readonly live: LiveBoard;
  /** The name that the log signs under; null where this process cannot sign. */
  readonly origin: string | null;
}

export function standingOf({ archive, live, origin }: Parts): StandingOf {
  let position: Standing['archive'] | null = null;

  /** The log only grows, so a root of the same size is the same root. */
  async function logPosition(): Promise<Standing['archive']> {
    const size = await archive.logSize(LATEST);
    if (position?.tree_size !== size) {
      const root = await storedRoot(size, (places) => archive.treeHashes(places));
      position = { origin, tree_size: size, root_hash: root.toString('base64') };
    }
    return position;
  }

  return async (value, { surface, definition }) => {
    const body = membersOf(value);
    const receipt = membersOf(body['receipt']);
    const header = live.latest?.header ?? null;
    const newest = header?.newestKnownAt ?? null;
    return {
      ontology_fp:
        surface === 'macro'
          ? (firstText(receipt['model_sha256']) ?? modelReceipt().config)
          : (firstText(body['ontology_sha256']) ?? ONTOLOGY_SHA256),
      known_at_max: definition
        ? null
        : firstText(
            receipt['newest_known_at'],
            body['known_at'],
            newest === null ? null : formatInstant(newest),
          ),
      sequence: definition ? null : firstNumber(body['seq'], receipt['archive_high_water'], header?.sequence),
      archive: await logPosition(),
      provenance_state:
        STATES[firstText(body['freshness']) ?? (header && isFixture(header) ? 'fixture' : 'live')] ?? 'live',
    };
  };
}
