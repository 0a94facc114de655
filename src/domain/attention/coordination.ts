// How coordinated the posts about a ticker are, in the aggregate: five components, one index, its uncertainty.
import { roundSignificant, sha256Hex } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import { DAY } from '../../kernel/instant.js';
import { herfindahl } from '../../kernel/statistics/concentration.js';
import { quantiles, withoutNaN } from '../../kernel/statistics/order-statistics.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { MEASURES } from './measure-parameters.js';
import { type CoordinationPost, type Crowd, crowdOf, knownPosts } from './voices.js';

const RULES = MEASURES.coordination;

export type ComponentId = keyof typeof RULES.components;
const IDS = Object.keys(RULES.components) as ComponentId[];

export interface Component {
  readonly id: ComponentId;
  /** Null when the providers do not give what it is made from. */
  readonly value: number | null;
  readonly low: number;
  readonly high: number;
  readonly weight: number;
  readonly contribution: number | null;
}

export interface CoordinationSample {
  readonly posts: number;
  readonly authors: number;
  readonly narratives: number;
  readonly sources: number;
  /** Share of the authors whose account age is known. */
  readonly coverage: number;
}

export interface Coordination {
  readonly index: number;
  readonly realness: number;
  readonly interval: { readonly low: number; readonly high: number };
  /** `lower` when a component is missing: more could only be added. */
  readonly bound: 'exact' | 'lower';
  readonly components: readonly Component[];
  readonly narrative: { readonly clusters: number; readonly topShare: number };
  /** In days; null when too few ages are known. */
  readonly accountAge: { readonly p10: number; readonly p50: number; readonly under60d: number } | null;
  /** Mean share of a post that goes to other tickers. */
  readonly spill: number;
  readonly sourceConcentration: number;
}

/** A measurement only where the sample carries one: nothing is said about a handful of accounts. */
export interface CoordinationReading {
  readonly sample: CoordinationSample;
  readonly measurement: Coordination | null;
}

type Values = Readonly<Record<ComponentId, number>>;

/** Voices per narrative and per week of creation. */
interface Tally {
  readonly inNarrative: Uint32Array;
  readonly inWeek: Uint32Array;
}

function tallyFor({ clusters, weeks }: Crowd): Tally {
  return { inNarrative: new Uint32Array(clusters), inWeek: new Uint32Array(weeks) };
}

/** The five components when each voice is counted as often as `times` says. A tally given to it is used up. */
function valuesOf(
  crowd: Crowd,
  times: Uint32Array,
  { inNarrative, inWeek }: Tally = tallyFor(crowd),
): Values {
  const { age, week, narratives, narrativesEnd } = crowd;
  inNarrative.fill(0);
  inWeek.fill(0);
  let authors = 0;
  let aged = 0;
  let young = 0;
  let together = 0;
  let posts = 0;
  let excess = 0;
  for (let i = 0; i < times.length; i++) {
    const n = times[i]!;
    if (n === 0) continue;
    authors += n;
    together += n * crowd.together[i]!;
    posts += n * crowd.posts[i]!;
    excess += n * crowd.excess[i]!;
    for (let j = i === 0 ? 0 : narrativesEnd[i - 1]!; j < narrativesEnd[i]!; j++)
      inNarrative[narratives[j]!]! += n;
    if (week[i]! < 0) continue;
    aged += n;
    inWeek[week[i]!]! += n;
    if (age[i]! < RULES.youngBelow) young += n;
  }
  return {
    co_share_60s: together / authors,
    creation_week: Math.max(0, most(inWeek) - RULES.weekAllowance) / Math.max(1, aged),
    narrative_top: most(inNarrative) / authors,
    young_accounts: young / Math.max(1, aged),
    sync_excess: excess / posts,
  };
}

function most(counts: Uint32Array): number {
  let largest = 0;
  for (const count of counts) if (count > largest) largest = count;
  return largest;
}

/** Components that the posts can carry at all. */
function availableIn({ size, aged }: Crowd): ComponentId[] {
  const ages = aged >= RULES.minAuthors && aged >= RULES.minAgeCoverage * size;
  return IDS.filter((id) => ages || (id !== 'creation_week' && id !== 'young_accounts'));
}

function contributionOf(id: ComponentId, value: number): number {
  const { low, high, weight } = RULES.components[id];
  return weight * Math.max(0, Math.min(1, (value - low) / (high - low)));
}

function indexOf(values: Values, available: readonly ComponentId[]): number {
  return 1 - available.reduce((left, id) => left * (1 - contributionOf(id, values[id])), 1);
}

function suffices(posts: readonly CoordinationPost[], crowd: Crowd): boolean {
  const { minPosts, minAuthors, minComponents } = RULES;
  return posts.length >= minPosts && crowd.size >= minAuthors && availableIn(crowd).length >= minComponents;
}

/** The index alone, without its uncertainty: cheap enough for every ticker of a cycle. Null when not measurable. */
export function coordinationIndex(posts: readonly CoordinationPost[], at: Instant): number | null {
  if (posts.length < RULES.minPosts) return null;
  const counted = knownPosts(posts, at);
  const crowd = crowdOf(counted);
  if (!suffices(counted, crowd)) return null;
  return round(indexOf(valuesOf(crowd, once(crowd)), availableIn(crowd)));
}

/** The whole measurement at an instant: a function of the posts known by then, in whatever order they are given. */
export function measureCoordination(posts: readonly CoordinationPost[], at: Instant): CoordinationReading {
  const counted = knownPosts(posts, at);
  const crowd = crowdOf(counted);
  const perSource = new Map<string, number>();
  for (const { source } of counted) perSource.set(source, (perSource.get(source) ?? 0) + 1);
  const sample = {
    posts: counted.length,
    authors: crowd.size,
    narratives: crowd.clusters,
    sources: perSource.size,
    coverage: crowd.size === 0 ? 0 : round(crowd.aged / crowd.size),
  };
  if (!suffices(counted, crowd)) return { sample, measurement: null };
  const available = availableIn(crowd);
  const values = valuesOf(crowd, once(crowd));
  const index = round(indexOf(values, available));
  return {
    sample,
    measurement: {
      index,
      realness: round(1 - index),
      interval: bootstrapInterval(crowd, available, counted),
      bound: available.length < IDS.length ? 'lower' : 'exact',
      components: IDS.map((id) => component(id, available.includes(id) ? values[id] : null)),
      narrative: { clusters: crowd.clusters, topShare: round(values.narrative_top) },
      accountAge: available.includes('young_accounts') ? agesOf(crowd, values.young_accounts) : null,
      spill: round(counted.reduce((sum, { tickers }) => sum + 1 - 1 / tickers, 0) / counted.length),
      sourceConcentration: round(herfindahl([...perSource.values()].sort((a, b) => a - b))),
    },
  };
}

function component(id: ComponentId, value: number | null): Component {
  const contribution = value === null ? null : round(contributionOf(id, value));
  return { id, value: value === null ? null : round(value), ...RULES.components[id], contribution };
}

function agesOf({ age }: Crowd, under60d: number): Coordination['accountAge'] {
  const [p10, p50] = quantiles(withoutNaN(age), [0.1, 0.5]);
  return { p10: round(p10! / DAY), p50: round(p50! / DAY), under60d: round(under60d) };
}

/** Different 32-bit words. */
const WORDS = 2 ** 32;

/** Draws whole authors, since posts of one author are not independent. The seed is the sample itself. */
function bootstrapInterval(
  crowd: Crowd,
  available: readonly ComponentId[],
  posts: readonly CoordinationPost[],
): Coordination['interval'] {
  const sample = posts
    .map(({ createdAt, author, narrative }) => `${createdAt} ${author} ${narrative}`)
    .join('\n');
  const random = seededRandom(sha256Hex(sample));
  const { draws, coverage } = RULES.bootstrap;
  const count = crowd.size;
  const times = new Uint32Array(count);
  const tally = tallyFor(crowd);
  const perWord = count / WORDS;
  const indices = Array.from({ length: draws }, () => {
    times.fill(0);
    // Scaling a word is several times cheaper than an exact draw, and its bias is one in millions.
    for (let i = 0; i < count; i++) times[Math.floor(random.word() * perWord)]!++;
    return indexOf(valuesOf(crowd, times, tally), available);
  });
  const [low, high] = quantiles(indices, [(1 - coverage) / 2, (1 + coverage) / 2]);
  return { low: round(low!), high: round(high!) };
}

function once({ size }: Crowd): Uint32Array {
  return new Uint32Array(size).fill(1);
}

function round(value: number): number {
  return roundSignificant(value, 6);
}
