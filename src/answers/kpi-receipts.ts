// Builds the compact receipts of a body that shows KPI values.
import type { KpiReceipt } from '../contracts/attention/kpi-receipt.js';
import { inputsSha256 } from '../domain/attention/kpi-receipts.js';
import { type KpiId, type KpiState, ONTOLOGY, ONTOLOGY_SHA256 } from '../domain/attention/ontology.js';
import type { FrameHeader } from '../domain/facts/frame.js';
import { formatInstant } from '../kernel/instant.js';

/** `<kpi>` stands for the id of the KPI. */
export const SIGNAL_RECEIPT_MEMBERS = ['ticker', 'as_of', 'frame_sha256', 'core_kpi_values.<kpi>'] as const;

type Stamped = Pick<FrameHeader, 'at' | 'newestKnownAt' | 'sourceSet'>;

function receipts(
  body: object,
  header: Stamped,
  membersOf: (id: KpiId) => readonly string[],
  stateOf: (id: KpiId) => KpiState,
): KpiReceipt[] {
  return ONTOLOGY.core_kpis.map(({ id, window }) => ({
    kpi_id: id,
    ontology_sha256: ONTOLOGY_SHA256,
    as_of: formatInstant(header.at),
    known_at: header.newestKnownAt === null ? null : formatInstant(header.newestKnownAt),
    window,
    source_set_version: header.sourceSet.version,
    inputs_sha256: inputsSha256(body, membersOf(id)),
    state: stateOf(id),
  }));
}

export function packetReceipts(
  packet: object,
  header: Stamped,
  stateOf: (id: KpiId) => KpiState,
): KpiReceipt[] {
  const members = new Map(ONTOLOGY.core_kpis.map((kpi) => [kpi.id, kpi.receipt_members]));
  return receipts(packet, header, (id) => members.get(id)!, stateOf);
}

/** A signal keeps values only: what was null then could not be measured then. */
export function signalReceipts(
  envelope: { readonly core_kpi_values: Readonly<Record<KpiId, number | null>> },
  header: Stamped,
): KpiReceipt[] {
  return receipts(
    envelope,
    header,
    (id) => SIGNAL_RECEIPT_MEMBERS.map((member) => member.replace('<kpi>', id)),
    (id) => (envelope.core_kpi_values[id] === null ? 'insufficient' : 'measured'),
  );
}
