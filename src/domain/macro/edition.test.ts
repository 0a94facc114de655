// An edition survives its statement: the same after reading, provable score by score, and refused when altered.
import { beforeAll, expect, it } from 'vitest';
import { ECONOMY_FUNDS, type EconomyAsset } from '../../connectors/fixture/economy/planted-exposures.js';
import { economyReturns } from '../../connectors/fixture/economy/returns.js';
import { assetFacts, economyFacts } from '../../connectors/fixture/economy/stamped-facts.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { DAY, HOUR, MINUTE } from '../../kernel/instant.js';
import { inclusionProof, leafHash, verifyInclusion } from '../../kernel/merkle.js';
import { dayOf } from '../../kernel/new-york-time.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import type { Fact } from '../facts/fact.js';
import {
  EditionFault,
  editionAt,
  editionLeaves,
  type MacroEdition,
  type MacroStatementBody,
  macroStatement,
  readMacroEdition,
} from './edition.js';
import { MacroState } from './macro-state.js';

const FROM = dayOf(2016, 1, 1);
const TO = dayOf(2019, 9, 2);
const AT = TO * DAY + 15 * HOUR;
const SOURCE = { highWater: 17, facts: 1000, backfilled: 250 };
const STOCK: EconomyAsset = { ticker: 'TEST', sector: 'Energy', beta: 1.2, spread: 0.014 };
const UNPRICED: Fact = {
  sequence: 9e6,
  knownAt: FROM * DAY,
  effectiveAt: FROM * DAY,
  source: 'test',
  backfilled: true,
  body: { kind: 'asset', ticker: 'BARE', name: 'No prices, no sector', sector: null, assetKind: 'common' },
};

let facts: Fact[];
let state: MacroState;
let edition: MacroEdition;

function stateOf(known: readonly Fact[]): MacroState {
  const made = new MacroState();
  made.take(known);
  return made;
}

beforeAll(() => {
  const returns = economyReturns(3, FROM, TO);
  const assets = [...ECONOMY_FUNDS.slice(0, 14), STOCK];
  facts = [
    ...economyFacts(3, FROM, TO),
    ...assets.flatMap((asset, i) => assetFacts(returns, asset, 1e6 * (i + 1))),
    UNPRICED,
  ];
  state = stateOf(facts);
  edition = editionAt(state, AT);
});

const bodyOf = (of: MacroEdition): MacroStatementBody =>
  macroStatement(of, SOURCE).body as MacroStatementBody;

it('reads back what was stated', () => {
  const statement = macroStatement(edition, SOURCE);
  expect(statement).toMatchObject({ kind: 'macro_frame', subject: null, at: AT });
  expect(readMacroEdition(statement, statement.attachment!)).toEqual(edition);
  expect(statement.attachment).toBe(canonicalJson(JSON.parse(statement.attachment!)));
  expect(edition.scores.length).toBe(16);
  expect(edition.themes.size).toBeGreaterThan(5);
  expect(edition.scores.find(({ ticker }) => ticker === 'BARE')).toMatchObject({
    score: null,
    topDrivers: [],
  });
});

it('says in the leaf how much it covers, and how much of it was backfilled', () => {
  expect(bodyOf(edition)).toMatchObject({
    assets: 16,
    scored: 15,
    high_water: 17,
    newest_known_at: edition.frame.newestKnownAt,
    knowledge: 'simulated',
    backfilled_share: 0.25,
    frame_sha256: edition.frame.fingerprint,
  });
  expect(macroStatement(edition, { ...SOURCE, backfilled: 0 }).body).toMatchObject({ knowledge: 'observed' });
  expect(canonicalJson(bodyOf(edition)).length).toBeLessThan(1_000);
});

it('is refused when a single digit of its text is another', () => {
  const statement = macroStatement(edition, SOURCE);
  const forged = statement.attachment!.replace(/"coverage":0\.9/, '"coverage":0.8');
  expect(() => readMacroEdition(statement, `${forged} `)).toThrow(EditionFault);
});

it('proves one score by the root in the leaf', () => {
  const leaves = editionLeaves(edition);
  const root = Buffer.from(bodyOf(edition).score_root, 'hex');
  const index = edition.scores.findIndex(({ ticker }) => ticker === 'XLE');
  const { scores } = JSON.parse(macroStatement(edition, SOURCE).attachment!) as { scores: unknown[][] };
  expect(scores[index]![0]).toBe('XLE');
  const leaf = leafHash(canonicalJson(scores[index]));
  const proof = inclusionProof(leaves, index);
  expect(verifyInclusion({ leaf, index, size: leaves.length, proof, root })).toBe(true);
  const better = leafHash(canonicalJson(scores[index]!.with(3, 99)));
  expect(verifyInclusion({ leaf: better, index, size: leaves.length, proof, root })).toBe(false);
});

it('has the same fingerprint whatever the order of the facts', () => {
  const shuffled = seededRandom('edition').shuffle([...facts]);
  expect(bodyOf(editionAt(stateOf(shuffled), AT))).toEqual(bodyOf(edition));
});

it('keeps its content while only the clock goes on, and changes it with a new value', () => {
  const later = editionAt(state, AT + 15 * MINUTE);
  expect(bodyOf(later).content_sha256).toBe(bodyOf(edition).content_sha256);
  expect(bodyOf(later).fingerprint).not.toBe(bodyOf(edition).fingerprint);
  const news: Fact = {
    ...UNPRICED,
    knownAt: AT + MINUTE,
    body: { kind: 'series', series: 'VIXCLS', date: '2019-09-02', value: 80 },
  };
  state.take([news]);
  expect(bodyOf(editionAt(state, AT + 30 * MINUTE)).content_sha256).not.toBe(bodyOf(edition).content_sha256);
});
