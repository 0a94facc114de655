// The headers that tell a caller where its windows stand, as OpenAPI sees them.
import type { Access } from '../../contracts/operation.js';

const integer = { type: 'integer' };

export const LIMIT_HEADERS = {
  RateLimitLimit: { description: 'Calls a minute that the plan allows.', schema: integer },
  RateLimitRemaining: { description: 'What is left of this minute.', schema: integer },
  RateLimitReset: {
    description: 'When the next minute begins, in seconds since 1970 (UTC).',
    schema: integer,
  },
  QuotaLimit: {
    description: 'Calls a day that the plan allows on the account of this operation.',
    schema: integer,
  },
  QuotaRemaining: { description: 'What is left of this day; days end at midnight UTC.', schema: integer },
  RateLimitPolicy: {
    description: 'Both limits in the form of the IETF draft: quota `q`, window `w` in seconds.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Both windows in the form of the IETF draft: left `r`, seconds to the next window `t`.',
    schema: { type: 'string' },
  },
};

const of = (name: keyof typeof LIMIT_HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** By the name that stands on the wire. */
export const LIMIT_HEADER_REFS = {
  'X-RateLimit-Limit': of('RateLimitLimit'),
  'X-RateLimit-Remaining': of('RateLimitRemaining'),
  'X-RateLimit-Reset': of('RateLimitReset'),
  'X-Quota-Limit': of('QuotaLimit'),
  'X-Quota-Remaining': of('QuotaRemaining'),
  'RateLimit-Policy': of('RateLimitPolicy'),
  RateLimit: of('RateLimit'),
};

/** Whether the answers of such an operation say where the caller stands. */
export function tellsLimits({ kind }: Access): boolean {
  return kind === 'key' || kind === 'metered';
}
