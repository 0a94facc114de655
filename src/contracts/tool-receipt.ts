// What goes with every value that a tool returns: what was asked, and what the value may know.
import { z } from 'zod';
import { InstantText, Sha256 } from './primitives.js';

export const ProvenanceState = z.enum(['live', 'replay', 'fixture', 'recomputed']).meta({
  id: 'ProvenanceState',
  description:
    'live: recorded as it happened; replay: a recorded frame of the past; recomputed: computed now for an instant without a recorded frame; fixture: synthetic data.',
});

export const ToolReceipt = z
  .strictObject({
    schema: z.literal('barograph.tool_receipt.v1'),
    tool: z.string(),
    args_fp: Sha256.describe('Over the canonical JSON (RFC 8785) of the arguments, defaults filled in.'),
    value_fp: Sha256.describe('Over the canonical JSON of `value`; the same value always has the same.'),
    ontology_fp: Sha256.describe(
      'Fingerprint of the definitions in force: of sso_contract, or of the macro model.',
    ),
    known_at_max: InstantText.nullable().describe(
      'Nothing that became known later is in the value; null for definitions, which rest on no fact.',
    ),
    sequence: z.int().nullable().describe('Last place of the archive that the value could use.'),
    archive: z
      .strictObject({
        origin: z.string().nullable().describe('The name that the log signs its checkpoints under.'),
        tree_size: z.int(),
        root_hash: z.string().describe('Base64, root of the RFC 6962 tree over that many statements.'),
      })
      .describe('Where the transparency log stood when the value was read.'),
    provenance_state: ProvenanceState,
    code_rev: z.string().describe('Version of the software that answered.'),
  })
  .meta({ id: 'ToolReceipt' });
export type ToolReceipt = z.input<typeof ToolReceipt>;

/** What depends on the value and the archive alone, whoever asked for it. */
export type Standing = Pick<
  ToolReceipt,
  'ontology_fp' | 'known_at_max' | 'sequence' | 'archive' | 'provenance_state'
>;
