// Signals as typed envelopes, and the public ledger of what changed.
import {
  type botFeedSignals,
  type botFeedTickerSignals,
  type SignalEnvelope,
  type SignalPage,
  STATE_CHANGES,
  type StateChanges,
  type stateChanges,
} from '../contracts/attention/signals.js';
import type { InputOf } from '../contracts/operation.js';
import { MEASURES } from '../domain/attention/measure-parameters.js';
import type { KpiId } from '../domain/attention/ontology.js';
import { SIGNALS } from '../domain/attention/signal-parameters.js';
import type { Emitted } from '../domain/facts/emission.js';
import type { RecordedHeader } from '../domain/facts/frame.js';
import { formatSpan } from '../kernel/duration.js';
import type { Instant } from '../kernel/instant.js';
import { DAY, formatInstant, HOUR, SECOND } from '../kernel/instant.js';
import { ulidOf } from '../kernel/ulid.js';
import { POLICY_PATH } from './board-shapes.js';
import { changesBefore } from './changes-before.js';
import { type EventPage, type PageParts, type Paging, readEvents } from './event-pages.js';
import { signalReceipts } from './kpi-receipts.js';

/** What `prev` and `now` are apart, where it is not one frame and the next. */
const APART: Readonly<Record<string, number>> = {
  'attention.share_rotated': HOUR,
  'attention.price_diverged': DAY,
  'attention.source_concentrated': MEASURES.coordination.window,
  'coordination.measurement_shifted': DAY,
};

function envelope(event: Emitted, header: RecordedHeader | null, now: Instant): SignalEnvelope {
  const { sequence, knownAt, at, type, ticker, body } = event;
  const values = (body['values'] ?? null) as Readonly<Record<KpiId, number | null>> | null;
  const evidence = (body['evidence'] ?? {}) as Readonly<Record<string, unknown>>;
  const shown: Omit<SignalEnvelope, 'core_kpis'> = {
    id: ulidOf(knownAt, sequence),
    seq: sequence,
    kind: type as SignalEnvelope['kind'],
    version: 1,
    ticker,
    emitted_at: formatInstant(knownAt),
    as_of: formatInstant(at),
    window: formatSpan(APART[type] ?? 0),
    prev: body['prev'] ?? null,
    now: body['now'] ?? null,
    core_kpi_values: values,
    evidence_refs: [
      ...(header === null ? [] : [{ type: 'frame' as const, ref: header.fingerprint }]),
      ...Object.entries(evidence).map(([name, value]) => ({
        type: 'detail' as const,
        ref: `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      })),
    ],
    frame_sha256: header?.fingerprint ?? null,
    state: now - knownAt > SIGNALS.ttlSeconds * SECOND ? 'expired' : 'active',
    ttl_s: SIGNALS.ttlSeconds,
    policy: 'ranking_input_only',
  };
  const receipts =
    values === null || header === null ? [] : signalReceipts({ ...shown, core_kpi_values: values }, header);
  return { ...shown, core_kpis: receipts };
}

const rest = ({ nextCursor, hasMore }: EventPage) => ({
  next_cursor: nextCursor,
  has_more: hasMore,
  policy: POLICY_PATH,
});

export function signalAnswers(parts: PageParts) {
  const { archive, clock } = parts;

  /** Each frame once, however many of its signals a page has. */
  async function headersOf(events: readonly Emitted[]): Promise<ReadonlyMap<Instant, RecordedHeader | null>> {
    const boundaries = [...new Set(events.map(({ at }) => at))];
    const headers = await Promise.all(boundaries.map((at) => archive.frameAt(at)));
    return new Map(boundaries.map((at, i) => [at, headers[i]?.at === at ? headers[i]! : null]));
  }

  async function signals(list: string, paging: Paging): Promise<SignalPage> {
    const page = await readEvents(parts, list, paging);
    const headers = await headersOf(page.events);
    const now = clock();
    return {
      signals: page.events.map((event) => envelope(event, headers.get(event.at) ?? null, now)),
      ...rest(page),
    };
  }

  return {
    bot_feed_signals: ({ kind, ...paging }: InputOf<typeof botFeedSignals>) =>
      signals('signals', { ...paging, types: kind }),

    bot_feed_ticker_signals: ({ kind, ...paging }: InputOf<typeof botFeedTickerSignals>) =>
      signals('signals', { ...paging, types: kind }),

    async state_changes({ change, ...paging }: InputOf<typeof stateChanges>): Promise<StateChanges> {
      const page = await readEvents(parts, 'state changes', { ...paging, types: change ?? STATE_CHANGES });
      const [headers, before] = await Promise.all([
        headersOf(page.events),
        changesBefore(archive, page.events),
      ]);
      return {
        changes: page.events.map(({ sequence, knownAt, at, type, ticker, body }, i) => ({
          seq: sequence,
          as_of: formatInstant(at),
          recorded_at: formatInstant(knownAt),
          ticker,
          change: type as (typeof STATE_CHANGES)[number],
          prev: body['prev'] ?? null,
          now: body['now'] ?? null,
          frame_sha256: headers.get(at)?.fingerprint ?? null,
          core_kpi_values: (body['values'] ?? null) as Readonly<Record<KpiId, number | null>> | null,
          previous_seq: before[i]?.sequence ?? null,
          dwell_s: before[i] ? (at - before[i].at) / SECOND : null,
        })),
        ...rest(page),
      };
    },
  };
}
