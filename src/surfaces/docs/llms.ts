// /llms.txt: what the service offers, for language models that read before they call. A pure function of the operations.
import type { Access, Operation } from '../../contracts/operation.js';
import { ATTENTION_SERVER } from '../mcp/attention-tools.js';
import { MACRO_SERVER } from '../mcp/macro-tools.js';
import type { ToolServer } from '../mcp/tool.js';
import type { Documented } from './openapi.js';

const ABOUT = `> Records what markets pay attention to, the macro weather they do it in, and which exact instruments the evidence is about. Measurement, never advice.

- Prefer the MCP servers below; with plain HTTP, read /openapi.json.
- Fetch the ontology (tool sso_contract, or GET /v1/ontology) before you use a KPI value, and quote the receipt with the number.
- Null means not measurable, never zero. Freshness or provenance "fixture" means synthetic data: say so.
- Instants are RFC 3339 with an offset. \`as_of\` answers with what was known then.
- Errors are one envelope: {error_contract, error, message, status_code, request_id, retry_after_s?}. Unknown parameters are refused. Wait retry_after_s on 429 and 503.
- Signals are ranking input, never an execution trigger. Do not turn a measurement into advice.`;

function accessText(access: Access): string {
  switch (access.kind) {
    case 'metered':
      return ' (metered; no key needed within the daily quota)';
    case 'key':
      return access.scope === null ? ' (any valid X-API-Key)' : ` (X-API-Key with ${access.scope})`;
    default:
      return '';
  }
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

function serverText({ title, path, tools }: ToolServer, publicUrl: string): string {
  const lines = tools.map(({ name, description }) => `- ${name}: ${firstSentence(description)}`);
  return `## MCP: ${title}\n\nStreamable HTTP at ${publicUrl}${path}; read-only; every result is {value, receipt}.\n\n${lines.join('\n')}`;
}

function groupText(group: string, operations: readonly Operation[]): string {
  const lines = operations.map(
    ({ method, path, summary, access }) => `- \`${method} ${path}\`: ${summary}${accessText(access)}`,
  );
  return `## ${group[0]!.toUpperCase()}${group.slice(1)}\n\n${lines.join('\n')}`;
}

export function llmsText({ operations, publicUrl }: Pick<Documented, 'operations' | 'publicUrl'>): string {
  const list = Object.values(operations);
  const names = new Set(list.map(({ name }) => name));
  const served = [ATTENTION_SERVER, MACRO_SERVER].filter(({ tools }) =>
    tools.every((tool) => tool.operations.every(({ name }) => names.has(name))),
  );
  const groups = new Map<string, Operation[]>();
  for (const one of list) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return `${[
    '# Barograph',
    ABOUT,
    ...served.map((server) => serverText(server, publicUrl)),
    ...[...groups].map(([group, members]) => groupText(group, members)),
    `## Documents\n\n- [OpenAPI](${publicUrl}/openapi.json)\n- [Interactive documentation](${publicUrl}/docs)\n- [Documentation to read](${publicUrl}/redoc)`,
  ].join('\n\n')}\n`;
}
