// One question whose answer is pushed again and again, declared once: an operation that keeps answering.
import type { z } from 'zod';
import type { Operation } from './operation.js';

type Shared =
  | 'name'
  | 'path'
  | 'surface'
  | 'group'
  | 'summary'
  | 'description'
  | 'access'
  | 'input'
  | 'failures'
  | 'example';

export interface Feed<Name extends string = string, Input extends z.ZodObject = z.ZodObject>
  extends Pick<Operation<Name, Input>, Shared> {
  /** Both wires begin as an ordinary request. */
  readonly method: 'GET';
  readonly wire: 'sse' | 'websocket';
  /** What an event carries, by its name. */
  readonly events: Readonly<Record<string, z.ZodType>>;
}

export function feed<const Name extends string, Input extends z.ZodObject>(
  declaration: Feed<Name, Input>,
): Feed<Name, Input> {
  return declaration;
}
