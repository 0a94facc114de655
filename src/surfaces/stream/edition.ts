// A frame as one `limit` shows it: its message, and the digest of its rows that tells whether they have changed.
import { sha256Hex } from '../../kernel/fingerprint.js';
import { Message } from './message.js';

export interface SnapshotBody {
  readonly leaderboard: readonly object[];
}

/** What a hub is given to publish. */
export interface FeedFrame {
  readonly seq: number;
  /** May change without a new frame; bytes that say the old word are not sent any more. */
  freshness(): string;
  snapshot(limit: number): SnapshotBody;
  heartbeat(): object;
}

export interface Edition {
  readonly rowsDigest: string;
  readonly message: Message;
}

/** The editions of one frame, made as they are asked for. */
export class Editions {
  readonly #frame: FeedFrame;
  readonly #byLimit = new Map<number, Edition>();
  #freshness: string;
  readonly heartbeat: Message;

  constructor(frame: FeedFrame) {
    this.#frame = frame;
    this.#freshness = frame.freshness();
    this.heartbeat = new Message('heartbeat', null, () => frame.heartbeat());
  }

  get seq(): number {
    return this.#frame.seq;
  }

  of(limit: number): Edition {
    const known = this.#byLimit.get(limit);
    if (known !== undefined) return known;
    const body = this.#frame.snapshot(limit);
    const edition = {
      rowsDigest: sha256Hex(JSON.stringify(body.leaderboard)),
      message: new Message('snapshot', this.#frame.seq, () => body),
    };
    this.#byLimit.set(limit, edition);
    return edition;
  }

  /** To be called before an old frame is shown to somebody new. */
  refresh(): void {
    const freshness = this.#frame.freshness();
    if (freshness === this.#freshness) return;
    this.#freshness = freshness;
    this.#byLimit.clear();
  }
}
