// What one macro cycle says for good: the frame, the score of every asset and the narratives that touch it.
import { canonicalJson } from '../../kernel/canonical-json.js';
import { fingerprint, sha256Hex } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import { leafHash, merkleRoot } from '../../kernel/merkle.js';
import type { Stated, Statement } from '../facts/statement.js';
import type { AssetScore } from './asset-scorer.js';
import {
  type IndexRow,
  indexRows,
  SCORE_COLUMNS,
  type ScoreRow,
  scoreOfRow,
  scoreRow,
  type ThemeRow,
  themeOfRow,
  themeRow,
} from './edition-rows.js';
import { type MacroFrame, six } from './macro-frame.js';
import type { MacroState } from './macro-state.js';
import { modelReceipt } from './model-receipt.js';
import type { Theme } from './themes.js';

export interface MacroEdition {
  readonly frame: MacroFrame;
  /** All assets, by ticker. */
  readonly scores: readonly AssetScore[];
  /** Narratives that touch a ticker, the strongest first; by ticker, those without any are left out. */
  readonly themes: ReadonlyMap<string, readonly Theme[]>;
}

/** What the edition was made from, as far as the state itself cannot tell. */
export interface EditionSource {
  /** The last sequence in the archive when it was computed. */
  readonly highWater: number;
  readonly facts: number;
  readonly backfilled: number;
}

const SCHEMA = 'barograph.macro.edition.v1';
/** Assets between two breaths of a composition: some milliseconds of work. */
const SLICE = 250;

/** The attachment of a statement, as far as it is read back. */
interface EditionText {
  readonly frame: MacroFrame;
  readonly indexes: readonly IndexRow[];
  readonly scores: readonly ScoreRow[];
  readonly themes: Readonly<Record<string, readonly ThemeRow[]>>;
}

/** What listeners of `macro.frame` hear: where an edition stands. Its text is kept in the archive, beside the leaf. */
export type PublishedEdition = Stated;

/** The small part of a statement, in the leaf itself. */
export interface MacroStatementBody extends Readonly<Record<string, unknown>> {
  readonly version: string;
  readonly model_sha256: string;
  /** Over the attached text. */
  readonly fingerprint: string;
  readonly frame_sha256: string;
  /** Over all that the clock alone does not move: an edition that only repeats it is not stated again. */
  readonly content_sha256: string;
  /** RFC 6962 root over the canonical rows of the scores, by ticker, in hex. */
  readonly score_root: string;
  readonly assets: number;
  readonly scored: number;
  readonly coverage: number;
  readonly high_water: number;
  readonly newest_known_at: Instant | null;
  readonly knowledge: 'observed' | 'simulated';
  readonly backfilled_share: number;
}

/**
 * Composes the edition of an instant in slices, so that whoever runs it can do other work in between; the state must not
 * take facts meanwhile.
 */
export function* composeEdition(state: MacroState, at: Instant): Generator<void, MacroEdition> {
  const frame = state.frame(at);
  yield;
  const scores: AssetScore[] = [];
  const themes = new Map<string, readonly Theme[]>();
  const tickers = state.tickers(frame);
  for (let first = 0; first < tickers.length; first += SLICE) {
    const slice = tickers.slice(first, first + SLICE);
    for (const ticker of slice) scores.push(state.scoreAsset(frame, ticker)!);
    // One kind of work after the other: what each of them reads for every asset stays near the processor.
    for (const ticker of slice) {
      const touching = state.themes(frame, ticker)!;
      if (touching.length > 0) themes.set(ticker, touching);
    }
    yield;
  }
  return { frame, scores, themes };
}

/** The same at once. */
export function editionAt(state: MacroState, at: Instant): MacroEdition {
  const composing = composeEdition(state, at);
  for (;;) {
    const { done, value } = composing.next();
    if (done) return value;
  }
}

export function macroStatement(edition: MacroEdition, source: EditionSource): Statement {
  const { frame, scores, themes } = edition;
  const { highWater, facts, backfilled } = source;
  // Every row is written once: for its leaf, for the text and, through both, for the fingerprints.
  const rows = scores.map((score) => rowText(scoreRow(score)));
  const scoreRoot = merkleRoot(rows.map(leafHash)).toString('hex');
  const indexes = canonicalJson(indexRows(scores));
  const narratives = new Map(frame.narratives.map(({ slug }, place) => [slug, place]));
  const touching = `{${[...themes]
    .map(
      ([ticker, of]) =>
        `${JSON.stringify(ticker)}:${rowText(of.map((theme) => themeRow(theme, narratives)))}`,
    )
    .join(',')}}`;
  const columns = canonicalJson(SCORE_COLUMNS);
  // Members in the order of canonical JSON.
  const attachment = `{"columns":${columns},"frame":${canonicalJson(frame)},"indexes":${indexes},"schema":"${SCHEMA}","scores":[${rows.join(',')}],"themes":${touching}}`;
  const { version, config } = modelReceipt();
  const body: MacroStatementBody = {
    version,
    model_sha256: config,
    fingerprint: textFingerprint(attachment),
    frame_sha256: frame.fingerprint,
    content_sha256: fingerprint([timeless(frame), scoreRoot, sha256Hex(indexes), sha256Hex(touching)]),
    score_root: scoreRoot,
    assets: scores.length,
    scored: scores.filter(({ score }) => score !== null).length,
    coverage: frame.coverage.share,
    high_water: highWater,
    newest_known_at: frame.newestKnownAt,
    knowledge: backfilled === 0 ? 'observed' : 'simulated',
    backfilled_share: facts === 0 ? 0 : six(backfilled / facts),
  };
  return { kind: 'macro_frame', subject: null, at: frame.at, body, attachment };
}

export class EditionFault extends Error {
  constructor(at: Instant) {
    super(`the stored macro edition of ${at} is not the one that was stated`);
    this.name = 'EditionFault';
  }
}

/** Reads an edition back; refuses a text that is not the one that was stated. */
export function readMacroEdition(stated: Pick<Stated, 'at' | 'body'>, attachment: string): MacroEdition {
  if (stated.body['fingerprint'] !== textFingerprint(attachment)) throw new EditionFault(stated.at);
  const { frame, indexes, scores, themes } = JSON.parse(attachment) as EditionText;
  return {
    frame,
    scores: scores.map((row) => scoreOfRow(row, frame, indexes)),
    themes: new Map(
      Object.entries(themes).map(([ticker, rows]) => [ticker, rows.map((row) => themeOfRow(row, frame))]),
    ),
  };
}

/** The canonical rows under `score_root` with their tickers, in order, from the attachment of a statement. */
export function scoreTexts(attachment: string): { readonly ticker: string; readonly text: string }[] {
  const { scores } = JSON.parse(attachment) as EditionText;
  return scores.map((row) => ({ ticker: row[0], text: canonicalJson(row) }));
}

/** The leaf hashes under `score_root`: canonical JSON of each score's row, by ticker. */
export function editionLeaves(edition: Pick<MacroEdition, 'scores'>): Buffer[] {
  return edition.scores.map((score) => leafHash(rowText(scoreRow(score))));
}

/** For rows of names and numbers the plain text is the canonical one, in a fraction of the time. */
function rowText(row: ScoreRow | readonly ThemeRow[]): string {
  return JSON.stringify(row);
}

function textFingerprint(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

/** Ages grow by themselves; what they do to weights, states and scores is content. */
function timeless({ at: _at, fingerprint: _own, ...frame }: MacroFrame): object {
  return {
    ...frame,
    indexes: frame.indexes.map((index) => ({ ...index, overdueHours: null })),
    gauges: frame.gauges.map((gauge) => ({ ...gauge, oldestAgeHours: null })),
  };
}
