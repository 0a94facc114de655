// What every published number means: formula, inputs, unit, window and parameters, under one fingerprint.
import { formatSpan } from '../../kernel/duration.js';
import { fingerprint } from '../../kernel/fingerprint.js';
import { DAY, HOUR } from '../../kernel/instant.js';
import { MEASURES } from './measure-parameters.js';
import { ATTENTION } from './parameters.js';
import { SIGNALS } from './signal-parameters.js';

export const KPI_IDS = [
  'attention_density',
  'attention_share',
  'attention_velocity',
  'attention_surprise',
  'voice_independence',
] as const;
export type KpiId = (typeof KPI_IDS)[number];

export const KPI_STATES = ['measured', 'insufficient', 'warming', 'unavailable'] as const;
export type KpiState = (typeof KPI_STATES)[number];

interface Metric {
  readonly id: string;
  readonly title: string;
  readonly formula: string;
  readonly unit: string;
  readonly inputs: readonly string[];
  /** ISO 8601: how far back the inputs reach. */
  readonly window: string;
  /** Where the numbers of the formula stand among the parameters. */
  readonly parameters: readonly string[];
  readonly states: readonly string[];
  /** The version of the ontology that brought it in this form. */
  readonly since: string;
}

export interface CoreKpi extends Metric {
  readonly id: KpiId;
  /** Members of a ticker packet whose values `inputs_sha256` of its receipt is made from. */
  readonly receipt_members: readonly string[];
}

const VERSION = '1.0.0';
const { coordination, surprise, velocity, bands, history } = MEASURES;
const days = (span: number): number => span / DAY;
const hours = (span: number): number => span / HOUR;

const SHARED_MEMBERS = ['ticker', 'source_set_version', 'receipt.frame_sha256'] as const;
const common = { states: KPI_STATES, since: VERSION } as const;

const CORE_KPIS: readonly CoreKpi[] = [
  {
    id: 'attention_density',
    title: 'Attention density',
    formula: `activity / max(market capitalisation, ${ATTENTION.denominator.floorUsdBillions}), the capitalisation in USD billions`,
    unit: 'effective posts (24 h equivalent) per USD 1 billion',
    inputs: ['activity', 'denominator'],
    window: formatSpan(ATTENTION.window),
    parameters: ['attention.denominator', 'attention.eligibility'],
    receipt_members: [...SHARED_MEMBERS, 'activity', 'denominator'],
    ...common,
  },
  {
    id: 'attention_share',
    title: 'Attention share',
    formula: '100 × activity / sum of the activity of all eligible tickers',
    unit: 'percent',
    inputs: ['activity'],
    window: formatSpan(ATTENTION.window),
    parameters: ['attention.eligibility'],
    receipt_members: [...SHARED_MEMBERS, 'activity'],
    ...common,
  },
  {
    id: 'attention_velocity',
    title: 'Attention velocity',
    formula: `log2((F + ${velocity.offset}) / (B + ${velocity.offset})); F is the exponentially weighted hourly rate of mentions with a half-life of ${hours(velocity.halfLife)} h, B the median of the same clock hour over ${velocity.days} days, of which at least ${velocity.minDays} were observed`,
    unit: 'doublings',
    inputs: ['mentions per five minutes', 'mentions per hour'],
    window: formatSpan(velocity.days * DAY),
    parameters: ['measures.velocity', 'measures.history'],
    receipt_members: [...SHARED_MEMBERS, 'receipt.archive_high_water'],
    ...common,
  },
  {
    id: 'attention_surprise',
    title: 'Attention surprise',
    formula: `min(${surprise.cap}, −log10 P(X ≥ x)); x is the count of mentions in the last complete sliding hour, X is negative binomial with the mean and the variance of the ${days(surprise.baselineHours * HOUR)} days before, winsorised at the quantile ${surprise.winsorAt}`,
    unit: '−log10 of a probability',
    inputs: ['mentions per hour'],
    window: formatSpan(surprise.baselineHours * HOUR),
    parameters: ['measures.surprise', 'measures.history'],
    receipt_members: [...SHARED_MEMBERS, 'receipt.archive_high_water'],
    ...common,
  },
  {
    id: 'voice_independence',
    title: 'Voice independence',
    formula:
      'min(1, 1 / (sum over narratives of (m / N)²) / authors); m is the number of authors of a narrative, N the sum of all m; posts with nearly the same text are one narrative',
    unit: 'ratio, 0 to 1',
    inputs: ['narratives', 'authors'],
    window: formatSpan(ATTENTION.window),
    parameters: ['attention.near_duplicate'],
    receipt_members: [...SHARED_MEMBERS, 'sample'],
    ...common,
  },
];

const MEASURED: readonly Metric[] = [
  {
    id: 'activity',
    title: 'Activity',
    formula: `sum over the posts of the window of weight × 2^(−age / ${hours(ATTENTION.halfLife)} h), scaled so that a constant rate measures its own 24 h count; the weight of a post is min(${ATTENTION.authorCap}, 1 + ln n) / n for an author with n posts, divided by the tickers that it names and by the square root of the authors of its narrative; posts that name more than ${ATTENTION.maxTickersPerPost} tickers count for none`,
    unit: 'effective posts, 24 h equivalent',
    inputs: ['posts', 'aggregate counts', 'source set'],
    window: formatSpan(ATTENTION.window),
    parameters: ['attention'],
    states: ['measured', 'insufficient'],
    since: VERSION,
  },
  {
    id: 'anomaly_band',
    title: 'Anomaly band',
    formula: `insufficient below ${bands.insufficientBelow} observed hours, warming below ${bands.warmingBelow}; extreme: surprise ≥ ${bands.extreme}, trend ≥ ${bands.trend} and discovery rate ≤ ${bands.discovery}; high: surprise ≥ ${bands.high} and trend ≥ ${bands.trend}; elevated: surprise ≥ ${bands.elevated} or trend ≥ ${bands.trend}; quiet: P(X ≤ x) < ${bands.quietBelow}; else normal. Raised at once; lowered after ${bands.stepsBelow} steps below and not before ${hours(bands.dwellSteps * history.step)} h`,
    unit: 'band',
    inputs: ['attention_surprise', 'trend', 'discovery rate'],
    window: formatSpan(bands.warmingBelow * HOUR),
    parameters: ['measures.bands', 'measures.ewma', 'measures.surprise'],
    states: ['insufficient', 'warming', 'quiet', 'normal', 'elevated', 'high', 'extreme'],
    since: VERSION,
  },
  {
    id: 'coordination_index',
    title: 'Coordination index',
    formula:
      '1 − product over the components of (1 − weight × ramp(value)); the ramp rises from 0 at low to 1 at high. Realness is 1 − index',
    unit: 'ratio, 0 to 1',
    inputs: Object.keys(coordination.components),
    window: formatSpan(coordination.window),
    parameters: ['measures.coordination'],
    states: ['measured', 'partial', 'insufficient', 'stale', 'unavailable'],
    since: VERSION,
  },
  {
    id: 'cascade',
    title: 'Cascade',
    formula:
      'Maximum likelihood of a Hawkes process with an exponential kernel over the times of the posts; branching is the number of posts that one post brings about on average',
    unit: 'posts per post',
    inputs: ['times of posts'],
    window: formatSpan(coordination.window),
    parameters: ['measures.cascade'],
    states: ['measured', 'insufficient'],
    since: VERSION,
  },
  {
    id: 'denominator',
    title: 'Market capitalisation',
    formula: `newest close × shares outstanding by their filing, both adjusted for splits; filed counts before a vendor's; share counts older than ${days(ATTENTION.denominator.maxSharesAge)} days or closes older than ${days(ATTENTION.denominator.maxCloseAge)} are stale; jumps by more than ${ATTENTION.denominator.maxJump} times without a split are refused`,
    unit: 'USD billions',
    inputs: ['prices', 'shares', 'splits'],
    window: formatSpan(ATTENTION.denominator.maxSharesAge),
    parameters: ['attention.denominator'],
    states: ['exact', 'per_class_sum', 'vendor', 'stale', 'floored', 'unavailable'],
    since: VERSION,
  },
];

/** The parameters with the names that they have on the wire. */
function wire(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof inner === 'object' && inner !== null ? wire(inner) : inner,
    ]),
  );
}

export const ONTOLOGY = {
  schema: 'barograph.ontology.v1',
  version: VERSION,
  core_kpis: CORE_KPIS,
  metrics: MEASURED,
  /** Spans are in microseconds. */
  parameters: { attention: wire(ATTENTION), measures: wire(MEASURES), signals: wire(SIGNALS) },
} as const;

/** Changes with every formula, member or parameter above. */
export const ONTOLOGY_SHA256 = fingerprint(ONTOLOGY);
