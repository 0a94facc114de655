// The proof behind an answer about the past: everything that is needed to check it without asking the service again.
import { z } from 'zod';
import { InstantText, Sha256 } from '../primitives.js';

export const HexHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256, 64 lower-case hexadecimal digits.');

export const TreePath = z
  .array(HexHash)
  .max(64)
  .describe('RFC 6962 audit path, the hash nearest to the leaf first.');

/** Counts of leaves may pass 2^32; JSON numbers are exact up to 2^53. */
export const LeafIndex = z.int().min(0).describe('Place in the log, from 0.');

export const LeafText = z
  .string()
  .describe(
    'The bytes of a leaf: canonical JSON (RFC 8785). Its hash is SHA-256 of a zero byte and these bytes.',
  );

export const LeafProof = z
  .strictObject({ index: LeafIndex, leaf: LeafText, proof: TreePath })
  .meta({ id: 'LeafProof', description: 'A leaf and its path to the root of the checkpoint.' });

const Stated = z
  .strictObject({ index: LeafIndex, sha256: Sha256 })
  .describe('Where the log states it, and its fingerprint there.');

export const AsOfProof = z
  .strictObject({
    schema: z.literal('barograph.receipt.v1'),
    kind: z.enum(['attention_frame', 'macro_frame']),
    as_of: InstantText.describe('The instant that the answer is for.'),
    cut_at: InstantText.describe(
      'Leaves known by this instant are considered: `as_of`, or the moment the frame was recorded where that is later.',
    ),
    checkpoint: z
      .string()
      .describe('The signed tree of the log (C2SP tlog-checkpoint) that everything leads to.'),
    prefix: z
      .strictObject({
        size: z.int().min(1).describe('Leaves known by `cut_at`.'),
        root: HexHash,
        consistency: TreePath.describe('RFC 6962 consistency proof from this tree to the checkpoint.'),
      })
      .describe('The log as it was at `cut_at`.'),
    left_edge: z
      .strictObject({
        size: z.int().min(0),
        peaks: z
          .array(HexHash)
          .max(64)
          .describe('Complete subtrees of the tree of `size` leaves, largest first.'),
        leaves: z
          .array(LeafText)
          .min(1)
          .describe(
            'Every leaf from there to the end of the prefix; appended to the peaks they give its root.',
          ),
      })
      .describe(
        'What was stated last: from the frame on, or only the last leaf where that would be too much.',
      ),
    right_edge: LeafProof.nullable().describe('The first leaf that was not known by `cut_at`.'),
    open_edge: z.boolean().describe('True when there is no such leaf yet: the prefix is the whole log.'),
    value: z.strictObject({
      frame: LeafProof.describe('The leaf that states the frame.'),
      rows: z
        .array(
          z.strictObject({
            slot: z.int().min(0).describe('Place in the tree of the rows.'),
            row: z.string().describe('Canonical JSON of the row.'),
            proof: TreePath.describe('From the row to the root that the leaf of the frame states.'),
          }),
        )
        .describe('The rows that the answer is made from.'),
    }),
    parameters: z
      .strictObject({ ontology: Stated.nullable(), universe: Stated.nullable() })
      .describe('The definitions and the list of tickers in force.'),
    anchors: z
      .array(
        z.strictObject({
          kind: z.enum(['witness', 'rfc3161']),
          covers_size: z.int(),
          token: z.string(),
          time: InstantText,
        }),
      )
      .describe('Signatures and time stamps of others over a checkpoint; none yet.'),
    anchor_state: z
      .literal('unanchored')
      .describe('No outside witness has signed: the clock behind `known_at` is the word of the service.'),
  })
  .meta({
    id: 'AsOfProof',
    description: 'Checked offline with `barograph verify FILE --key KEY`, or by hand: docs/evidence.md.',
  });
export type AsOfProof = z.infer<typeof AsOfProof>;

/** Asked for only by those who check: a proof is several times the size of the answer. */
export const IncludeProof = z
  .boolean()
  .optional()
  .describe('True puts the proof into the receipt: paths from the values to a signed checkpoint of the log.');
