// Puts what the log has grown by into the archive file, within the caller's transaction.

import { keepText } from '../kept-text.js';
import type { Growth } from '../leaves.js';
import { placeNumber } from '../tree-store.js';
import type { Connection, Statement } from './connection.js';

export class LogWrites {
  readonly #leaf: Statement;
  readonly #attachment: Statement;
  readonly #node: Statement;

  constructor(connection: Connection) {
    this.#leaf = connection.prepare('INSERT INTO leaf VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#attachment = connection.prepare('INSERT INTO leaf_attachment VALUES (?, ?, ?)');
    this.#node = connection.prepare('INSERT INTO tree_node VALUES (?, ?)');
  }

  write({ leaves, nodes }: Growth): void {
    for (const { stated, body, attachment } of leaves) {
      const { index, sequence, knownAt, at, kind, subject, attachmentSha256 } = stated;
      this.#leaf.run(index, sequence, knownAt, at, kind, subject, body, attachmentSha256);
      if (attachment === null) continue;
      const { bytes, deflated } = keepText(attachment);
      this.#attachment.run(index, Number(deflated), bytes);
    }
    for (const node of nodes) this.#node.run(placeNumber(node), node.hash);
  }
}
