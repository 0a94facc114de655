// What is claimed before it is tested: one hypothesis per signal, horizon and target. The log never forgets one.
import { fingerprint } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import type { Stated, Statement } from '../facts/statement.js';
import { VALIDATION } from './parameters.js';
import { TAPE_SIGNALS } from './tape-signals.js';

export const FAMILY = 'attention.rank_ic';

export const HORIZONS = [1, 5, 20] as const;
export type Horizon = (typeof HORIZONS)[number];

export const TARGETS = ['forward_return', 'absolute_forward_return'] as const;
export type Target = (typeof TARGETS)[number];

export type ExpectedSign = 'positive' | 'negative' | 'either';

export interface Hypothesis {
  readonly id: string;
  readonly family: string;
  readonly signal: string;
  /** In trading sessions. */
  readonly horizon: Horizon;
  readonly target: Target;
  readonly expectedSign: ExpectedSign;
  readonly referenceIc: number;
  readonly neutralisation: 'size_and_sector';
}

export interface RegisteredHypothesis extends Hypothesis {
  readonly registeredAt: Instant;
  readonly logIndex: number;
  readonly status: 'active' | 'retired';
}

/** Crowds that say the same thing are expected before larger moves, varied ones before smaller; of direction nothing is. */
const CALMING = new Set(['voice_independence', 'author_breadth', 'narrative_breadth']);

function expectedSign(signal: string, target: Target): ExpectedSign {
  if (target === 'forward_return') return 'either';
  return CALMING.has(signal) ? 'negative' : 'positive';
}

/** The family as this version of the program tests it. */
export const HYPOTHESES: readonly Hypothesis[] = TAPE_SIGNALS.flatMap(({ id: signal }) =>
  HORIZONS.flatMap((horizon) =>
    TARGETS.map((target) => ({
      id: `${FAMILY}/${signal}/${horizon}d/${target}`,
      family: FAMILY,
      signal,
      horizon,
      target,
      expectedSign: expectedSign(signal, target),
      referenceIc: VALIDATION.referenceIc,
      neutralisation: 'size_and_sector' as const,
    })),
  ),
);

/** What the log says about a hypothesis; its place there is its registration. */
export function registration(hypothesis: Hypothesis, at: Instant): Statement {
  const { id, ...rest } = hypothesis;
  return { kind: 'hypothesis', subject: id, at, body: { ...rest, change: 'registered' } };
}

/** Gives up a hypothesis for the future. It keeps counting in its family. */
export function retirement(id: string, at: Instant): Statement {
  return { kind: 'hypothesis', subject: id, at, body: { change: 'retired' } };
}

/** The registry as the log holds it, by id. The first registration counts: a later one cannot move the day. */
export function registryOf(stated: readonly Stated[]): RegisteredHypothesis[] {
  const registry = new Map<string, RegisteredHypothesis>();
  for (const { subject, knownAt, index, body } of stated) {
    if (subject === null) continue;
    const { change, ...rest } = body as unknown as Omit<Hypothesis, 'id'> & { change: string };
    const known = registry.get(subject);
    if (change === 'registered' && known === undefined)
      registry.set(subject, {
        ...rest,
        id: subject,
        registeredAt: knownAt,
        logIndex: index,
        status: 'active',
      });
    if (change === 'retired' && known !== undefined) registry.set(subject, { ...known, status: 'retired' });
  }
  return [...registry.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What still has to be said: hypotheses that the log lacks, and those that the program has given up. */
export function registryChanges(registry: readonly RegisteredHypothesis[], at: Instant): Statement[] {
  const known = new Set(registry.map(({ id }) => id));
  const current = new Set(HYPOTHESES.map(({ id }) => id));
  return [
    ...HYPOTHESES.filter(({ id }) => !known.has(id)).map((hypothesis) => registration(hypothesis, at)),
    ...registry
      .filter(({ id, family, status }) => family === FAMILY && status === 'active' && !current.has(id))
      .map(({ id }) => retirement(id, at)),
  ];
}

export function registrySha256(registry: readonly RegisteredHypothesis[]): string {
  return fingerprint({ schema: 'barograph.hypotheses.v1', registry });
}
