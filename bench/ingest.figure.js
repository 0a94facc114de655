// Ingest with everything on, into SQLite on disk, beside a bare JSON.parse loop over the same lines.
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gathered } from '../dist/connectors/files/gathered-batches.js';
import { readFactFile } from '../dist/connectors/files/read-fact-file.js';
import { DAY, systemClock } from '../dist/kernel/instant.js';
import { openImportIngest } from '../dist/pipeline/open-ingest.js';
import { sqliteStore } from '../dist/storage/sqlite/archive.js';
import { inTemporaryFolder, percentile, rawPosts, tickerNames } from './measuring.js';

const SMALL = 30_000;

async function linesFile(folder, count) {
  const now = systemClock();
  const posts = rawPosts(count, tickerNames(2_000), {
    from: now - 2 * DAY,
    span: DAY,
    seed: `ingest ${count}`,
  });
  const path = join(folder, `posts-${count}.ndjson`);
  // Written in pieces: what is measured later should not have to collect the garbage of its making.
  const handle = await open(path, 'w');
  let piece = '';
  let first = true;
  for (const post of posts) {
    piece += (first ? '' : '\n') + JSON.stringify(post);
    first = false;
    if (piece.length > 1 << 20) {
      await handle.write(piece);
      piece = '';
    }
  }
  await handle.write(piece);
  await handle.close();
  return { file: path };
}

function parseOnly(lines) {
  let sink = 0;
  const startedAt = performance.now();
  for (const line of lines) sink += JSON.parse(line).text.length;
  const milliseconds = performance.now() - startedAt;
  if (sink === 0) throw new Error('nothing was parsed');
  return milliseconds;
}

async function ingestAll(folder, { file }, name) {
  const archive = await sqliteStore({
    file: join(folder, `${name}.sqlite`),
    clock: systemClock,
  }).openWriter();
  try {
    const assets = tickerNames(2_000).map((ticker) => ({
      source: 'bench',
      effectiveAt: 0,
      releasedAt: systemClock() - 30 * DAY,
      body: { kind: 'asset', ticker, name: ticker, sector: null, assetKind: 'common' },
    }));
    const ingest = await openImportIngest(archive, new Uint8Array(32), systemClock);
    await ingest({ posts: [], facts: assets });
    const startedAt = performance.now();
    let appended = 0;
    for await (const batch of gathered(readFactFile(file, 'posts', { clock: systemClock }))) {
      appended += (await ingest({ posts: batch.posts, facts: batch.facts })).appended;
    }
    // What the closing has to write out belongs to the work: a small file would otherwise put all of it off.
    await archive.close();
    return { milliseconds: performance.now() - startedAt, appended };
  } finally {
    await archive.close();
  }
}

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    const small = await linesFile(folder, SMALL);
    const large = await linesFile(folder, 10 * SMALL);
    await ingestAll(folder, small, 'warm-up');
    const lines = (await readFile(large.file, 'utf8')).split('\n');
    const rounds = [];
    // The short sides of each ratio are measured before and after the long one, so that a busy machine burdens both.
    for (let round = 0; round < 3; round++) {
      const beside = async (when) => ({
        few: (await ingestAll(folder, small, `few-${when}-${round}`)).milliseconds,
        bare: (parseOnly(lines) + parseOnly(lines)) / 2,
      });
      const before = await beside('before');
      const many = await ingestAll(folder, large, `many-${round}`);
      if (many.appended !== 10 * SMALL) throw new Error(`${many.appended} posts were stored`);
      const after = await beside('after');
      rounds.push({
        ...many,
        ratio: (2 * many.milliseconds) / (before.bare + after.bare),
        growth: (2 * many.milliseconds) / (before.few + after.few),
      });
    }
    const middle = (of) => percentile(rounds.map(of), 0.5);
    const ratio = middle((round) => round.ratio);
    const growth = middle((round) => round.growth);
    const many = { appended: 10 * SMALL, milliseconds: middle((round) => round.milliseconds) };
    const rate = Math.round(many.appended / (many.milliseconds / 1000));
    figure(
      'ingest',
      `1/${ratio.toFixed(1)} of bare JSON.parse (${rate.toLocaleString('en')} posts/s)`,
      '1/20',
      ratio <= 20,
    );
    figure('ingest-growth', `${growth.toFixed(2)}× the time for 10× the posts`, '11×', growth <= 11);
  });
}
