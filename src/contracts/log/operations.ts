// The transparency log on the wire: its key, its checkpoint, its leaves and the proofs about them.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantText } from '../primitives.js';
import { HexHash, LeafIndex, LeafText, TreePath } from './proof.js';

const GROUP = 'log';
const SURFACE = 'service';
const size = z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('A number of leaves.');

export const LogCheckpoint = z
  .strictObject({
    origin: z.string().describe('Whose log it is; also the name of its key.'),
    size: z.int().describe('Leaves in the tree.'),
    root: HexHash,
    last_known_at: InstantText.nullable().describe('When the last of these leaves was stated.'),
    note: z.string().describe('The same, signed (C2SP tlog-checkpoint); raw at /checkpoint.'),
  })
  .meta({ id: 'LogCheckpoint' });
export type LogCheckpoint = z.input<typeof LogCheckpoint>;

export const LogKey = z
  .strictObject({
    origin: z.string(),
    verifier_key: z
      .string()
      .describe('`name+hash+base64` (C2SP signed-note): keep it, and check notes by it.'),
    algorithm: z.literal('ed25519'),
    stated_at: LeafIndex.nullable().describe('The leaf of the log that names this key.'),
  })
  .meta({ id: 'LogKey' });
export type LogKey = z.input<typeof LogKey>;

export const LogEntry = z
  .strictObject({
    index: LeafIndex,
    leaf_hash: HexHash,
    leaf: LeafText,
    kind: z.string(),
    known_at: InstantText,
    attachment_sha256: HexHash.nullable(),
    attachment: z
      .string()
      .nullable()
      .describe('Text too large for a leaf, where asked for; its SHA-256 stands in the leaf.'),
    size: z.int().describe('Leaves in the tree that the path leads to.'),
    root: HexHash,
    proof: TreePath,
  })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.input<typeof LogEntry>;

export const InclusionProof = z
  .strictObject({ index: LeafIndex, size: z.int(), leaf_hash: HexHash, root: HexHash, proof: TreePath })
  .meta({ id: 'InclusionProof' });
export type InclusionProof = z.input<typeof InclusionProof>;

export const ConsistencyProof = z
  .strictObject({ from: z.int(), to: z.int(), from_root: HexHash, to_root: HexHash, proof: TreePath })
  .meta({ id: 'ConsistencyProof' });
export type ConsistencyProof = z.input<typeof ConsistencyProof>;

export const logCheckpoint = operation({
  name: 'log_checkpoint',
  method: 'GET',
  path: '/v1/log/checkpoint',
  surface: SURFACE,
  group: GROUP,
  summary: 'The log as it is now, signed',
  description:
    'Size and root of the append-only log of everything that the service states, with its Ed25519 signature. Keep checkpoints: a later one that is not consistent with them proves that the past was changed.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: LogCheckpoint,
  failures: ['unknown_parameter', 'log_key_unavailable', 'archive_unavailable'],
  keeps: 'nothing',
  example: {},
});

export const logKey = operation({
  name: 'log_key',
  method: 'GET',
  path: '/v1/log/key',
  surface: SURFACE,
  group: GROUP,
  summary: 'The public key that checkpoints are signed with',
  description: 'Fetch it once, keep it, and compare it with what others were given.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: LogKey,
  failures: ['unknown_parameter', 'log_key_unavailable', 'archive_unavailable'],
  keeps: 'nothing',
  example: {},
});

export const logEntry = operation({
  name: 'log_entry',
  method: 'GET',
  path: '/v1/log/entries/{index}',
  surface: SURFACE,
  group: GROUP,
  summary: 'One leaf of the log with its path to the root',
  description:
    'The bytes of a leaf as they were hashed, and its RFC 6962 audit path in the log as it is now.',
  access: PUBLIC,
  input: z.strictObject({
    index: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Place in the log, from 0.'),
    include_attachment: z
      .boolean()
      .default(false)
      .describe('True adds the text that is kept beside the leaf.'),
  }),
  output: LogEntry,
  failures: ['invalid_parameter', 'unknown_parameter', 'leaf_not_found', 'archive_unavailable'],
  keeps: 'nothing',
  example: { index: 0 },
});

export const logInclusion = operation({
  name: 'log_inclusion',
  method: 'GET',
  path: '/v1/log/proof/inclusion',
  surface: SURFACE,
  group: GROUP,
  summary: 'The path from a leaf to the root of a tree that once was',
  description: 'RFC 6962 audit path of a leaf in the tree of the first `size` leaves.',
  access: PUBLIC,
  input: z.strictObject({
    index: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Place in the log, from 0.'),
    size: size.optional().describe('Leaves of the tree; as many as there are now when absent.'),
  }),
  output: InclusionProof,
  failures: [
    'invalid_parameter',
    'unknown_parameter',
    'leaf_not_found',
    'tree_size_out_of_range',
    'archive_unavailable',
  ],
  keeps: 'nothing',
  example: { index: 0, size: 1 },
});

export const logConsistency = operation({
  name: 'log_consistency',
  method: 'GET',
  path: '/v1/log/proof/consistency',
  surface: SURFACE,
  group: GROUP,
  summary: 'That a later tree begins with an earlier one',
  description:
    'RFC 6962 consistency proof between two sizes of the log: whoever kept the earlier root sees that nothing before it was changed or taken away.',
  access: PUBLIC,
  input: z.strictObject({
    from: size,
    to: size.optional().describe('As many as there are now when absent.'),
  }),
  output: ConsistencyProof,
  failures: ['invalid_parameter', 'unknown_parameter', 'tree_size_out_of_range', 'archive_unavailable'],
  keeps: 'nothing',
  example: { from: 1, to: 2 },
});
