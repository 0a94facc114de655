// Breadth and equal-weighted chains over stocks, measured when enough closes are in.
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../kernel/instant.js';
import { dayOf, writeDay } from '../../kernel/new-york-time.js';
import type { FactOf } from '../facts/fact.js';
import { Constituents } from './constituents.js';
import { PriceBook } from './price-book.js';
import { SeriesHistory } from './series-history.js';
import { dayOfSession, sessionUpTo, stepOf } from './sessions.js';

const FIRST = sessionUpTo(dayOf(2022, 1, 3));
const STOCKS = 44;
const ENERGY = 20;

interface World {
  readonly histories: Map<string, SeriesHistory>;
  readonly book: PriceBook;
  readonly constituents: Constituents;
}

function list(book: PriceBook, ticker: string, sector: string, assetKind: string): void {
  book.takeAsset({
    sequence: 0,
    knownAt: 0,
    effectiveAt: 0,
    source: 'test',
    backfilled: true,
    body: { kind: 'asset', ticker, name: ticker, sector, assetKind },
  });
}

function world(): World {
  const ids = ['BREADTH:200', 'EQUAL:ALL', 'EQUAL:Energy'];
  const histories = new Map(ids.map((id) => [id, new SeriesHistory()]));
  const book = new PriceBook(histories);
  for (let i = 0; i < STOCKS; i += 1) list(book, `S${i}`, i < ENERGY ? 'Energy' : 'Utilities', 'common');
  return { histories, book, constituents: new Constituents(book, histories) };
}

function close(book: PriceBook, i: number, session: number, value: number, hours: number): void {
  const day = dayOfSession(session);
  const knownAt = day * DAY + hours * HOUR;
  const prices = { open: value, high: value, low: value, close: value, volume: 1 };
  const body = { kind: 'price', ticker: `S${i}`, date: writeDay(day), ...prices } as const;
  const fact: FactOf<'price'> = {
    sequence: session,
    knownAt,
    effectiveAt: knownAt,
    source: 'test',
    backfilled: true,
    body,
  };
  book.takePrice(fact);
}

it('counts the stocks above their average, and chains the mean return', () => {
  const { histories, book, constituents } = world();
  for (let s = 0; s < 230; s += 1) {
    // Eleven stocks fall, the others rise; energy rises fastest.
    for (let i = 0; i < STOCKS; i += 1)
      close(book, i, FIRST + s, 100 * (i < ENERGY ? 1.002 : i < 33 ? 1.001 : 0.999) ** s, 21);
  }
  constituents.extend(stepOf(FIRST + 229));
  const breadth = histories.get('BREADTH:200')!;
  expect(breadth.length).toBe(31);
  expect(breadth.values.last()).toBe(75);
  expect(breadth.knownAt.last()).toBe(stepOf(FIRST + 229));
  expect(histories.get('EQUAL:Energy')!.values.last()).toBeCloseTo(100 * 1.002 ** 229, 6);
  const all = (20 * Math.log(1.002) + 13 * Math.log(1.001) + 11 * Math.log(0.999)) / STOCKS;
  expect(histories.get('EQUAL:ALL')!.values.last()).toBeCloseTo(100 * Math.exp(all * 229), 6);
});

it('waits a day where closes come in the next morning', () => {
  const { histories, book, constituents } = world();
  for (let s = 0; s < 10; s += 1) {
    for (let i = 0; i < STOCKS; i += 1) close(book, i, FIRST + s, 100 + s, s < 5 ? 21 : 30);
  }
  constituents.extend(stepOf(FIRST + 8));
  const chain = histories.get('EQUAL:ALL')!;
  expect(chain.length).toBe(7);
  expect(chain.knownAt.at(3)).toBe(stepOf(FIRST + 4));
  expect(chain.knownAt.at(4)).toBe(stepOf(FIRST + 6));
  expect(constituents.measuredTo).toBe(stepOf(FIRST + 8));
});

it('says nothing about fewer than twenty stocks', () => {
  for (const [stocks, days] of [
    [19, 0],
    [20, 209],
  ] as const) {
    const { histories, book, constituents } = world();
    for (let s = 0; s < 210; s += 1)
      for (let i = 0; i < stocks; i += 1) close(book, i, FIRST + s, 100 + s, 21);
    constituents.extend(stepOf(FIRST + 209));
    expect(histories.get('BREADTH:200')!.length).toBe(days === 0 ? 0 : 11);
    expect(histories.get('EQUAL:Energy')!.length).toBe(days);
    expect(histories.get('EQUAL:ALL')!.length).toBe(days);
  }
});

it('counts no funds, whatever their kind is called and whatever sector they hold', () => {
  const { histories, book, constituents } = world();
  for (const kind of ['fund', 'etf', 'ETF']) list(book, 'S19', 'Energy', kind);
  for (let s = 0; s < 210; s += 1) for (let i = 0; i < ENERGY; i += 1) close(book, i, FIRST + s, 100 + s, 21);
  constituents.extend(stepOf(FIRST + 209));
  expect(histories.get('BREADTH:200')!.length).toBe(0);
  expect(histories.get('EQUAL:Energy')!.length).toBe(0);
  // A sector's own fund is one even where the file does not say so.
  list(book, 'XLE', 'Energy', 'common');
  expect(book.record('XLE')!.companySector(stepOf(FIRST))).toBeNull();
  expect(book.record('XLE')!.sector(stepOf(FIRST))).toBe('Energy');
});
