// The ticker packet: receipts that a reader can recompute, recent bands, and evidence that honours deletions.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TickerPacket } from '../../src/contracts/attention/board.js';
import { CoreKpis, Ontology } from '../../src/contracts/attention/catalogue.js';
import type { Emission } from '../../src/domain/facts/emission.js';
import type { PostChange } from '../../src/domain/facts/post.js';
import { canonicalJson } from '../../src/kernel/canonical-json.js';
import { formatInstant, HOUR, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { post } from '../ports/samples.js';
import { asset, Desk, rowOf } from './desk.js';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.lay();
  await desk.tell(asset('NVDA'));
});
afterEach(() => desk.clear());

const SORT = { top_posts_sort: 'observed_desc' } as const;
const change = (id: string, kind: PostChange['change'], excerpt: string | null = null): PostChange => ({
  kind: 'post_change',
  provider: 'bluesky',
  id,
  change: kind,
  excerpt,
});

/** As somebody would do it who has nothing but the two JSON texts. */
function recomputed(packetText: string, catalogueText: string): Record<string, string> {
  const packet = JSON.parse(packetText) as Record<string, unknown>;
  const { core_kpis } = JSON.parse(catalogueText) as {
    core_kpis: { id: string; receipt_members: string[] }[];
  };
  const at = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], packet);
  return Object.fromEntries(
    core_kpis.map(({ id, receipt_members }) => {
      const inputs = Object.fromEntries(receipt_members.map((path) => [path, at(path)]));
      return [id, `sha256:${createHash('sha256').update(canonicalJson(inputs)).digest('hex')}`];
    }),
  );
}

describe('receipts', () => {
  it('can be recomputed from the JSON alone, and say which ontology is in force', async () => {
    const at = await desk.frame([rowOf('NVDA', { rank: 1 })]);
    const answers = await desk.ask();
    const catalogue = CoreKpis.parse(await answers.core_kpis({}));
    const packet = TickerPacket.parse(await answers.snapshot_ticker({ ticker: 'NVDA', ...SORT }));
    const byKpi = Object.fromEntries(packet.core_kpis.map((one) => [one.kpi_id, one.inputs_sha256]));
    expect(byKpi).toEqual(recomputed(JSON.stringify(packet), JSON.stringify(catalogue)));
    expect(new Set(Object.values(byKpi)).size).toBeGreaterThan(3);
    for (const receipt of packet.core_kpis) {
      expect(receipt).toMatchObject({
        ontology_sha256: catalogue.ontology_sha256,
        as_of: formatInstant(at),
        known_at: formatInstant(at - MINUTE),
        source_set_version: 3,
        state: 'measured',
      });
    }
    const { ontology, ontology_sha256 } = Ontology.parse(await answers.ontology({}));
    const text = canonicalJson(JSON.parse(JSON.stringify(ontology)));
    expect(ontology_sha256).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
    expect(ontology_sha256).toBe(catalogue.ontology_sha256);
  });

  it('change with their inputs, and type what is absent', async () => {
    await desk.frame([rowOf('NVDA', { rank: 1 })]);
    const answers = await desk.ask();
    const before = await answers.snapshot_ticker({ ticker: 'NVDA', ...SORT });
    desk.clock.advance(MINUTE);
    await desk.frame([
      rowOf('NVDA', { state: 'insufficient', share: null, velocity: null, surprise: null, activity: 1 }),
    ]);
    const after = await answers.snapshot_ticker({ ticker: 'NVDA', ...SORT });
    expect(after.core_kpis.map(({ state }) => state)).toEqual([
      'insufficient',
      'insufficient',
      'insufficient',
      'insufficient',
      'measured',
    ]);
    after.core_kpis.forEach((receipt, i) => {
      expect(receipt.inputs_sha256).not.toBe(before.core_kpis[i]!.inputs_sha256);
    });
  });
});

it('shows the last bands, its theme and its bucket, and no band that came later', async () => {
  const changed = (prev: string, now: string): Emission => ({
    kind: 'signal',
    type: 'attention.band_changed',
    ticker: 'NVDA',
    body: { prev, now, evidence: {} },
  });
  const instants: number[] = [];
  for (let i = 0; i < 30; i++) {
    instants.push(
      await desk.frame([rowOf('NVDA')], [i % 2 ? changed('high', 'normal') : changed('normal', 'high')]),
    );
    desk.clock.advance(MINUTE);
  }
  const answers = await desk.ask();
  const now = TickerPacket.parse(await answers.snapshot_ticker({ ticker: 'NVDA', ...SORT }));
  expect(now.band_history).toHaveLength(24);
  expect(now.band_history.at(-1)).toMatchObject({ as_of: formatInstant(instants[29]!), now: 'normal' });
  expect(now).toMatchObject({
    cap_bucket: 'large',
    themes: [{ theme: 'technology', name: 'Technology' }],
  });
  const then = await answers.snapshot_ticker({
    ticker: 'NVDA',
    as_of: formatInstant(instants[4]!),
    ...SORT,
  });
  expect(then.band_history.map(({ as_of }) => as_of)).toEqual(instants.slice(0, 5).map(formatInstant));
});

describe('evidence', () => {
  it('is at most five posts of counted sources, without anything that names an author', async () => {
    for (let i = 0; i < 8; i++) {
      desk.clock.advance(SECOND);
      await desk.tell({
        source: i === 7 ? 'reddit' : 'bluesky',
        effectiveAt: desk.clock.now(),
        body: post(`at://did:plc:secret/${i}`, {
          excerpt: `RT @somebody${i}: $NVDA`,
          likes: i === 2 ? 90 : 1,
          narrative: i < 4 ? i : 7,
          author: i,
        }),
      });
    }
    desk.clock.advance(MINUTE);
    await desk.frame([rowOf('NVDA')]);
    const answers = await desk.ask();
    const ids = async (top_posts_sort: TickerPacket['top_posts_sort']): Promise<string[]> => {
      const packet = TickerPacket.parse(await answers.snapshot_ticker({ ticker: 'NVDA', top_posts_sort }));
      expect(JSON.stringify(packet)).not.toMatch(/did:plc|author_id|followers|"author"|somebody/);
      expect(packet.top_posts.every(({ state }) => state === 'live')).toBe(true);
      return packet.top_posts.map(({ post_sha256 }) => post_sha256);
    };
    const hash = (i: number): string =>
      `sha256:${createHash('sha256').update(`bluesky\0at://did:plc:secret/${i}`).digest('hex')}`;
    expect(await ids('observed_desc')).toEqual([6, 5, 4, 3, 2].map(hash));
    expect(await ids('independence_desc')).toEqual([3, 2, 1, 0, 6].map(hash));
    expect((await ids('engagement_at_observation_desc'))[0]).toBe(hash(2));
  });

  it('withdraws a deleted post everywhere at once, also from the past', async () => {
    await desk.tell(post('1', { excerpt: 'what was said' }));
    desk.clock.advance(MINUTE);
    const at = await desk.frame([rowOf('NVDA')]);
    const answers = await desk.ask();
    const past = { ticker: 'NVDA', as_of: formatInstant(at), ...SORT };
    expect((await answers.snapshot_ticker(past)).top_posts[0]).toMatchObject({
      state: 'replayed',
      excerpt: 'what was said',
      ui_label: 'archived evidence',
    });
    desk.clock.advance(HOUR);
    await desk.tell(change('1', 'deleted'));
    for (const asked of [past, { ticker: 'NVDA', ...SORT }]) {
      const packet = TickerPacket.parse(await answers.snapshot_ticker(asked));
      const { post_sha256, observed_at, ...rest } = packet.top_posts[0]!;
      expect(rest).toEqual({
        state: 'withdrawn',
        ui_label: 'withdrawn',
        source_example: 'stocktwits_deletion',
        provider: null,
        post_id: null,
        created_at: null,
        excerpt: null,
        lang: null,
        same_text_authors: null,
        engagement: null,
      });
      expect([post_sha256.slice(0, 7), observed_at]).toEqual(['sha256:', formatInstant(at - MINUTE + 1)]);
      expect(JSON.stringify(packet)).not.toContain('what was said');
      expect(packet.sample.posts).toBe(30);
    }
  });

  it('shows the new text of an edited post, and neither text where only the old one was known', async () => {
    await desk.tell(post('1', { excerpt: 'before' }));
    desk.clock.advance(MINUTE);
    const at = await desk.frame([rowOf('NVDA')]);
    desk.clock.advance(MINUTE);
    await desk.tell(change('1', 'edited', 'after'));
    const answers = await desk.ask();
    expect((await answers.snapshot_ticker({ ticker: 'NVDA', ...SORT })).top_posts[0]).toMatchObject({
      state: 'edited',
      excerpt: 'after',
    });
    const then = await answers.snapshot_ticker({ ticker: 'NVDA', as_of: formatInstant(at), ...SORT });
    expect(then.top_posts[0]).toMatchObject({ state: 'replayed', excerpt: null });
  });

  it('never passes synthetic posts for anything else', async () => {
    const synthetic = { source: 'fixture_micro', effectiveAt: desk.clock.now() };
    await desk.tell({ ...synthetic, body: post('1', { provider: 'fixture_micro' }) });
    desk.clock.advance(MINUTE);
    const at = await desk.frame([rowOf('NVDA')], [], ['fixture_micro']);
    const answers = await desk.ask();
    for (const as_of of [undefined, formatInstant(at)]) {
      const { top_posts, freshness } = await answers.snapshot_ticker({ ticker: 'NVDA', as_of, ...SORT });
      expect(top_posts[0]).toMatchObject({
        state: 'fixture',
        source_example: 'privacy_safe_fixture',
        ui_label: 'fixture evidence',
      });
      expect(freshness).toBe('fixture');
    }
  });
});
