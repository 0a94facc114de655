// One retired route as OpenAPI sees it: deprecated, with nothing to ask for and one answer.
import { FAILURES } from '../../contracts/failures.js';
import { pathParameters } from '../../contracts/operation.js';
import { RetiredAnswer, type RetiredRoute, retiredAnswer } from '../../contracts/research/retired.js';
import type { ComponentSchemas } from './component-schemas.js';

export const RETIRED_GROUP = 'research evidence';

/** Only where a route is retired: linters refuse components that nothing uses. */
export const SUCCESSOR = {
  Successor: {
    description: 'The path that takes the place of this one, as `successor-version`.',
    schema: { type: 'string' },
  },
};

function unread(name: string, where: 'path' | 'query'): object {
  return {
    name,
    in: where,
    required: where === 'path',
    description: 'Whatever it is, it is not read.',
    schema: { type: 'string' },
  };
}

export function documentedRetired(row: RetiredRoute, components: ComponentSchemas): object {
  const { meaning, remedy } = FAILURES[row.code];
  return {
    operationId: row.name,
    tags: [RETIRED_GROUP],
    summary: row.summary,
    description: `${meaning} Answers 410 before keys, limits, parameters and bodies are looked at. ${remedy}`,
    deprecated: true,
    security: [],
    parameters: [
      ...pathParameters(row.path).map((name) => unread(name, 'path')),
      ...(row.query ?? []).map((name) => unread(name, 'query')),
    ],
    responses: {
      '410': {
        description: `\`${row.code}\`: ${meaning}`,
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          Link: { $ref: '#/components/headers/Successor' },
        },
        content: {
          'application/json': {
            schema: components.schemaOf(RetiredAnswer, 'output'),
            examples: { [row.code]: { summary: remedy, value: retiredAnswer(row.code) } },
          },
        },
      },
    },
  };
}
