// What one row of the index catalogue says; everything the engine knows about an index is in its row.
import type { Frequency, ReleaseRule } from '../release-clock.js';
import type { Shown, TransformCode } from '../transforms.js';
import type { Family } from './families.js';

/** A provider's series, by the provider's own id. `instead` are ids to use for days on which it has no value. */
export interface Term {
  readonly series: string;
  readonly times: number;
  readonly instead: readonly string[];
}

/** How the level is made from series; the first term gives the reference days. */
export type Formula =
  | { readonly kind: 'sum'; readonly terms: readonly Term[] }
  | { readonly kind: 'ratio'; readonly terms: readonly [Term, Term] };

export function term(series: string, times = 1, ...instead: string[]): Term {
  return { series, times, instead };
}

export function series(id: string, times = 1): Formula {
  return { kind: 'sum', terms: [term(id, times)] };
}

export function sum(...terms: Term[]): Formula {
  return { kind: 'sum', terms };
}

export function ratio(over: string, under: string): Formula {
  return { kind: 'ratio', terms: [term(over), term(under)] };
}

/** PD public domain or official; 3P third-party rights; OPEN open licence with credit; CALC computed from prices. */
export type Licence = 'PD' | '3P' | 'OPEN' | 'CALC' | 'mixed';

/** `refitted`: the provider estimates its whole history anew at every release, so only first releases are comparable. */
export type Revision = 'never' | 'revised' | 'refitted';

export interface Source {
  readonly formula: Formula;
  readonly frequency: Frequency;
  readonly release: ReleaseRule;
}

export interface IndexRow extends Source {
  readonly symbol: string;
  readonly name: string;
  readonly family: Family;
  readonly unit: string;
  readonly transform: TransformCode;
  /** What is published as the current value; the level unless the unit says otherwise. */
  readonly shown?: Shown;
  /** Effect of a higher transformed value on risk assets at market level. */
  readonly sign: 1 | -1;
  /** Days from the end of the reference period to availability, in words. */
  readonly lag: string;
  readonly revision: Revision;
  readonly licence: Licence;
  /** Smallest scale that a z-score may divide by, in transformed units. */
  readonly floor: number;
  /** Used while the source itself has no reading. */
  readonly fallback?: Source;
}
