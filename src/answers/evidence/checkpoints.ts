// The tree of the log as it is now, and the checkpoint that signs it.
import { Failure } from '../../contracts/failures.js';
import type { Stated } from '../../domain/facts/statement.js';
import { LATEST } from '../../kernel/instant.js';
import {
  formatCheckpoint,
  formatVerifierKey,
  type NoteSigner,
  signNote,
  verifierKey,
} from '../../kernel/signed-note.js';
import { storedRoot } from '../../kernel/tree-proofs.js';
import type { ArchiveReader } from '../../ports/archive.js';

export interface TreeHead {
  readonly size: number;
  readonly root: Buffer;
}

export interface SignedHead extends TreeHead {
  readonly origin: string;
  readonly note: string;
}

export class Checkpoints {
  readonly #archive: ArchiveReader;
  readonly #signer: NoteSigner | null;
  #last: SignedHead | null = null;

  constructor(archive: ArchiveReader, signer: NoteSigner | null) {
    this.#archive = archive;
    this.#signer = signer;
  }

  async head(): Promise<TreeHead> {
    const size = await this.#archive.logSize(LATEST);
    return { size, root: await storedRoot(size, (places) => this.#archive.treeHashes(places)) };
  }

  /** Signed once per size: the same tree always has the same note. */
  async signed(): Promise<SignedHead> {
    const { name, privateKey } = this.#requireSigner();
    if (this.#last?.size === (await this.#archive.logSize(LATEST))) return this.#last;
    await this.key();
    const head = await this.head();
    const note = signNote(formatCheckpoint({ origin: name, ...head }), name, privateKey);
    this.#last = { ...head, origin: name, note };
    return this.#last;
  }

  /** The public half, and the leaf that names it. A key that the log does not name signs nothing. */
  async key(): Promise<{ origin: string; verifierKey: string; stated: Stated | null }> {
    const { name, privateKey } = this.#requireSigner();
    const own = formatVerifierKey(verifierKey(name, privateKey));
    const [stated] = await this.#archive.statements({ kind: 'key', knownBy: LATEST, newest: true, limit: 1 });
    if (stated && stated.body['verifier_key'] !== own) throw new Failure('log_key_unavailable');
    return { origin: name, verifierKey: own, stated: stated ?? null };
  }

  #requireSigner(): NoteSigner {
    if (this.#signer) return this.#signer;
    throw new Failure('log_key_unavailable');
  }
}
