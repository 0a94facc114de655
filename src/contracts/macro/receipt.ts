// What an answer of surface B was computed from, so that the same question gives the same answer again.
import { z } from 'zod';
import { AsOfProof } from '../log/proof.js';
import { InstantText, Sha256 } from '../primitives.js';

export const MacroReceipt = z
  .strictObject({
    as_of: InstantText.describe('The instant that was asked for; that of the edition where none was.'),
    edition_at: InstantText.describe('The instant of the edition that answers.'),
    edition_sha256: Sha256.describe('Fingerprint of the frame of the edition; the same as `snapshot_id`.'),
    stated: z
      .boolean()
      .describe(
        'True: the edition was stated when it was new and stands as it was; false: computed on demand.',
      ),
    log_index: z
      .int()
      .nullable()
      .describe('Place of the edition in the transparency log; null where it was computed on demand.'),
    archive_high_water: z
      .int()
      .nullable()
      .describe('The last sequence in the archive when the edition was computed.'),
    newest_known_at: InstantText.nullable().describe(
      'The largest known-at among the observations used: never later than as_of.',
    ),
    lookahead: z.literal(false).describe('Nothing that became known after as_of was used.'),
    knowledge: z
      .enum(['observed', 'simulated'])
      .describe(
        'observed: what the edition rests on arrived here live; simulated: some of it was filled in later with the release time of its provider.',
      ),
    model_version: z.string(),
    model_sha256: Sha256.describe('Over every parameter and every row of the catalogues.'),
    proof: AsOfProof.optional(),
  })
  .meta({
    id: 'MacroReceipt',
    description: 'What an answer was computed from. Members are only ever added.',
  });
export type MacroReceipt = z.input<typeof MacroReceipt>;
