// Walks over all tickers once an hour, a few per cycle: measures coordination, seals gate records, judges conditions.
import type { AttentionState } from '../domain/attention/attention-state.js';
import { coordinationShift, priceDivergence, sourceConcentration } from '../domain/attention/conditions.js';
import { measureCoordination } from '../domain/attention/coordination.js';
import { commitmentOf, type GatePolicy, policySha256, verdictOf } from '../domain/attention/gate.js';
import { measurementSha256 } from '../domain/attention/measurement-fingerprint.js';
import { SIGNALS } from '../domain/attention/signal-parameters.js';
import type { Emission } from '../domain/facts/emission.js';
import type { Frame, Row } from '../domain/facts/frame.js';
import type { Instant } from '../kernel/instant.js';
import { DAY, formatInstant, HOUR, SECOND } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

export interface PatrolParts {
  readonly state: AttentionState;
  readonly policy: GatePolicy;
  /** 32 fresh random bytes per record. */
  readonly salt: () => Uint8Array;
  readonly cycleSeconds: number;
}

interface Measured {
  readonly at: Instant;
  readonly index: number;
}

const MEASURED_PER_READ = 5_000;

export class Patrol {
  readonly #parts: PatrolParts;
  /** Coordination measured over the last day, per ticker, oldest first. */
  readonly #measured = new Map<string, Measured[]>();
  /** When a lasting condition was told last. */
  readonly #toldAt = new Map<string, Instant>();

  private constructor(parts: PatrolParts) {
    this.#parts = parts;
  }

  /** The archive is its memory: a restarted patrol neither repeats itself nor forgets yesterday's measurement. */
  static async resume(parts: PatrolParts, archive: ArchiveReader, now: Instant): Promise<Patrol> {
    const patrol = new Patrol(parts);
    const recent = { knownBy: Number.MAX_SAFE_INTEGER, from: now - DAY - HOUR, limit: MEASURED_PER_READ };
    for (const kind of ['gate', 'signal'] as const) {
      let after = -1;
      for (;;) {
        const page = await archive.emissions({ ...recent, kind, afterSequence: after });
        for (const { type, ticker, at, body } of page) {
          if (ticker === null) continue;
          if (kind === 'signal') patrol.#toldAt.set(`${type} ${ticker}`, at);
          else patrol.#remember(ticker, { at, index: body['coordination_index'] as number });
        }
        if (page.length < MEASURED_PER_READ) break;
        after = page.at(-1)!.sequence;
      }
    }
    return patrol;
  }

  /** `nextSequence` is the place that the first emission returned here will have. */
  walk({ header, rows }: Frame, nextSequence: number): Emission[] {
    const { at } = header;
    const rounds = Math.max(1, Math.round(HOUR / (this.#parts.cycleSeconds * SECOND)));
    const turn = Math.round(at / (this.#parts.cycleSeconds * SECOND)) % rounds;
    const found: Emission[] = [];
    for (const row of rows) {
      if (row.slot % rounds !== turn || row.posts === 0) continue;
      found.push(...this.#visit(row, header.sourceSet.sources, at, nextSequence + found.length));
    }
    return found;
  }

  #visit(row: Row, counted: readonly string[], at: Instant, sequence: number): Emission[] {
    const { state } = this.#parts;
    const posts = state.postsAbout(row.ticker, at);
    const reading = measureCoordination(posts, at);
    const found: Emission[] = [];
    const before = this.#dayAgo(row.ticker, at);
    if (reading.measurement) {
      found.push(this.#gateRecord(row.ticker, reading, at, sequence));
      this.#remember(row.ticker, { at, index: reading.measurement.index });
    }
    const conditions = [
      coordinationShift(row, before, reading.measurement?.index ?? null),
      sourceConcentration(row, posts, state.sources, counted, at),
      priceDivergence(row, state.book, at),
    ];
    // A campaign of one text is not eligible for a rank, and all the more worth measuring; the rest needs a real crowd.
    if (row.state === 'insufficient') conditions.length = 1;
    for (const told of conditions) if (told && this.#isNews(told, at)) found.push(told);
    return found;
  }

  #gateRecord(
    ticker: string,
    reading: ReturnType<typeof measureCoordination>,
    at: Instant,
    seq: number,
  ): Emission {
    const { policy, salt: freshSalt } = this.#parts;
    const salt = freshSalt();
    const record = {
      ticker,
      as_of: formatInstant(at),
      measurement_sha256: measurementSha256(ticker, at, reading),
      verdict: verdictOf(reading, policy),
      policy_sha256: policySha256(policy),
      seq,
    };
    const { index, interval } = reading.measurement!;
    return {
      kind: 'gate',
      type: 'realness.commitment',
      ticker,
      body: {
        ...record,
        coordination_index: index,
        interval90: [interval.low, interval.high],
        commitment: commitmentOf(record, salt),
        salt: Buffer.from(salt).toString('hex'),
      },
    };
  }

  #isNews({ type, ticker }: Emission, at: Instant): boolean {
    const key = `${type} ${ticker}`;
    if (at - (this.#toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < SIGNALS.repeatAfter) return false;
    this.#toldAt.set(key, at);
    return true;
  }

  /** The measurement of a day ago, give or take the hour in which the patrol comes by. */
  #dayAgo(ticker: string, at: Instant): number | null {
    return (
      this.#measured.get(ticker)?.find((one) => one.at <= at - DAY + HOUR && one.at > at - DAY - HOUR)
        ?.index ?? null
    );
  }

  #remember(ticker: string, measured: Measured): void {
    const known = (this.#measured.get(ticker) ?? []).filter(({ at }) => at > measured.at - DAY - 2 * HOUR);
    this.#measured.set(ticker, [...known, measured]);
  }
}
