// docs/keys-and-limits.md and docs/running.md say what the code does: scopes, plans, ceilings, retired routes, settings.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAILED_KEYS_A_MINUTE, LOOKS_A_MINUTE } from '../../src/access/address-ceiling.js';
import { ANONYMOUS_PLAN, PLANS, type Plan } from '../../src/access/plans.js';
import { SCOPES } from '../../src/access/scopes.js';
import { FAILURES, type FailureCode } from '../../src/contracts/failures.js';
import { RETIRED_ROUTES } from '../../src/contracts/research/retired.js';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** The cells of the table below a heading. */
function tableUnder(document: string, heading: string): string[][] {
  const part = document.split(/^## /m).find((text) => text.startsWith(heading));
  return (part ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .slice(1)
    .map((line) => line.slice(1, line.lastIndexOf('|')).split('|'))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')));
}

describe('docs/keys-and-limits.md', () => {
  const document = read('docs/keys-and-limits.md');

  it('has every scope with its meaning', () => {
    expect(tableUnder(document, 'Scopes')).toEqual(Object.entries(SCOPES));
  });

  it('has every plan with its numbers', () => {
    const row = (name: string, plan: Plan) => [
      name,
      plan.keys === null ? 'any' : String(plan.keys),
      ...[
        plan.requestsPerMinute,
        plan.perDay.asset_reads,
        plan.perDay.batch_calls,
        plan.perDay.calls,
        plan.tickersPerBatch,
        plan.concurrentStreams,
      ].map((number) => number.toLocaleString('en')),
    ];
    expect(tableUnder(document, 'Plans')).toEqual([
      row('without a key', ANONYMOUS_PLAN),
      ...Object.entries(PLANS).map(([name, plan]) => row(name, plan)),
    ]);
  });

  it('has the retired routes with their codes', () => {
    expect(tableUnder(document, 'Retired routes')).toEqual(
      RETIRED_ROUTES.map(({ method, path, code }) => [`${method} ${path}`, code]),
    );
  });

  it('has refusals under their status', () => {
    const named = [...document.matchAll(/^\| (\d{3}) `(\w+)`/gm)];
    expect(named.length).toBeGreaterThan(5);
    for (const [, status, code] of named) {
      expect(FAILURES[code as FailureCode]?.status, code).toBe(Number(status));
    }
  });

  it('has the ceilings of an address', () => {
    const flat = document.replace(/\s+/g, ' ');
    expect(flat).toContain(`look ${LOOKS_A_MINUTE.toLocaleString('en')} times`);
    expect(flat).toContain(`fail with ${FAILED_KEYS_A_MINUTE} keys a minute`);
  });
});

it('docs/running.md has every setting', () => {
  const settings = [...read('src/app/config.ts').matchAll(/^ {2}(BAROGRAPH_\w+):/gm)].map(
    ([, name]) => name!,
  );
  const listed = [...read('docs/running.md').matchAll(/^\| `(BAROGRAPH_\w+)`/gm)].map(([, name]) => name!);
  expect(settings).toContain('BAROGRAPH_ORIGINS');
  expect(listed.toSorted()).toEqual(settings.toSorted());
});
