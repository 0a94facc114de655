// Whether an answer shows what its proven rows say: a true proof beside a false number would prove nothing.
import type { AsOfProof } from '../../contracts/log/proof.js';
import { isPlainObject } from '../../kernel/canonical-json.js';
import { parseInstant } from '../../kernel/instant.js';
import { canonicalObject, canonicalValue } from './logged-leaf.js';

type Members = Readonly<Record<string, unknown>>;

/** Members of a row and where answers show them. */
const SHOWN: Readonly<Record<string, string>> = {
  ticker: 'ticker',
  rank: 'rank',
  state: 'state',
  band: 'anomaly_band',
  density: 'core_kpi_values.attention_density',
  share: 'core_kpi_values.attention_share',
  velocity: 'core_kpi_values.attention_velocity',
  surprise: 'core_kpi_values.attention_surprise',
  independence: 'core_kpi_values.voice_independence',
};

/** Only a packet shows these. */
const SHOWN_IN_PACKETS: Readonly<Record<string, string>> = {
  activity: 'activity',
  posts: 'sample.posts',
  authors: 'sample.authors',
  narratives: 'sample.narratives',
  entity_precision: 'entity.precision',
  ambiguous: 'entity.ambiguous',
  'denominator.usd_billions': 'denominator.usd_billions',
  'denominator.shares': 'denominator.shares',
  'denominator.shares_source': 'denominator.shares_source',
  'denominator.close': 'denominator.close',
  'denominator.close_date': 'denominator.close_date',
  'denominator.state': 'denominator.state',
};

/** Places in the row of a score and where answers show them; a row is a list. */
const SHOWN_OF_SCORES: Readonly<Record<string, number>> = {
  ticker: 0,
  name: 1,
  sector: 2,
  schema_score: 3,
  confidence: 4,
  entry_value: 5,
  coverage: 8,
};

const at = (value: unknown, where: string): unknown =>
  where.split('.').reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), value);

/** The first disagreement in words; null where there is none. */
export function disagreement(answer: Members, proof: AsOfProof): string | null {
  const receipt = answer['receipt'];
  const asOf = at(receipt, 'as_of');
  if (typeof asOf !== 'string' || parseInstant(asOf) !== parseInstant(proof.as_of))
    return 'the answer is for another instant than its proof';
  if (proof.kind === 'macro_frame')
    return scoreDiffers(
      answer,
      proof.value.rows.map(({ row }) => row),
    );
  const rows = proof.value.rows.map(({ row }) => canonicalObject(row));
  const board = answer['leaderboard'];
  if (!Array.isArray(board))
    return rows.length === 1 ? differs(answer, rows[0]!, true) : 'one row was expected';
  if (board.length !== rows.length) return 'the board has other rows than its proof';
  for (const [i, shown] of board.entries()) {
    const found = rows[i] && isPlainObject(shown) ? differs(shown, rows[i], false) : 'a row cannot be read';
    if (found !== null) return found;
    if (at(shown, 'rank') !== i + 1) return 'the board leaves out a rank';
  }
  return null;
}

function differs(shown: Members, row: Members | null, packet: boolean): string | null {
  if (row === null) return 'the row cannot be read';
  const pairs = Object.entries(packet ? { ...SHOWN, ...SHOWN_IN_PACKETS } : SHOWN);
  const fault = pairs.find(([own, there]) => !Object.is(at(row, own), at(shown, there)));
  return fault === undefined ? null : `the answer shows another ${fault[1]} than the row`;
}

function scoreDiffers(shown: Members, texts: readonly string[]): string | null {
  const row = texts.length === 1 ? canonicalValue(texts[0]!) : null;
  if (!Array.isArray(row)) return 'one row was expected';
  const fault = Object.entries(SHOWN_OF_SCORES).find(([name, place]) => !Object.is(row[place], shown[name]));
  return fault === undefined ? null : `the answer shows another ${fault[0]} than the row`;
}
