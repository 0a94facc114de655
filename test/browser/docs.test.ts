// The documentation pages in a real browser: they show the operations, let one be tried, and ask no other host.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswersTo } from '../../src/contracts/operation.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { type Running, start } from '../http/harness.js';
import { outputSample } from '../http/output-sample.js';
import { chromiumInstalled, launchChromium } from '../servers/chromium.js';

const answers = Object.fromEntries(
  Object.entries(OPERATIONS).map(([name, operation]) => [name, async () => outputSample(operation.output)]),
) as unknown as AnswersTo<typeof OPERATIONS>;

let running: Running;
let browser: Browser;

interface Visit {
  readonly page: Page;
  /** Requests that really left for another host. */
  readonly elsewhere: string[];
  readonly complaints: string[];
}

/** Redoc's own logo is the one thing that a page tries to fetch elsewhere; the policy of the page forbids it. */
const BLOCKED_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';

async function visit(path: string): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url().replace(/^blob:/, '');
    if (!url.startsWith(running.url) && !url.startsWith('data:')) elsewhere.push(url);
  });
  page.on('requestfailed', (request) => {
    const at = elsewhere.indexOf(request.url());
    if (at !== -1 && request.failure()?.errorText === 'csp') elsewhere.splice(at, 1);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes(BLOCKED_LOGO)) complaints.push(message.text());
  });
  await page.goto(running.url + path);
  return { page, elsewhere, complaints };
}

describe.runIf(chromiumInstalled)('in Chromium', () => {
  beforeAll(async () => {
    running = await start({ operations: OPERATIONS, answers });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  const summaries = Object.values(OPERATIONS).map(({ summary }) => summary);

  test('/docs shows every operation and sends one', async () => {
    const { page, elsewhere, complaints } = await visit('/docs');
    const { summary, path } = OPERATIONS.snapshot_leaderboard;
    await page.getByText(summary).first().waitFor({ state: 'visible' });
    // Operations further down are drawn when they are reached; the menu has them all.
    for (const { group } of Object.values(OPERATIONS)) {
      const closed = page.getByRole('button', { name: `Open Group - ${group}` });
      if ((await closed.count()) > 0) await closed.first().click();
    }
    for (const text of summaries) await page.getByText(text).first().waitFor({ state: 'attached' });

    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const answered = page.waitForResponse((response) => response.url().includes(path));
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(200);
    expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
    await page.close();
  });

  test('/redoc shows every operation', async () => {
    const { page, elsewhere, complaints } = await visit('/redoc');
    for (const text of summaries) {
      await page.getByRole('heading', { name: text }).first().waitFor({ state: 'attached' });
    }
    await page.getByRole('heading', { name: summaries[0]! }).first().waitFor({ state: 'visible' });
    await page.waitForLoadState('networkidle');
    expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
    await page.close();
  });
});
