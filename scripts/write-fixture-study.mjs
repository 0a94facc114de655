// Writes the fixture economy as files for `barograph import`: twenty-one years of series, and funds and stocks with prices.
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { economyReports } from '../dist/connectors/fixture/economy/economy.js';
import { ECONOMY_FUNDS } from '../dist/connectors/fixture/economy/planted-exposures.js';
import { economyReturns } from '../dist/connectors/fixture/economy/returns.js';
import { UNIVERSE } from '../dist/connectors/fixture/universe.js';
import { DAY, formatDay, formatInstant } from '../dist/kernel/instant.js';
import { dayOf } from '../dist/kernel/new-york-time.js';

const [folder, seedText = '1'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/write-fixture-study.mjs FOLDER [SEED]\n');
  process.exit(2);
}
const seed = Number(seedText);
const [from, to] = [dayOf(2005, 1, 1), dayOf(2026, 1, 1)];
/** What is a stock's own, a day: about a quarter of a year's return. */
const SPREAD = 0.014;

const stocks = UNIVERSE.filter(({ sector }) => sector !== null).slice(0, 150);
const assets = [
  ...ECONOMY_FUNDS.map((fund) => ({ ...fund, kind: 'etf' })),
  ...stocks.map(({ ticker, sector, beta }) => ({ ticker, sector, beta, spread: SPREAD, kind: 'common' })),
];

function* listings() {
  yield 'ticker,name,sector,kind,known_at\n';
  for (const { ticker, sector, kind } of assets)
    yield `${ticker},${ticker} of the fixture,${sector ?? ''},${kind},${formatDay(from * DAY)}\n`;
}

function* prices() {
  yield 'ticker,date,open,high,low,close,volume\n';
  const returns = economyReturns(seed, from, to);
  for (const asset of assets) {
    let level = Math.log(100);
    let block = '';
    returns.of(asset).forEach((move, i) => {
      level += move;
      const close = Math.exp(level).toPrecision(8);
      block += `${asset.ticker},${formatDay(returns.days[i] * DAY)},${close},${close},${close},${close},1\n`;
    });
    yield block;
  }
}

function* series() {
  yield 'series,date,value,known_at\n';
  for (const { body, releasedAt } of economyReports(seed, from, to))
    yield `${body.series},${body.date},${body.value},${formatInstant(releasedAt)}\n`;
}

mkdirSync(folder, { recursive: true });
for (const [name, lines] of Object.entries({ assets: listings, prices, series }))
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, `${name}.csv`)));
