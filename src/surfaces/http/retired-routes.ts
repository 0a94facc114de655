// Answers retired routes from the raw request line, before anything that could fail, refuse or read has been asked.
import type { Arrival } from '../../access/client-address.js';
import { Failure } from '../../contracts/failures.js';
import {
  REPLACEMENT,
  RETIRED_ROUTES,
  type RetiredRoute,
  type RetirementCode,
  retiredAnswer,
} from '../../contracts/research/retired.js';
import type { Before, Early } from './early.js';
import { reply } from './reply.js';

const PARAMETER = /^\{\w+\}$/;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** An encoded letter is the letter; what cannot be decoded is nothing that a route is named after. */
function decoded(segment: string): string {
  try {
    return segment.includes('%') ? decodeURIComponent(segment) : segment;
  } catch {
    return segment;
  }
}

function segmentsOf(target: string): string[] {
  const path = target.replace(ABSOLUTE_FORM, '').replace(/[?#].*$/s, '');
  return path.replace(/(?<=[^/])\/$/, '').split('/');
}

/** A parameter takes any text at all: it is never looked at. */
function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, at) =>
      PARAMETER.test(part) ? segments[at] !== '' : part === decoded(segments[at]!),
    )
  );
}

function early({ path, code }: RetiredRoute): Early {
  return {
    route: path,
    failure: new Failure(code),
    reply: reply({
      status: 410,
      body: JSON.stringify(retiredAnswer(code)),
      headers: ['Link', `<${REPLACEMENT.path}>; rel="successor-version"`],
    }),
  };
}

/** `hit` hears of every call; it must not throw. */
export function retiredRoutes(
  hit: (code: RetirementCode, call: Arrival, requestId: string) => void = () => undefined,
): Before {
  const table = RETIRED_ROUTES.map((row) => ({
    code: row.code,
    template: row.path.split('/'),
    answer: early(row),
  }));
  return (target, call, requestId) => {
    // Most requests are something else, and this is asked of every one.
    if (!target.includes('research') && !target.includes('%')) return null;
    const segments = segmentsOf(target);
    const row = table.find(({ template }) => matches(template, segments));
    if (row === undefined) return null;
    hit(row.code, call, requestId);
    return row.answer;
  };
}
