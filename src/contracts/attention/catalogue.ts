// What the numbers mean: the five KPI definitions, and the whole ontology behind them.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { Sha256 } from '../primitives.js';
import { KpiId, Span } from './kpi-receipt.js';

const metric = {
  title: z.string(),
  formula: z.string().describe('In words and signs, with the parameters in force filled in.'),
  unit: z.string(),
  inputs: z.array(z.string()),
  window: Span.describe('How far back the inputs reach, as an ISO 8601 duration.'),
  parameters: z.array(z.string()).describe('Where its numbers stand among the parameters of /v1/ontology.'),
  states: z.array(z.string()).describe('What may stand instead of a measured value.'),
  since: z.string().describe('The version of the ontology that brought it in this form.'),
};

export const CoreKpi = z
  .strictObject({
    id: KpiId,
    ...metric,
    receipt_members: z
      .array(z.string())
      .describe('Members of a ticker packet that `inputs_sha256` of a receipt is made from.'),
  })
  .meta({ id: 'CoreKpi' });

const Metric = z.strictObject({ id: z.string(), ...metric }).meta({ id: 'Metric' });

export const CoreKpis = z
  .strictObject({
    ontology_version: z.string(),
    ontology_sha256: Sha256,
    core_kpis: z.array(CoreKpi),
    policy: z.string(),
  })
  .meta({ id: 'CoreKpis' });
export type CoreKpis = z.input<typeof CoreKpis>;

export const OntologyBody = z
  .strictObject({
    schema: z.literal('barograph.ontology.v1'),
    version: z.string(),
    core_kpis: z.array(CoreKpi),
    metrics: z.array(Metric),
    parameters: z
      .record(z.string(), z.unknown())
      .describe('Every number that the formulas depend on; spans are in microseconds.'),
  })
  .meta({ id: 'OntologyBody' });

export const Ontology = z
  .strictObject({
    ontology: OntologyBody,
    ontology_sha256: Sha256.describe('SHA-256 of the canonical JSON (RFC 8785) of `ontology`.'),
    json_schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema (draft 2020-12) of `ontology`; its $id carries the version.'),
    receipt_json_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of a KPI receipt.'),
    signal_receipt_members: z
      .array(z.string())
      .describe('The same as `receipt_members`, for the receipts of signal envelopes; <kpi> is the id.'),
    policy: z.string(),
  })
  .meta({ id: 'Ontology' });
export type Ontology = z.input<typeof Ontology>;

const GROUP = 'contract, trust, service';

export const coreKpis = operation({
  name: 'core_kpis',
  method: 'GET',
  path: '/v1/core-kpis',
  surface: 'attention',
  group: GROUP,
  summary: 'The five core KPIs and what they mean',
  description:
    'Id, title, formula, unit, inputs, window and states of each core KPI. The compact `core_kpis` receipts of packets and signals are resolved against it.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: CoreKpis,
  failures: ['unknown_parameter'],
  keeps: 'frame',
  example: {},
});

export const ontology = operation({
  name: 'ontology',
  method: 'GET',
  path: '/v1/ontology',
  surface: 'attention',
  group: GROUP,
  summary: 'The signal ontology: every metric with formula, inputs and parameters, and its fingerprint',
  description:
    'Fetch it before consuming any KPI value. Every KPI receipt carries its fingerprint: a changed fingerprint means that a formula, a member or a parameter has changed.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: Ontology,
  failures: ['unknown_parameter'],
  keeps: 'frame',
  example: {},
});
