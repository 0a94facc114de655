// The function-calling manifest, made once from the operations themselves.
import type { ToolManifest } from '../../contracts/macro/tool-manifest.js';
import { toolParameters } from '../../contracts/macro/tool-parameters.js';
import { MACRO_TOOLS } from '../../contracts/macro/tools.js';
import { MACRO_CONTRACT } from '../../contracts/macro/vocabulary.js';
import type { Operation } from '../../contracts/operation.js';
import { fingerprint } from '../../kernel/fingerprint.js';

const BASE_PATH = '/v1/agent/tools/';

function toolOf(operation: Operation): ToolManifest['tools'][number] {
  const { name, description, path } = operation;
  if (path !== BASE_PATH + name) throw new Error(`${name} is not where the manifest says it is`);
  return {
    type: 'function',
    function: { name, description, parameters: toolParameters(operation), strict: true },
  };
}

export function toolManifest(): ToolManifest {
  const tools = Object.values(MACRO_TOOLS).map(toolOf);
  return {
    contract_version: MACRO_CONTRACT,
    tools_sha256: fingerprint(tools),
    base_path: BASE_PATH,
    tools,
  };
}
