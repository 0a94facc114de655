// One input object per call, from the path, the query or the body, accepted by the contract or refused.
import type { IncomingMessage } from 'node:http';
import type { Operation } from '../../contracts/operation.js';
import { invalidInput, repeatedMember, unknownMember } from './input-faults.js';
import { type InputShape, inputShape } from './input-shape.js';
import { readJsonBody } from './json-body.js';
import { queryOf } from './request-target.js';
import { valueOfText } from './text-values.js';

function membersOfQuery(query: string, shape: InputShape): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    const member = shape.members.get(name);
    if (member === undefined || shape.inPath.has(name)) throw unknownMember(shape);
    if (Object.hasOwn(input, name)) throw repeatedMember(name, shape);
    input[name] = valueOfText(text, member);
  }
  return input;
}

function membersOfBody(body: unknown, shape: InputShape): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidInput([], shape, 'body');
  if ([...shape.inPath].some((name) => Object.hasOwn(body, name))) throw unknownMember(shape);
  return body;
}

export type ReadInput = (req: IncomingMessage, inPath: Readonly<Record<string, string>>) => Promise<unknown>;

export function inputReader(
  operation: Pick<Operation, 'method' | 'path' | 'input'>,
  bodyBytes: number,
): ReadInput {
  const shape = inputShape(operation);
  const none: InputShape = { members: new Map(), inPath: shape.inPath };

  async function given(req: IncomingMessage): Promise<object> {
    const query = queryOf(req.url ?? '');
    if (operation.method === 'GET') return membersOfQuery(query, shape);
    membersOfQuery(query, none);
    return membersOfBody(await readJsonBody(req, bodyBytes), shape);
  }

  return async (req, inPath) => {
    const members = await given(req);
    const path = Object.entries(inPath).map(([name, text]) => [
      name,
      valueOfText(text, shape.members.get(name) ?? {}),
    ]);
    const parsed = operation.input.safeParse({ ...members, ...Object.fromEntries(path) });
    if (parsed.success) return parsed.data;
    throw invalidInput(parsed.error.issues, shape, operation.method === 'GET' ? 'query' : 'body');
  };
}
