// The KPI catalogue and the ontology: fixed for the life of a process, so made once.
import { z } from 'zod';
import { type CoreKpis, type Ontology, OntologyBody } from '../contracts/attention/catalogue.js';
import { KpiReceipt } from '../contracts/attention/kpi-receipt.js';
import { ONTOLOGY, ONTOLOGY_SHA256 } from '../domain/attention/ontology.js';
import { POLICY_PATH } from './board-shapes.js';
import { SIGNAL_RECEIPT_MEMBERS } from './kpi-receipts.js';

/** The contract's arrays are not read-only; the ontology stays as it is, because nobody writes to a copy. */
const body = (): Ontology['ontology'] => structuredClone(ONTOLOGY) as unknown as Ontology['ontology'];

/** Without the descriptions, which stand in the OpenAPI document: whoever checks a body needs its shape alone. */
function bareSchema(): Record<string, unknown> {
  return z.toJSONSchema(OntologyBody, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.description;
    },
  });
}

export function catalogueAnswers() {
  const { core_kpis } = body();
  const catalogue: CoreKpis = {
    ontology_version: ONTOLOGY.version,
    ontology_sha256: ONTOLOGY_SHA256,
    core_kpis,
    policy: POLICY_PATH,
  };
  const ontology: Ontology = {
    ontology: body(),
    ontology_sha256: ONTOLOGY_SHA256,
    json_schema: { $id: `barograph.ontology.v1/${ONTOLOGY.version}`, ...bareSchema() },
    receipt_json_schema: z.toJSONSchema(KpiReceipt),
    signal_receipt_members: [...SIGNAL_RECEIPT_MEMBERS],
    policy: POLICY_PATH,
  };
  return {
    core_kpis: async (): Promise<CoreKpis> => catalogue,
    ontology: async (): Promise<Ontology> => ontology,
  };
}
