// One operation for every kind of access, besides the real usage operation, with answers that say who asked.
import { z } from 'zod';
import { usageAnswer } from '../../src/answers/usage.js';
import { ANONYMOUS, type Caller, hasScope } from '../../src/contracts/caller.js';
import {
  type Access,
  type AnswersTo,
  type Operation,
  operation,
  PUBLIC,
} from '../../src/contracts/operation.js';
import { customerUsage } from '../../src/contracts/research/usage.js';
import type { Counters } from '../../src/ports/counters.js';

const Asked = z.strictObject({ by: z.string(), verdict: z.boolean() });

const sample = <const Name extends string>(name: Name, access: Access, method: 'GET' | 'POST' = 'GET') =>
  operation({
    name,
    method,
    path: `/guarded/${name}`,
    surface: 'service',
    group: 'samples',
    summary: 'Says who asked',
    description: 'Only for tests.',
    access,
    input: z.strictObject({}),
    output: Asked,
    failures: ['unknown_parameter'],
    keeps: 'frame',
    example: {},
  });

export const GUARDED = {
  open: sample('open', PUBLIC),
  realness: sample('realness', { kind: 'recognised' }),
  asset: sample('asset', { kind: 'metered', quota: 'asset_reads' }),
  batch: sample('batch', { kind: 'metered', quota: 'batch_calls' }, 'POST'),
  signals: sample('signals', { kind: 'key', scope: 'signals:read' }),
  lists: sample('lists', { kind: 'key', scope: 'watchlists:read' }),
  change: sample('change', { kind: 'key', scope: 'watchlists:write' }, 'POST'),
  customer_usage: customerUsage,
} as const satisfies Record<string, Operation>;

export type GuardedName = keyof typeof GUARDED;

export function guardedAnswers(counters: Counters): AnswersTo<typeof GUARDED> {
  const say = async (_input: object, caller: Caller = ANONYMOUS) => ({
    by: caller.kind === 'key' ? caller.key.id : 'anonymous',
    verdict: hasScope(caller, 'realness:verdict'),
  });
  return {
    open: say,
    realness: say,
    asset: say,
    batch: say,
    signals: say,
    lists: say,
    change: say,
    customer_usage: usageAnswer(counters),
  };
}
