// What an answer of surface B was computed from, so that the same question gives the same answer again.
import { z } from 'zod';
import { AsOfProof } from '../log/proof.js';
import { InstantText, Sha256 } from '../primitives.js';
import { Vintage } from './vocabulary.js';

export const UsedVintage = z
  .strictObject({
    index_symbol: z.string(),
    observed_on: z.string().nullable(),
    known_at: InstantText.nullable(),
    vintage: Vintage.nullable(),
  })
  .meta({ id: 'UsedVintage' });

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
    inputs_sha256: Sha256.optional().describe(
      'Over the canonical JSON of [symbol, observed_on, known_at, vintage, value] of all indexes of the edition, in the order of the catalogue; the edition binds the same readings. In the receipt of a packet.',
    ),
    vintages: z
      .array(UsedVintage)
      .optional()
      .describe(
        'Which vintage of each index the shown drivers rest on, in the order of the catalogue. In the receipt of a packet.',
      ),
  })
  .meta({
    id: 'MacroReceipt',
    description: 'What an answer was computed from. Members are only ever added.',
  });
export type MacroReceipt = z.input<typeof MacroReceipt>;
