// The weekly judgement over a recorded tape: registered, stated in the log, attested, served, and never looking ahead.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadSide, type ReadSide } from '../../src/answers/answers.js';
import { plantedMarket } from '../../src/connectors/fixture/planted-signal.js';
import { Attestation } from '../../src/contracts/attention/attestation.js';
import { ReputationScorecard } from '../../src/contracts/attention/reputation.js';
import { Scorecard } from '../../src/contracts/attention/scorecard.js';
import { sealFrame } from '../../src/domain/facts/seal.js';
import type { Stated } from '../../src/domain/facts/statement.js';
import { leafText } from '../../src/domain/facts/statement.js';
import { attestationSha256, verifyAttestation } from '../../src/domain/validation/attestation.js';
import { epochAfter, WEEK } from '../../src/domain/validation/epochs.js';
import { sha256Hex } from '../../src/kernel/fingerprint.js';
import { DAY, formatInstant, HOUR, LATEST, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { leafHash, merkleRoot } from '../../src/kernel/merkle.js';
import { privateKeyFromSeed, publicKeyFromRaw, rawPublicKey } from '../../src/kernel/signed-note.js';
import { pacedBy } from '../../src/pipeline/paced.js';
import { ValidationCycle } from '../../src/pipeline/validation-cycle.js';
import { study } from '../../src/pipeline/validation-study.js';
import type { ArchiveReader, ArchiveWriter } from '../../src/ports/archive.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { memoryWatchlists } from '../../src/storage/memory/watchlists.js';
import { testClock } from '../ports/samples.js';

const MARKET = plantedMarket({ seed: 'house', names: 50, sessions: 110, ic: 0.2 });
const SIGNER = { name: 'barograph.test', privateKey: privateKeyFromSeed(new Uint8Array(32).fill(9)) };
const PUBLIC_KEY = publicKeyFromRaw(rawPublicKey(SIGNER.privateKey));
const clock = testClock(MARKET.sessions[0]!.frameAt - DAY);

let archive: ArchiveWriter;
let reader: ArchiveReader;
let side: ReadSide;
let cycle: ValidationCycle;
const epochs: (readonly Stated[])[] = [];

/** Lays a session down as a recorder would: the frame when it is due, the prices after the close. */
async function record({ frameAt, closeAt, rows, prices }: (typeof MARKET.sessions)[number]): Promise<void> {
  clock.set(frameAt + SECOND);
  const { highWater } = await archive.extent();
  const header = {
    at: frameAt,
    cycleSeconds: 15,
    highWater,
    newestKnownAt: frameAt,
    postsUsed: 1,
    postsBackfilled: 0,
    rowCount: rows.length,
    sourceSet: { version: 1, sources: ['fixture_micro'], warming: [], level: 1 },
  };
  await archive.appendFrame(sealFrame(header, rows));
  clock.set(closeAt + MINUTE);
  await archive.append({ facts: prices.map((body) => ({ source: 'test', effectiveAt: closeAt, body })) });
}

async function turn(): Promise<void> {
  cycle.turn(clock.now());
  await cycle.idle();
  // What was stated at one tick of the clock has the microseconds behind it.
  clock.advance(SECOND);
}

const look = (asOf: number, from: ArchiveReader = reader) =>
  study({ archive: from, asOf, codeVersion: 'test', pace: pacedBy() });

beforeAll(async () => {
  const store = memoryStore({ clock: () => clock.now() });
  archive = await store.openWriter();
  reader = await store.openReader();
  await archive.append({
    facts: MARKET.tickers.map((ticker) => ({
      source: 'test',
      effectiveAt: clock.now(),
      body: {
        kind: 'asset',
        ticker,
        name: ticker,
        sector: MARKET.sectorOf.get(ticker)!,
        assetKind: 'equity',
      },
    })),
  });
  await archive.assignSlots(MARKET.tickers);
  cycle = new ValidationCycle({
    archive,
    reader,
    clock: () => clock.now(),
    signer: SIGNER,
    codeVersion: 'test',
    alone: (work) => work(),
    onEpoch: (stated) => epochs.push(stated),
    onFailure: (error) => {
      throw error;
    },
  });
  side = await openReadSide({
    archive: reader,
    bus: memoryBus(),
    counters: memoryCounters({ clock: () => clock.now() }),
    watchlists: memoryWatchlists(),
    clock: () => clock.now(),
    version: 'test',
    cursorSecret: new Uint8Array(32),
  });
});
afterAll(async () => {
  await side.close();
  await reader.close();
  await archive.close();
});

describe('before the first epoch', () => {
  it('answers with what there is: nothing, by name', async () => {
    const scorecard = await side.answers.scorecard({});
    expect(Scorecard.safeParse(scorecard).error).toBeUndefined();
    expect(scorecard).toMatchObject({
      state: 'warming',
      verdict_state: 'insufficient_data',
      registry: { registered: 0 },
      scorecard: null,
      statement: null,
    });
    const reputation = await side.answers.reputation_scorecard({});
    expect(ReputationScorecard.safeParse(reputation).error).toBeUndefined();
    expect(reputation).toMatchObject({ state: 'warming', reputation: null });
    const attestation = await side.answers.attestation({});
    expect(Attestation.safeParse(attestation).error).toBeUndefined();
    expect(attestation).toMatchObject({ state: 'warming', attestation: null, envelope: null });
  });
});

describe('the first epoch', () => {
  it('registers every claim before it judges any, and finds too little to judge', async () => {
    await record(MARKET.sessions[0]!);
    await turn();
    expect(epochs).toHaveLength(1);
    const claims = await reader.statements({ kind: 'hypothesis', knownBy: LATEST, limit: 1_000 });
    const [first] = epochs[0]!;
    expect(claims).toHaveLength(72);
    expect(Math.max(...claims.map(({ index }) => index))).toBeLessThan(first!.index);
    const scorecard = await side.answers.scorecard({});
    expect(Scorecard.safeParse(scorecard).error).toBeUndefined();
    expect(scorecard).toMatchObject({ state: 'ready', verdict_state: 'insufficient_data' });
    expect(scorecard.registry.registered).toBe(72);
    expect(scorecard.scorecard).toMatchObject({
      evidence: 'fixture',
      summary: { verdicts: { insufficient_data: 72 } },
    });
  });

  it('is not repeated within its week', async () => {
    cycle.turn(epochAfter(clock.now()) - 1);
    await cycle.idle();
    expect(epochs).toHaveLength(1);
  });
});

describe('a later epoch', () => {
  beforeAll(async () => {
    for (const session of MARKET.sessions.slice(1)) await record(session);
    clock.set(epochAfter(clock.now()) + HOUR);
    await turn();
  }, 60_000);

  it('ends on Saturday at midnight and judges what was known by then', () => {
    const [scorecard] = epochs.at(-1)!;
    expect(epochs).toHaveLength(2);
    expect(new Date(scorecard!.at / 1000).toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(new Date(scorecard!.at / 1000).getUTCDay()).toBe(6);
    expect(clock.now() - scorecard!.at).toBe(HOUR + SECOND);
  });

  it('finds the planted signal, and says on what evidence', async () => {
    const { scorecard, verdict_state } = await side.answers.scorecard({});
    expect(verdict_state).toBe('judged');
    const row = scorecard!.hypotheses.find(({ id }) => id.endsWith('/attention_velocity/1d/forward_return'))!;
    expect(row).toMatchObject({ survives_by: true, survives_bh: true });
    expect(row.mean_ic!).toBeGreaterThan(0.12);
    // The first session was recorded before the claim.
    expect(row.confirmatory_days).toBe(row.n_days - 1);
    expect(scorecard).toMatchObject({
      evidence: 'fixture',
      knowledge: 'observed',
      epoch: { index: 1, looks: 2 },
    });
  });

  it('is bound by an attestation that anyone with the public key can check', async () => {
    const { attestation, envelope, attestation_sha256 } = await side.answers.attestation({});
    const [scorecard, reputation] = epochs[1]!;
    const earlier = await side.answers.attestation({ as_of: formatInstant(epochs[0]!.at(-1)!.knownAt) });
    expect(earlier.attestation!.sequence).toBe(0);
    const checks = verifyAttestation(envelope!, PUBLIC_KEY, earlier.attestation);
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
    expect(attestationSha256(attestation!)).toBe(attestation_sha256);
    expect(attestation).toMatchObject({
      status: 'fixture',
      sequence: 1,
      components: {
        scorecard: { log_index: scorecard!.index },
        reputation: { log_index: reputation!.index },
        archive: { origin: 'barograph.test', tree_size: reputation!.index + 1 },
      },
    });
    const moved = Buffer.from(envelope!.payload, 'base64').toString().replace('"fixture"', '"complete"');
    const lie = { ...envelope!, payload: Buffer.from(moved).toString('base64') };
    const broken = verifyAttestation(lie, PUBLIC_KEY, earlier.attestation).filter(({ holds }) => !holds);
    expect(broken.map(({ check }) => check)).toContain('signature');
    const chain = verifyAttestation(envelope!, PUBLIC_KEY, null).find(({ check }) => check === 'chain');
    expect(chain!.holds).toBe(false);
  });

  it('attests to the root of the very leaves that the log holds', async () => {
    const { attestation } = await side.answers.attestation({});
    const { tree_size, root_hash } = attestation!.components.archive!;
    const leaves = await Promise.all(Array.from({ length: tree_size }, (_, i) => reader.leaf(i)));
    expect(merkleRoot(leaves.map((leaf) => leafHash(leafText(leaf!)))).toString('base64')).toBe(root_hash);
    const { log_index, sha256 } = attestation!.components.scorecard!;
    const text = (await reader.attachment(log_index))!;
    expect((JSON.parse(text) as { scorecard_sha256: string }).scorecard_sha256).toBe(sha256);
    expect(leaves[log_index]!.attachmentSha256).toContain(sha256Hex(text));
  });

  it('leaves the documents of the past in force for the past', async () => {
    const before = await side.answers.scorecard({ as_of: formatInstant(epochs[1]![0]!.knownAt - 1) });
    expect(before.scorecard!.epoch.index).toBe(0);
    const now = await side.answers.scorecard({});
    expect(now.scorecard!.epoch.index).toBe(1);
    expect(now.statement!.log_index).toBe(epochs[1]![0]!.index);
    await expect(side.answers.scorecard({ as_of: '2099-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'as_of_out_of_range',
    });
  });
});

describe('a study as of an instant', () => {
  const asOf = MARKET.sessions[80]!.closeAt + 13 * HOUR;

  it('is the same whatever was learned after it', async () => {
    const before = await look(asOf);
    clock.advance(WEEK);
    await archive.append({
      facts: MARKET.sessions.slice(60, 90).flatMap(({ closeAt, prices }) =>
        prices.map((body) => ({
          source: 'garbage',
          effectiveAt: closeAt,
          body: { ...body, close: body.close * 7 },
        })),
      ),
    });
    const after = await look(asOf);
    expect(after.scorecard).toEqual(before.scorecard);
    expect(after.reputation).toEqual(before.reputation);
    expect(before.scorecard.tape.sections).toBe(81);
    // The garbage is there for whoever may know it.
    const now = await look(clock.now());
    expect(now.scorecard.scorecard_sha256).not.toBe(before.scorecard.scorecard_sha256);
  });

  it('withholds its verdicts when a frame is not what was recorded', async () => {
    const spoilt = new Proxy(reader, {
      get(target, name) {
        const own = Reflect.get(target, name, target) as unknown;
        if (name !== 'boardAt') return typeof own === 'function' ? own.bind(target) : own;
        return async (at: number) =>
          (await target.boardAt(at))?.map((row) =>
            at === MARKET.sessions[40]!.frameAt && row.slot === 3 ? { ...row, velocity: 9 } : row,
          );
      },
    });
    const late = MARKET.sessions.at(-1)!.closeAt + 13 * HOUR;
    const { scorecard, framesDisagreeing } = await look(late, spoilt);
    expect(framesDisagreeing).toBe(1);
    expect(scorecard.summary.verdicts.withheld).toBeGreaterThan(0);
    expect(scorecard.summary.verdicts.supported).toBe(0);
  });

  it('stops when it is no longer wanted', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const stopped = study({ archive: reader, asOf, codeVersion: 'test', pace: pacedBy(stopping.signal) });
    await expect(stopped).rejects.toThrow();
  });
});

it('takes replayed frames at their boundary, and says that they were simulated', async () => {
  const sessions = MARKET.sessions.slice(0, 70);
  const late = testClock(MARKET.sessions.at(-1)!.closeAt + 30 * DAY);
  const store = memoryStore({ clock: () => late.now() });
  const study70 = await store.openWriter();
  await study70.append({
    facts: sessions.flatMap(({ closeAt, prices }) =>
      prices.map((body) => ({
        source: 'file',
        effectiveAt: closeAt,
        releasedAt: closeAt + 15 * MINUTE,
        body,
      })),
    ),
  });
  await study70.assignSlots(MARKET.tickers);
  for (const { frameAt, rows } of sessions)
    await study70.appendFrame(
      sealFrame(
        {
          at: frameAt,
          cycleSeconds: 3_600,
          highWater: 1,
          newestKnownAt: frameAt,
          postsUsed: 1,
          postsBackfilled: 1,
          rowCount: rows.length,
          sourceSet: { version: 1, sources: ['myfeed'], warming: [], level: 1 },
        },
        rows,
      ),
    );
  const { scorecard } = await look(late.now(), study70);
  expect(scorecard).toMatchObject({
    evidence: 'live',
    knowledge: 'simulated',
    tape: { sections: 70, observed_sections: 0 },
    epoch: { index: 0 },
  });
  const row = scorecard.hypotheses.find(({ id }) => id.endsWith('/attention_velocity/1d/forward_return'))!;
  expect([row.n_days, row.confirmatory_days]).toEqual([69, 0]);
  const earlier = await look(sessions[40]!.closeAt + 13 * HOUR, study70);
  expect(earlier.scorecard.tape.sections).toBe(41);
  await study70.close();
});
