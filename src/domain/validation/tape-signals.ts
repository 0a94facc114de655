// The twelve signals under test: the five KPIs and seven quantities that follow from the columns of the tape.
import { ANOMALY_BANDS, type Row } from '../facts/frame.js';

/** Densities of one ticker at the grid points before, the newest last; NaN where it had none. */
export type DensityHistory = ArrayLike<number>;

export interface TapeSignal {
  readonly id: string;
  readonly title: string;
  /** NaN where it cannot be measured. */
  of(row: Row, before: DensityHistory): number;
}

/** Grid points that `density_change_5d` looks back over. */
export const HISTORY_POINTS = 5;

const known = (value: number | null): number => value ?? Number.NaN;
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : Number.NaN);

/** Natural logarithm of the ratio of two densities; nothing where one of them is missing or zero. */
const growth = (now: number, then: number): number =>
  now > 0 && then > 0 ? Math.log(now / then) : Number.NaN;

/** Mean of the grid points before; nothing unless all of them were measured. */
function meanBefore(before: DensityHistory): number {
  let sum = before.length === HISTORY_POINTS ? 0 : Number.NaN;
  for (let i = 0; i < before.length; i++) sum += before[i]!;
  return sum / HISTORY_POINTS;
}

/** Quiet 0 to extreme 4. */
const QUIET = ANOMALY_BANDS.indexOf('quiet');
function bandLevel({ band }: Row): number {
  const level = ANOMALY_BANDS.indexOf(band) - QUIET;
  return level < 0 ? Number.NaN : level;
}

export const TAPE_SIGNALS: readonly TapeSignal[] = [
  { id: 'attention_density', title: 'Attention density', of: ({ density }) => known(density) },
  { id: 'attention_share', title: 'Attention share', of: (row) => known(row.share) },
  { id: 'attention_velocity', title: 'Attention velocity', of: ({ velocity }) => known(velocity) },
  { id: 'attention_surprise', title: 'Attention surprise', of: ({ surprise }) => known(surprise) },
  { id: 'voice_independence', title: 'Voice independence', of: ({ independence }) => known(independence) },
  { id: 'activity', title: 'Activity', of: ({ activity }) => known(activity) },
  { id: 'author_count', title: 'Authors', of: ({ authors, posts }) => (posts > 0 ? authors : Number.NaN) },
  { id: 'author_breadth', title: 'Authors per post', of: ({ authors, posts }) => share(authors, posts) },
  {
    id: 'narrative_breadth',
    title: 'Narratives per post',
    of: ({ narratives, posts }) => share(narratives, posts),
  },
  {
    id: 'density_change_1d',
    title: 'Log change of density against the grid point before',
    of: ({ density }, before) => growth(known(density), before[before.length - 1] ?? Number.NaN),
  },
  {
    id: 'density_change_5d',
    title: 'Log change of density against the mean of the five grid points before',
    of: ({ density }, before) => growth(known(density), meanBefore(before)),
  },
  { id: 'anomaly_level', title: 'Anomaly band as a number, quiet 0 to extreme 4', of: bandLevel },
];
