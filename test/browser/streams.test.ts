// The streams in a real browser: an EventSource on the front page, and a WebSocket with its two subprotocols.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaderboardSocket, leaderboardStream } from '../../src/contracts/attention/stream.js';
import { pageRoutes } from '../../src/surfaces/page/page-routes.js';
import { chromiumInstalled, launchChromium } from '../servers/chromium.js';
import { published, type Streaming, startStreaming } from '../stream/live-stage.js';

let streaming: Streaming;
let browser: Browser;

async function visit(size = { width: 1_100, height: 900 }): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: size });
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(streaming.running.url) && !request.url().startsWith('data:'))
      complaints.push(`asked ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(streaming.running.url);
  return { page, complaints };
}

/** What a developer would paste: see docs/streams.md. */
const SOCKET = `(key, path) => new Promise((resolve) => {
  const bytes = new TextEncoder().encode(key);
  const encoded = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const socket = new WebSocket(location.origin.replace('http', 'ws') + path, ['barograph.snapshot.v1', 'barograph.key.' + encoded]);
  socket.onmessage = (message) => resolve({ protocol: socket.protocol, frame: JSON.parse(message.data) });
  socket.onclose = (event) => resolve({ closed: event.code });
})`;
const openSocket = (page: Page, key: string, path: string) =>
  page.evaluate(`(${SOCKET})(${JSON.stringify(key)}, ${JSON.stringify(path)})`);

describe.runIf(chromiumInstalled)('in Chromium', () => {
  beforeAll(async () => {
    streaming = await startStreaming({ routes: pageRoutes() });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await streaming.stop();
  });

  test('the front page shows the board and follows it', async () => {
    const { page, complaints } = await visit();
    await page.getByRole('row').nth(25).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const first = page.getByRole('row').nth(1);
    expect(await first.getByRole('rowheader').textContent()).toBe('T0X1');
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Rank',
      'Change',
      'Ticker',
      'Density',
      'Band',
      'Share',
      'Size',
    ]);
    expect(await page.getByText('Last frame').isVisible()).toBe(true);
    expect(await page.getByText('Fixture data.').isVisible()).toBe(false);
    expect(await page.getByText('Measurement, not advice.').isVisible()).toBe(true);
    const { header, ...rest } = published(2);
    const sourceSet = { ...header.sourceSet, sources: ['fixture'] };
    streaming.rhythm.turn(5.5);
    streaming.live.publish({ ...rest, header: { ...header, sourceSet } });
    await page.getByRole('rowheader', { name: 'T0X2' }).waitFor();
    expect(await page.getByText('Fixture data.').isVisible()).toBe(true);
    expect(await page.getByRole('row').count()).toBe(26);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the front page fits a phone', async () => {
    const { page } = await visit({ width: 390, height: 800 });
    await page.getByRole('row').nth(5).waitFor();
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(390);
    await page.close();
  });

  test('an EventSource on the page gets snapshots', async () => {
    const { page } = await visit();
    const heard = await page.evaluate(
      `new Promise((resolve) => {
        const source = new EventSource(${JSON.stringify(`${leaderboardStream.path}?limit=3`)});
        source.addEventListener('snapshot', (event) => { source.close(); resolve([event.lastEventId, JSON.parse(event.data).leaderboard.length]); });
      })`,
    );
    expect(heard).toEqual([String(streaming.live.latest?.header.sequence), 3]);
    await page.close();
  });

  test('a WebSocket with a key in its subprotocol gets a frame; a bad key gets nothing', async () => {
    const { page } = await visit();
    const path = `${leaderboardSocket.path}?limit=2`;
    expect(await openSocket(page, streaming.key, path)).toMatchObject({
      protocol: 'barograph.snapshot.v1',
      frame: { event: 'snapshot', leaderboard: [{}, {}] },
    });
    expect(await openSocket(page, `${streaming.key}x`, path)).toEqual({ closed: 1006 });
    await page.close();
  });

  test('a page of another site gets neither', async () => {
    const page = await browser.newPage();
    await page.route('http://elsewhere.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    );
    await page.goto('http://elsewhere.test/');
    const { url, port } = streaming.running;
    const refused = await page.evaluate(
      `Promise.all([
        new Promise((resolve) => { new EventSource(${JSON.stringify(url + leaderboardStream.path)}).onerror = () => resolve('refused'); }),
        new Promise((resolve) => {
          const socket = new WebSocket('ws://127.0.0.1:${port}${leaderboardSocket.path}', ['barograph.snapshot.v1', 'barograph.key.YQ']);
          socket.onclose = () => resolve('refused');
          socket.onmessage = () => resolve('heard');
        }),
      ])`,
    );
    expect(refused).toEqual(['refused', 'refused']);
    await page.close();
  });
});
