// Says what is wrong with an input: the code by the member at fault, the message by what is allowed there.
import type { z } from 'zod';
import { FAILURES, Failure, type FailureCode } from '../../contracts/failures.js';
import { type InputShape, type MemberShape, typeOf } from './input-shape.js';

const CODES: ReadonlyMap<string, FailureCode> = new Map([
  ['ticker', 'invalid_ticker'],
  ['symbol', 'invalid_symbol'],
  ['limit', 'invalid_limit'],
  ['interval', 'invalid_interval'],
  ['as_of', 'invalid_as_of'],
  ['cursor', 'invalid_cursor'],
  ['channels', 'invalid_channel'],
]);

/** Where the input was read from. */
export type Source = 'query' | 'body';

function bounds(least: unknown, most: unknown): string {
  if (typeof least === 'number' && typeof most === 'number') return ` from ${least} to ${most}`;
  if (typeof least === 'number') return ` of at least ${least}`;
  return typeof most === 'number' ? ` of at most ${most}` : '';
}

/** From the contract only: what the caller sent is never repeated. */
function allowed(name: string, member: MemberShape): string {
  const known = (value: unknown) =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
  if (member.enum !== undefined) return `\`${name}\` is one of ${member.enum.join(', ')}.`;
  switch (typeOf(member)) {
    case 'integer':
      return `\`${name}\` is a whole number${bounds(known(member.minimum), known(member.maximum))}.`;
    case 'number':
      return `\`${name}\` is a number${bounds(known(member.minimum), known(member.maximum))}.`;
    case 'boolean':
      return `\`${name}\` is true or false.`;
    case 'array': {
      const count = bounds(member.minItems ?? 0, member.maxItems);
      return `\`${name}\` is a list${member.maxItems === undefined ? '' : `${count} long`}. ${member.description ?? ''}`.trim();
    }
    default:
      return `\`${name}\`: ${member.description ?? 'text'}`;
  }
}

function codeOf(name: string, source: Source): FailureCode {
  return CODES.get(name) ?? (source === 'body' ? 'invalid_body' : 'invalid_parameter');
}

/** One ticker among several is at fault as one alone would be. */
function isTicker(issue: z.core.$ZodIssue | undefined): boolean {
  return issue?.path[0] === 'tickers' && issue.path.length > 1;
}

/** A contract may name the code of a fault itself. */
function ownCode(issue: z.core.$ZodIssue | undefined): FailureCode | null {
  const named: unknown = issue?.code === 'custom' ? issue.params?.['failure'] : undefined;
  return typeof named === 'string' && Object.hasOwn(FAILURES, named) ? (named as FailureCode) : null;
}

function explained(code: FailureCode, shape: InputShape, name: string): string {
  const { meaning, remedy } = FAILURES[code];
  const member = shape.members.get(name);
  if (code === 'invalid_ticker' || code === 'invalid_as_of') return `${meaning} ${remedy}`;
  return member === undefined ? meaning : `${meaning} ${allowed(name, member)}`;
}

export function unknownMember(shape: InputShape): Failure {
  const names = [...shape.members.keys()];
  const takes = names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`;
  return new Failure('unknown_parameter', { detail: `${FAILURES.unknown_parameter.meaning} ${takes}` });
}

export function repeatedMember(name: string, shape: InputShape): Failure {
  const code = codeOf(name, 'query');
  const list = typeOf(shape.members.get(name) ?? {}) === 'array' ? ', with commas between its items' : '';
  return new Failure(code, { detail: `\`${name}\` may stand in the address only once${list}.` });
}

export function invalidInput(
  issues: readonly z.core.$ZodIssue[],
  shape: InputShape,
  source: Source,
): Failure {
  if (issues.some((issue) => issue.code === 'unrecognized_keys' && issue.path.length === 0)) {
    return unknownMember(shape);
  }
  const name = String(issues[0]?.path[0] ?? '');
  const code = isTicker(issues[0])
    ? 'invalid_ticker'
    : (ownCode(issues[0]) ?? codeOf(name, shape.inPath.has(name) ? 'query' : source));
  return new Failure(code, { detail: explained(code, shape, name) });
}
