// Checks the proof of an answer offline: no service, no network, nothing but the proof and a public key.
import { AsOfProof } from '../../contracts/log/proof.js';
import { isPlainObject } from '../../kernel/canonical-json.js';
import { formatInstant, type Instant, parseInstant } from '../../kernel/instant.js';
import { leafHash, MerkleFrontier, verifyConsistency, verifyInclusion } from '../../kernel/merkle.js';
import { type Checkpoint, parseCheckpoint, parseVerifierKey, verifyNote } from '../../kernel/signed-note.js';
import { type LoggedLeaf, readLeaf } from './logged-leaf.js';

export const RECEIPT_CHECKS = [
  'shape',
  'signature',
  'frame_in_log',
  'rows_in_frame',
  'prefix',
  'consistency',
  'left_edge',
  'right_edge',
  'newest_frame',
  'knowledge',
  'parameters',
  'answer',
] as const;
export type ReceiptCheckName = (typeof RECEIPT_CHECKS)[number];

export interface ReceiptCheck {
  readonly name: ReceiptCheckName;
  /** `not_shown`: the receipt does not claim it. */
  readonly state: 'pass' | 'fail' | 'not_shown';
  readonly detail: string;
}

/** Where a frame's leaf says what its rows lead to. */
const ROWS: Readonly<Record<AsOfProof['kind'], { readonly root: string; readonly size: string }>> = {
  attention_frame: { root: 'rows_root', size: 'slots' },
  macro_frame: { root: 'score_root', size: 'assets' },
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const path = (hashes: readonly string[]): Buffer[] => hashes.map(bytes);
const schemaOf = (kind: string): string => `barograph.log.${kind}.v1`;

/** What the steps of a check share. */
interface Ground {
  readonly proof: AsOfProof;
  readonly head: Checkpoint;
  readonly frame: LoggedLeaf;
  readonly asOf: Instant;
  readonly cutAt: Instant;
}

/** Throws where it does not hold; the message says why. */
type Step = (ground: Ground) => string | { readonly notShown: string };

class DoesNotHold extends Error {}

function require(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new DoesNotHold(otherwise);
}

function leafOf(text: string, index: number): LoggedLeaf {
  const leaf = readLeaf(text);
  require(leaf !== null, `leaf ${index} is not canonical JSON of the form that leaves have`);
  require(leaf.index === index, `the leaf shown as ${index} says that it is leaf ${leaf.index}`);
  return leaf;
}

function requireIncluded(
  leaf: { readonly index: number; readonly leaf: string; readonly proof: readonly string[] },
  head: Checkpoint,
): void {
  const claim = { leaf: leafHash(leaf.leaf), index: leaf.index, size: head.size, root: head.root };
  require(verifyInclusion({
    ...claim,
    proof: path(leaf.proof),
  }), `the path of leaf ${leaf.index} does not lead to the root of the checkpoint`);
}

const STEPS: readonly [ReceiptCheckName, Step][] = [
  [
    'frame_in_log',
    ({ proof, head, frame }) => {
      require(frame.schema === schemaOf(proof.kind), `leaf ${frame.index} does not state a ${proof.kind}`);
      requireIncluded(proof.value.frame, head);
      return `leaf ${frame.index} of ${head.size}`;
    },
  ],
  [
    'rows_in_frame',
    ({ proof, frame }) => {
      const { rows } = proof.value;
      const root = frame.body[ROWS[proof.kind].root];
      const size = frame.body[ROWS[proof.kind].size];
      require(typeof root === 'string' && typeof size === 'number', 'the leaf states no root of its rows');
      require(rows.length > 0, 'no row is shown');
      for (const { slot, row, proof: siblings } of rows) {
        const claim = { leaf: leafHash(row), index: slot, size, proof: path(siblings), root: bytes(root) };
        require(verifyInclusion(claim), `the row in slot ${slot} is not in the frame`);
      }
      return `${rows.length} of ${size} rows`;
    },
  ],
  [
    'prefix',
    ({ proof }) => {
      const { size, peaks, leaves } = proof.left_edge;
      const tree = MerkleFrontier.restore({ size, peaks });
      leaves.forEach((text, i) => {
        leafOf(text, size + i);
        tree.append(leafHash(text));
      });
      require(tree.size === proof.prefix.size &&
        tree
          .root()
          .equals(bytes(proof.prefix.root)), 'the leaves shown do not make up the tree of the prefix');
      return `${proof.prefix.size} leaves`;
    },
  ],
  [
    'consistency',
    ({ proof, head }) => {
      const { size, root, consistency } = proof.prefix;
      const claim = { oldSize: size, newSize: head.size, oldRoot: bytes(root), newRoot: head.root };
      require(verifyConsistency({
        ...claim,
        proof: path(consistency),
      }), 'the checkpoint does not begin with the prefix');
      return `from ${size} to ${head.size} leaves`;
    },
  ],
  [
    'left_edge',
    ({ proof, frame, asOf, cutAt }) => {
      require(cutAt ===
        Math.max(asOf, frame.knownAt), '`cut_at` is neither `as_of` nor when the frame was recorded');
      let last = Number.NEGATIVE_INFINITY;
      proof.left_edge.leaves.forEach((text, i) => {
        const { knownAt } = leafOf(text, proof.left_edge.size + i);
        require(knownAt >= last, 'the leaves are not in the order in which they became known');
        last = knownAt;
      });
      require(last <= cutAt, 'the prefix holds a leaf that was not known yet');
      return `the last leaf was known at ${formatInstant(last)}`;
    },
  ],
  [
    'right_edge',
    ({ proof, head, asOf, cutAt }) => {
      const { right_edge: edge, open_edge: open, prefix } = proof;
      if (edge === null) {
        require(open && prefix.size === head.size, 'the first leaf after the prefix is withheld');
        return 'open: the prefix is the whole log so far';
      }
      require(!open && edge.index === prefix.size, 'the edge shown does not follow the prefix');
      const leaf = leafOf(edge.leaf, edge.index);
      requireIncluded(edge, head);
      require(leaf.knownAt > cutAt, 'a leaf that was known by then is left out of the prefix');
      require(leaf.schema !== schemaOf(proof.kind) ||
        leaf.at > asOf, 'a later frame for the same instant stands right behind');
      return `the next leaf became known at ${formatInstant(leaf.knownAt)}`;
    },
  ],
  [
    'newest_frame',
    ({ proof, frame, asOf }) => {
      require(frame.at <= asOf, 'the frame is for a later instant than the one asked for');
      const { size, leaves } = proof.left_edge;
      if (size > frame.index) {
        return {
          notShown: `the leaves between ${frame.index} and ${size} are not listed; read them in the log`,
        };
      }
      require(leaves[frame.index - size] ===
        proof.value.frame.leaf, 'the frame is not where it is said to be');
      const later = leaves.slice(frame.index - size + 1).map((text) => readLeaf(text));
      require(later.every(
        (leaf) => leaf?.schema !== schemaOf(proof.kind) || leaf.at > asOf,
      ), 'a newer frame for the instant was passed over');
      return `no newer frame among the ${later.length} leaves after it`;
    },
  ],
  [
    'knowledge',
    ({ frame }) => {
      const newest = frame.body['newest_known_at'];
      require(newest === null || typeof newest === 'number', 'the leaf does not say what the frame knew');
      require(newest === null || newest <= frame.at, 'the frame says that it used what was known only later');
      require(frame.at <= frame.knownAt, 'the frame was recorded before its own boundary');
      const used =
        newest === null ? 'nothing was used' : `the newest fact used was known at ${formatInstant(newest)}`;
      return `${used}${backfillText(frame.body['knowledge'])}`;
    },
  ],
  [
    'parameters',
    ({ proof, frame }) => {
      for (const name of ['ontology', 'universe'] as const) {
        const [stated, named] = [proof.parameters[name], frame.body[`${name}_sha256`] ?? null];
        require((stated?.sha256 ?? null) === named, `the frame names another ${name}`);
        require(stated === null || stated.index < frame.index, `the ${name} was stated after the frame`);
      }
      return 'definitions and tickers in force were stated before the frame';
    },
  ],
];

/** What was filled in afterwards was not observed as it happened, and the leaf admits it. */
function backfillText(knowledge: unknown): string {
  if (knowledge === 'simulated') return '; part of the facts was backfilled';
  if (!isPlainObject(knowledge) || knowledge['state'] !== 'simulated') return '';
  return `; ${String(knowledge['backfilled'])} of ${String(knowledge['posts'])} posts were backfilled`;
}

export interface CheckedProof {
  readonly checks: readonly ReceiptCheck[];
  /** Null where the proof is not even readable. */
  readonly ground: Pick<Ground, 'proof' | 'head' | 'frame' | 'asOf'> | null;
}

/** Every check by name. One that cannot be made because an earlier one failed has failed too. */
export function checkProof(document: unknown, verifierKeyText: string): CheckedProof {
  const checks: ReceiptCheck[] = [];
  const attempt = <T>(name: ReceiptCheckName, step: () => readonly [T, string]): T | null => {
    try {
      const [value, detail] = step();
      checks.push({ name, state: 'pass', detail });
      return value;
    } catch (error) {
      checks.push({ name, state: 'fail', detail: error instanceof Error ? error.message : String(error) });
      return null;
    }
  };

  const read = attempt('shape', () => {
    const parsed = AsOfProof.safeParse(document);
    require(parsed.success, 'this is not a receipt of the form barograph.receipt.v1');
    const proof = parsed.data;
    const [asOf, cutAt] = [parseInstant(proof.as_of), parseInstant(proof.cut_at)];
    require(asOf !== null && cutAt !== null, 'the instants are not RFC 3339');
    const frame = leafOf(proof.value.frame.leaf, proof.value.frame.index);
    return [{ proof, asOf, cutAt, frame }, proof.schema];
  });
  const head = read && attempt('signature', () => signedHead(read.proof, verifierKeyText));
  if (!read || !head) return { checks, ground: null };
  const ground: Ground = { ...read, head };
  for (const [name, step] of STEPS) {
    const found = attempt(name, () => {
      const said = step(ground);
      return [said, typeof said === 'string' ? said : said.notShown];
    });
    if (typeof found === 'object' && found !== null) checks.push({ ...checks.pop()!, state: 'not_shown' });
  }
  return { checks, ground };
}

function signedHead({ checkpoint }: AsOfProof, keyText: string): [Checkpoint, string] {
  const key = parseVerifierKey(keyText.trim());
  const head = parseCheckpoint(verifyNote(checkpoint, [key]).text);
  require(head.origin === key.name, 'the checkpoint is of another log than the key');
  require(head.root.length === 32, 'the checkpoint states no SHA-256 root');
  return [head, `signed by ${key.name}+${key.hash}`];
}
