// Debian's Chromium for the tests of the pages: without a screen, and with nothing of its own to ask of any host.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installed } from './installed.js';

const CHROMIUM = '/usr/bin/chromium';

export const chromiumInstalled = installed('Chromium', existsSync(CHROMIUM) ? CHROMIUM : null);

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--headless',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
