// The function-calling manifest: the six tools in the form that chat models take.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { Sha256 } from '../primitives.js';
import { TOOLS_GROUP } from './access.js';
import { ContractVersion } from './vocabulary.js';

export const ToolManifest = z
  .strictObject({
    contract_version: ContractVersion,
    tools_sha256: Sha256.describe('Over the canonical JSON of `tools`: changes when a tool does.'),
    base_path: z.string().describe('A tool is called with GET at this path followed by its name.'),
    tools: z
      .array(
        z.strictObject({
          type: z.literal('function'),
          function: z.strictObject({
            name: z.string(),
            description: z.string(),
            parameters: z
              .record(z.string(), z.unknown())
              .describe('Strict JSON Schema: every member is required, optional ones may be null.'),
            strict: z.literal(true),
          }),
        }),
      )
      .length(6),
  })
  .meta({ id: 'ToolManifest' });
export type ToolManifest = z.input<typeof ToolManifest>;

export const openaiTools = operation({
  name: 'openai_tools',
  method: 'GET',
  path: '/v1/agent/openai-tools',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'The function-calling manifest of the six tools',
  description:
    'Hand `tools` to a chat model as they are. Made from the same contracts that the routes check their input with. Needs no key and costs nothing.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: ToolManifest,
  failures: ['unknown_parameter'],
  keeps: 'frame',
  example: {},
});
