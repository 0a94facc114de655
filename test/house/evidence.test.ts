// Evidence that does not need our word: receipts that anyone can check, and every way we could think of to cheat with them.
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadSide } from '../../src/answers/answers.js';
import { TickerPacket } from '../../src/contracts/attention/board.js';
import { PastBoard } from '../../src/contracts/attention/past-board.js';
import type { AsOfProof } from '../../src/contracts/log/proof.js';
import { ONTOLOGY, ONTOLOGY_SHA256 } from '../../src/domain/attention/ontology.js';
import { recallAttention } from '../../src/domain/attention/recall.js';
import type { FactKind, Report } from '../../src/domain/facts/fact.js';
import type { RecordedHeader } from '../../src/domain/facts/frame.js';
import { RowLeaves } from '../../src/domain/facts/row-leaves.js';
import { checkReceipt, type ReceiptVerdict } from '../../src/domain/validation/receipt-verdict.js';
import { canonicalJson } from '../../src/kernel/canonical-json.js';
import { fingerprint } from '../../src/kernel/fingerprint.js';
import { DAY, formatInstant, HOUR, LATEST, MINUTE, parseInstant, SECOND } from '../../src/kernel/instant.js';
import { verifyConsistency } from '../../src/kernel/merkle.js';
import {
  parseCheckpoint,
  parseVerifierKey,
  privateKeyFromSeed,
  verifyNote,
} from '../../src/kernel/signed-note.js';
import { seededRandom } from '../../src/kernel/statistics/seeded-random.js';
import { auditLog } from '../../src/pipeline/log-audit.js';
import { verifyFrames } from '../../src/pipeline/verify.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { EvidenceStage, KEY } from './evidence-stage.js';
import { NOON } from './studio.js';

const folder = mkdtempSync(join(tmpdir(), 'barograph-evidence-'));
const stage = new EvidenceStage(folder, 'honest');
let frames: RecordedHeader[];
let side: ReadSide;
let ticker: string;

beforeAll(async () => {
  frames = await stage.record(NOON + 5 * MINUTE);
  side = await stage.ask();
  ticker = (await side.answers.snapshot_leaderboard({ limit: 1 })).leaderboard[0]!.ticker;
});
afterAll(async () => {
  await stage.clear();
  rmSync(folder, { recursive: true, force: true });
});

/** The honest archive under another name, to go on with or to spoil. */
async function copyOfHonest(name: string): Promise<EvidenceStage> {
  const copy = new EvidenceStage(folder, name);
  await copyFile(stage.file, copy.file);
  await copy.clock.turnTo(stage.clock.now());
  return copy;
}

const packetAt = async (at: number, from: ReadSide = side, of: string = ticker): Promise<TickerPacket> =>
  TickerPacket.parse(
    await from.answers.snapshot_ticker({
      ticker: of,
      as_of: formatInstant(at),
      top_posts_sort: 'observed_desc',
      include_proof: true,
    }),
  );
const boardAt = async (at: number, limit: number): Promise<PastBoard> =>
  PastBoard.parse(
    await side.answers.snapshot_as_of({ as_of: formatInstant(at), limit, include_proof: true }),
  );
const proofOf = ({ receipt }: { receipt: TickerPacket['receipt'] }): AsOfProof => receipt.proof!;
const failing = (verdict: ReceiptVerdict): string[] =>
  verdict.checks.filter(({ state }) => state === 'fail').map(({ name }) => name);
/** A copy that a cheat may alter. */
const copyOf = <T>(value: T): T => structuredClone(value);
/** The leaf of a receipt's frame, rewritten by somebody who hopes that nobody hashes it. */
const rewritten = (
  leaf: string,
  change: (value: { known_at: number; at: number; body: Record<string, unknown> }) => void,
): string => {
  const value = JSON.parse(leaf) as { known_at: number; at: number; body: Record<string, unknown> };
  change(value);
  return canonicalJson(value);
};

describe('an honest receipt', () => {
  it('holds for a ticker at every moment between two frames, and says what it proves and what it does not', async () => {
    const [first, second] = frames as [RecordedHeader, RecordedHeader];
    for (const at of [second.at, second.at + 1, second.knownAt, second.at + 30 * SECOND, first.at]) {
      const packet = await packetAt(at);
      expect(packet.receipt).toMatchObject({ recorded: true, commitment: 'logged' });
      const verdict = checkReceipt(packet, KEY);
      expect(failing(verdict)).toEqual([]);
      expect(verdict.checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
        'shape pass',
        'signature pass',
        'frame_in_log pass',
        'rows_in_frame pass',
        'prefix pass',
        'consistency pass',
        'left_edge pass',
        'right_edge pass',
        'newest_frame pass',
        'knowledge pass',
        'parameters pass',
        'answer pass',
      ]);
      expect(proofOf(packet)).toMatchObject({ open_edge: false, anchor_state: 'unanchored', anchors: [] });
      expect(verdict.proves).toContain('in the newest frame that it had for');
      expect(verdict.leaves_open).toContain('unanchored');
    }
  });

  it('holds for a board, and with an open edge for what is newest', async () => {
    const board = await boardAt(frames.at(-1)!.at, 5);
    expect(board.leaderboard).toHaveLength(5);
    expect(proofOf(board).value.rows).toHaveLength(5);
    expect(proofOf(board).open_edge).toBe(true);
    expect(checkReceipt(board, KEY)).toMatchObject({ holds: true });
    const { ticker: first } = board.leaderboard[0]!;
    const now = await side.answers.snapshot_ticker({
      ticker: first,
      top_posts_sort: 'observed_desc',
      include_proof: true,
    });
    expect(checkReceipt(now, KEY)).toMatchObject({ holds: true });
  });

  it('is small unless asked for, and there is none where nothing was committed to at the time', async () => {
    const plain = await side.answers.snapshot_ticker({
      ticker,
      as_of: formatInstant(frames[1]!.at),
      top_posts_sort: 'observed_desc',
    });
    expect(plain.receipt.proof).toBeUndefined();
    expect(plain.receipt).toMatchObject({ commitment: 'logged', log_index: expect.any(Number) as number });
    const computed = await packetAt(NOON - HOUR);
    expect(computed.receipt).toMatchObject({ recorded: false, commitment: 'recomputed', log_index: null });
    expect(computed.receipt.proof).toBeUndefined();
    expect(checkReceipt(computed, KEY)).toMatchObject({ holds: false });
  });

  it('names the definitions and the tickers that its frame was made with, and the log states them', async () => {
    const { parameters, value } = proofOf(await packetAt(frames[2]!.at));
    expect(parameters.ontology!.sha256).toBe(ONTOLOGY_SHA256);
    const entry = await side.answers.log_entry({
      index: parameters.ontology!.index,
      include_attachment: true,
    });
    expect(entry.attachment).toBe(canonicalJson(ONTOLOGY));
    expect(`sha256:${entry.attachment_sha256}`).toBe(fingerprint(ONTOLOGY));
    const universe = await side.answers.log_entry({
      index: parameters.universe!.index,
      include_attachment: true,
    });
    const tickers = JSON.parse(universe.attachment!) as string[];
    const { slot } = value.rows[0]!;
    expect(tickers[slot]).toBe(ticker);
  });

  it('stands beside the salted hashes of the gate, which the log holds before anything is revealed', async () => {
    const archive = await stage.reader();
    const gates = await archive.emissions({ kind: 'gate', knownBy: LATEST, limit: 1_000 });
    const stated = await archive.statements({ kind: 'commitments', knownBy: LATEST, limit: 1_000 });
    const hashes = await Promise.all(
      stated.map(async ({ index }) => JSON.parse((await archive.attachment(index))!) as string[]),
    );
    expect(gates.length).toBeGreaterThan(0);
    expect(hashes.flat()).toEqual(gates.map(({ body }) => body['commitment']));
    expect(hashes.flat().join()).not.toMatch(/veto|clear|caution/);
    const judged = gates.at(-1)!;
    const { gate } = await side.answers.realness({ ticker: judged.ticker! });
    const { index } = stated.find(({ at }) => at === judged.at)!;
    const { from_root } = await side.answers.log_consistency({ from: index + 1 });
    expect(gate.commitment).toMatchObject({ value: judged.body['commitment'], log_root: from_root });
  });
});

describe('a cheat', () => {
  let packet: TickerPacket;
  beforeAll(async () => {
    packet = await packetAt(frames[2]!.at + 20 * SECOND);
  });

  it('cannot show another number than the one it committed to', () => {
    const forged = copyOf(packet);
    forged.core_kpi_values.attention_density! *= 1.01;
    expect(failing(checkReceipt(forged, KEY))).toEqual(['answer']);
    const better = copyOf(packet);
    const { rows } = proofOf(better).value;
    rows[0]!.row = rows[0]!.row.replace(/"rank":\d+/, '"rank":0');
    better.rank = 0;
    expect(failing(checkReceipt(better, KEY))).toEqual(['rows_in_frame']);
  });

  it('cannot drop a row of a board, or put one in the place of another', async () => {
    const board = await boardAt(frames[2]!.at, 8);
    expect(failing(checkReceipt(board, KEY))).toEqual([]);
    const dropped = copyOf(board);
    dropped.leaderboard.splice(3, 1);
    expect(failing(checkReceipt(dropped, KEY))).toEqual(['answer']);
    proofOf(dropped).value.rows.splice(3, 1);
    expect(failing(checkReceipt(dropped, KEY))).toEqual(['answer']);
    const swapped = copyOf(board);
    const { rows } = proofOf(swapped).value;
    [rows[0]!.row, rows[1]!.row] = [rows[1]!.row, rows[0]!.row];
    expect(failing(checkReceipt(swapped, KEY))).toContain('rows_in_frame');
    const other = copyOf(packet);
    const { ticker: second } = board.leaderboard.find((row) => row.ticker !== ticker)!;
    const foreign = await packetAt(frames[2]!.at + 20 * SECOND, side, second);
    proofOf(other).value.rows = proofOf(foreign).value.rows;
    expect(failing(checkReceipt(other, KEY))).toEqual(['answer']);
  });

  it('cannot move the clock: neither the instant asked for, nor the cut, nor a stamp in a leaf', () => {
    const later = copyOf(packet);
    proofOf(later).as_of = formatInstant(parseInstant(packet.receipt.as_of)! + 2 * MINUTE);
    expect(failing(checkReceipt(later, KEY))).toEqual(expect.arrayContaining(['left_edge', 'answer']));
    const cut = copyOf(packet);
    const moved = formatInstant(parseInstant(packet.receipt.as_of)! + 2 * MINUTE);
    cut.receipt.as_of = moved;
    Object.assign(proofOf(cut), { as_of: moved, cut_at: moved });
    expect(failing(checkReceipt(cut, KEY))).toEqual(['right_edge']);
    const stamped = copyOf(packet);
    const { frame } = proofOf(stamped).value;
    frame.leaf = rewritten(frame.leaf, (leaf) => {
      leaf.known_at -= DAY;
    });
    expect(failing(checkReceipt(stamped, KEY))).toEqual(
      expect.arrayContaining(['frame_in_log', 'newest_frame']),
    );
    const edge = copyOf(packet);
    proofOf(edge).right_edge!.leaf = rewritten(proofOf(edge).right_edge!.leaf, (leaf) => {
      leaf.known_at += DAY;
    });
    expect(failing(checkReceipt(edge, KEY))).toEqual(['right_edge']);
  });

  it('cannot pass over a newer frame, nor hide what came next', async () => {
    // The frame before the right one, shown for the same instant.
    const old = proofOf(await packetAt(frames[1]!.at + 20 * SECOND));
    const passed = copyOf(proofOf(packet));
    passed.value = old.value;
    passed.left_edge = old.left_edge;
    expect(failing(checkReceipt(passed, KEY))).toContain('prefix');
    passed.prefix = { ...old.prefix, consistency: passed.prefix.consistency };
    expect(failing(checkReceipt(passed, KEY))).toEqual(expect.arrayContaining(['consistency', 'right_edge']));
    const hidden = copyOf(proofOf(packet));
    hidden.right_edge = null;
    hidden.open_edge = true;
    expect(failing(checkReceipt(hidden, KEY))).toEqual(['right_edge']);
  });

  it('cannot edit the definitions afterwards', () => {
    const edited = copyOf(packet);
    proofOf(edited).parameters.ontology!.sha256 = fingerprint({ ...ONTOLOGY, version: '9.9.9' });
    expect(failing(checkReceipt(edited, KEY))).toEqual(['parameters']);
    const { frame } = proofOf(edited).value;
    frame.leaf = rewritten(frame.leaf, ({ body }) => {
      body['ontology_sha256'] = proofOf(edited).parameters.ontology!.sha256;
    });
    expect(failing(checkReceipt(edited, KEY))).toContain('frame_in_log');
  });

  it('cannot sign with another key, or for another log', async () => {
    const impostor = await stage.ask({
      name: 'test.example/log',
      privateKey: privateKeyFromSeed(new Uint8Array(32).fill(6)),
    });
    await expect(packetAt(frames[1]!.at, impostor)).rejects.toMatchObject({ code: 'log_key_unavailable' });
    const forged = copyOf(packet);
    proofOf(forged).checkpoint = proofOf(forged).checkpoint.replace(
      'test.example/log\n',
      'other.example/log\n',
    );
    expect(failing(checkReceipt(forged, KEY))).toEqual(['signature']);
    expect(failing(checkReceipt(packet, KEY.replace('test.example/log+', 'other.example/log+')))).toEqual([
      'signature',
    ]);
  });

  it('is caught by every single bit of every hash, leaf, row and signature', () => {
    const honest = proofOf(packet);
    const places: { text: string; set: (to: AsOfProof, text: string) => void; bytes: boolean }[] = [];
    const hashes = (pick: (proof: AsOfProof) => string[]): void =>
      pick(honest).forEach((text, i) => {
        places.push({
          text,
          bytes: true,
          set: (to, flipped) => {
            pick(to)[i] = flipped;
          },
        });
      });
    hashes((proof) => proof.prefix.consistency);
    hashes((proof) => proof.left_edge.peaks);
    hashes((proof) => proof.right_edge!.proof);
    hashes((proof) => proof.value.frame.proof);
    hashes((proof) => proof.value.rows[0]!.proof);
    places.push(
      {
        text: honest.prefix.root,
        bytes: true,
        set: (to, text) => {
          to.prefix.root = text;
        },
      },
      {
        text: honest.value.rows[0]!.row,
        bytes: false,
        set: (to, text) => {
          to.value.rows[0]!.row = text;
        },
      },
      {
        text: honest.value.frame.leaf,
        bytes: false,
        set: (to, text) => {
          to.value.frame.leaf = text;
        },
      },
      {
        text: honest.right_edge!.leaf,
        bytes: false,
        set: (to, text) => {
          to.right_edge!.leaf = text;
        },
      },
      {
        text: honest.left_edge.leaves[0]!,
        bytes: false,
        set: (to, text) => {
          to.left_edge.leaves[0] = text;
        },
      },
    );
    const random = seededRandom('bits');
    let flips = 0;
    for (const { text, bytes, set } of places) {
      const whole = Buffer.from(text, bytes ? 'hex' : 'utf8');
      for (let i = 0; i < whole.length; i += bytes ? 5 : 23) {
        const flipped = Buffer.from(whole);
        flipped[i]! ^= 1 << random.integer(0, 6);
        const forged = copyOf(honest);
        set(forged, flipped.toString(bytes ? 'hex' : 'utf8'));
        expect(checkReceipt(forged, KEY).holds).toBe(false);
        flips++;
      }
    }
    const note = Buffer.from(honest.checkpoint);
    for (let i = 0; i < note.length; i += 3) {
      const flipped = Buffer.from(note);
      flipped[i]! ^= 1;
      expect(checkReceipt({ ...honest, checkpoint: flipped.toString() }, KEY).holds).toBe(false);
      flips++;
    }
    expect(flips).toBeGreaterThan(200);
    expect(checkReceipt(honest, KEY).holds).toBe(true);
  });

  it('gets nowhere with missing, extra or foreign members', () => {
    const honest = proofOf(packet) as unknown as Record<string, unknown>;
    for (const member of Object.keys(honest)) {
      const { [member]: _gone, ...rest } = honest;
      expect(failing(checkReceipt(rest, KEY))).toEqual(['shape']);
    }
    expect(failing(checkReceipt({ ...honest, trust_me: true }, KEY))).toEqual(['shape']);
    for (const junk of [null, 7, [], '', {}, { receipt: null }, { receipt: { proof: 3 } }])
      expect(checkReceipt(junk, KEY).holds).toBe(false);
  });
});

describe('the log', () => {
  it('answers for its checkpoint, its key, its leaves and proofs between any sizes', async () => {
    const { answers } = side;
    const head = await answers.log_checkpoint({});
    const key = await answers.log_key({});
    expect(key.verifier_key).toBe(KEY);
    const signed = parseCheckpoint(verifyNote(head.note, [parseVerifierKey(key.verifier_key)]).text);
    expect(signed).toMatchObject({ origin: head.origin, size: head.size });
    const kinds = [];
    for (let index = 0; index < 4; index++)
      kinds.push((await answers.log_entry({ index, include_attachment: false })).kind);
    expect(kinds).toEqual(['genesis', 'key', 'ontology', 'universe']);
    expect(key.stated_at).toBe(1);
    const proof = await answers.log_consistency({ from: 3 });
    expect(
      verifyConsistency({
        oldSize: 3,
        newSize: head.size,
        oldRoot: Buffer.from(proof.from_root, 'hex'),
        newRoot: signed.root,
        proof: proof.proof.map((text) => Buffer.from(text, 'hex')),
      }),
    ).toBe(true);
    await expect(answers.log_entry({ index: head.size, include_attachment: false })).rejects.toMatchObject({
      code: 'leaf_not_found',
    });
    await expect(answers.log_entry({ index: 2 ** 40, include_attachment: false })).rejects.toMatchObject({
      code: 'leaf_not_found',
    });
    await expect(answers.log_inclusion({ index: 3, size: 3 })).rejects.toMatchObject({
      code: 'leaf_not_found',
    });
    await expect(answers.log_inclusion({ index: 0, size: 2 ** 40 })).rejects.toMatchObject({
      code: 'tree_size_out_of_range',
    });
    await expect(answers.log_consistency({ from: 5, to: 4 })).rejects.toMatchObject({
      code: 'tree_size_out_of_range',
    });
    const keyless = await stage.ask(null);
    await expect(keyless.answers.log_checkpoint({})).rejects.toMatchObject({ code: 'log_key_unavailable' });
    expect((await keyless.answers.log_inclusion({ index: 0 })).size).toBe(head.size);
  });

  it('agrees with the tape and the facts, and goes on across a restart', async () => {
    const restarted = await copyOfHonest('restarted');
    const before = await restarted.ask();
    const old = await packetAt(frames[0]!.at, before);
    const oldHead = await before.answers.log_checkpoint({});
    await restarted.clear();
    await restarted.clock.turnTo(NOON + 7 * MINUTE);
    const more = await restarted.record(NOON + 8 * MINUTE);

    const archive = await restarted.reader();
    expect((await auditLog(archive)).faults).toEqual([]);
    let checked = 0;
    for await (const check of verifyFrames(archive, { from: 0, to: LATEST })) {
      expect(check.agrees).toBe(true);
      checked++;
    }
    expect(checked).toBe(frames.length + more.length);
    const stated = await archive.statements({ kind: 'attention_frame', knownBy: LATEST, limit: 1_000 });
    expect(stated.map(({ body }) => body['fingerprint'])).toEqual(
      [...frames, ...more].map((header) => header.fingerprint),
    );
    for (const kind of ['genesis', 'key', 'ontology', 'universe'] as const)
      expect(await archive.statements({ kind, knownBy: LATEST, limit: 9 })).toHaveLength(1);

    // What was given out before the restart still holds, and the new tree begins with the old one.
    const after = await restarted.ask();
    expect(checkReceipt(old, KEY).holds).toBe(true);
    const link = await after.answers.log_consistency({ from: oldHead.size });
    expect(link.from_root).toBe(oldHead.root);
    expect(checkReceipt(await packetAt(frames[0]!.at, after), KEY).holds).toBe(true);
    await restarted.clear();
  });

  it('does not move when the future is poisoned with old dates', async () => {
    const poisoned = await copyOfHonest('poisoned');
    const before = proofOf(await packetAt(frames[1]!.at));
    const writer = await poisoned.store.openWriter();
    await writer.append({
      facts: [0, 1, 2].map((day) => ({
        source: 'late',
        effectiveAt: NOON - day * DAY,
        releasedAt: NOON - day * DAY,
        body: {
          kind: 'price',
          ticker,
          date: '2026-03-04',
          open: 1,
          high: 1,
          low: 1,
          close: 1 + day,
          volume: 1,
        },
      })),
    });
    await writer.close();
    const archive = await poisoned.reader();
    expect((await auditLog(archive)).faults).toEqual([]);
    for await (const { agrees } of verifyFrames(archive, { from: 0, to: LATEST })) expect(agrees).toBe(true);
    const after = proofOf(await packetAt(frames[1]!.at, await poisoned.ask()));
    expect(after.value).toEqual(before.value);
    expect(after.prefix.root).toBe(before.prefix.root);
    // The poison works where it may: a frame computed now, without its high-water mark, is another one.
    const state = await recallAttention(archive, { knownBy: frames[1]!.at });
    const { at, cycleSeconds, highWater } = frames[1]!;
    const tickers = [...(await archive.slots()).keys()];
    expect(state.frame({ at, cycleSeconds, highWater, tickers }).header.fingerprint).not.toBe(
      frames[1]!.fingerprint,
    );
    await poisoned.clear();
  });

  it('comes out the same from facts in any order', async () => {
    const archive = await stage.reader();
    const tickers = [...(await archive.slots()).keys()];
    const kinds: FactKind[] = ['asset', 'shares', 'split', 'price', 'post'];
    const reports: Report[] = [];
    for (const kind of kinds)
      for await (const facts of archive.facts(kind, { knownBy: NOON, after: NOON - DAY }))
        for (const { source, effectiveAt, knownAt, body } of facts)
          reports.push({ source, effectiveAt, releasedAt: knownAt, body });
    const roots = new Set<string>();
    const fingerprints = new Set<string>();
    for (const seed of ['first', 'second']) {
      const random = seededRandom(seed);
      const shuffled = reports
        .map((report) => ({ report, key: random.uniform() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ report }) => report);
      const writer = await memoryStore({ clock: () => NOON }).openWriter();
      await writer.assignSlots(tickers);
      await writer.append({ facts: shuffled });
      const state = await recallAttention(writer, { knownBy: NOON });
      const frame = state.frame({ at: NOON, cycleSeconds: 60, highWater: 0, tickers });
      fingerprints.add(frame.header.fingerprint);
      roots.add(new RowLeaves().tree(frame.rows).root().toString('hex'));
      await writer.close();
    }
    expect(reports.length).toBeGreaterThan(500);
    expect([fingerprints.size, roots.size]).toEqual([1, 1]);
  });
});

describe('the audit finds', () => {
  /** A copy of the honest archive, spoiled behind the back of the service. */
  async function spoiled(name: string, sql: string): Promise<{ what: string; index: number | null }[]> {
    const victim = await copyOfHonest(name);
    const file = new DatabaseSync(victim.file);
    file.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
    file.close();
    const { faults } = await auditLog(await victim.reader());
    await victim.clear();
    return faults.map(({ what, index }) => ({ what, index }));
  }

  it.each([
    [
      'a leaf whose stamp was moved',
      'UPDATE leaf SET known_at = known_at - 1 WHERE place = 5',
      'leaf_altered',
    ],
    [
      'a leaf whose body was rewritten',
      `UPDATE leaf SET body = replace(body, '"row_count":', '"row_count":1') WHERE place = 5`,
      'leaf_altered',
    ],
    ['stamps that fall', 'UPDATE leaf SET known_at = 1000 WHERE place = 6', 'known_at_decreases'],
    [
      'definitions that were exchanged',
      "UPDATE leaf_attachment SET bytes = x'7b7d', deflated = 0 WHERE place = 2",
      'attachment_altered',
    ],
    ['a leaf that is gone', 'DELETE FROM leaf WHERE place = 4', 'leaf_missing'],
    [
      'a log that was cut short',
      'DELETE FROM leaf WHERE place > 6; DELETE FROM tree_node WHERE place > 6 AND place < (1 << 40)',
      'frame_unstated',
    ],
    [
      'a tree that says something else',
      'UPDATE tree_node SET hash = zeroblob(32) WHERE place = (1 << 47)',
      'tree_altered',
    ],
    [
      'a frame that is not the one that was stated',
      `UPDATE frame SET fingerprint = 'sha256:${'0'.repeat(64)}' WHERE at = (SELECT max(at) FROM frame)`,
      'frame_differs',
    ],
  ])('%s', async (name, sql, what) => {
    const found = await spoiled(name.replaceAll(' ', '-'), sql);
    expect(found.map((fault) => fault.what)).toContain(what);
  });
});
