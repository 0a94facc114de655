// A tool: one name under which agents ask operations, with arguments of its own and small defaults.
import type { z } from 'zod';
import type { Operation } from '../../contracts/operation.js';

/** One operation with the input it is to be asked with. */
export interface Question {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model: what it returns, unit, freshness, cost, and what to use instead. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Those that it may ask; its value is the answer of one of them, unchanged unless `shown` says otherwise. */
  readonly operations: readonly [Operation, ...Operation[]];
  readonly ask: (input: Readonly<Record<string, unknown>>) => Question;
  /** True where the value is a definition and rests on no fact. */
  readonly definition: boolean;
  /** Where the whole answer is too much for a model: what of it is shown. */
  readonly shown: Shown | null;
  /** Where clients are to see another schema than that of `input`. */
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
}

export interface Shown {
  readonly output: z.ZodType;
  readonly of: (answer: unknown, input: Readonly<Record<string, unknown>>) => unknown;
}

type Declaration = Pick<Tool, 'name' | 'title' | 'description'> & {
  readonly operation: Operation;
  /** Where the arguments are not simply those of the operation. */
  readonly input?: z.ZodObject;
  readonly definition?: true;
  readonly inputSchema?: Tool['inputSchema'];
};

/** Asks its operation with its own arguments. */
export function tool(declared: Declaration): Tool {
  const { operation, input = operation.input, inputSchema = null, definition = false, ...about } = declared;
  return {
    ...about,
    input,
    inputSchema,
    operations: [operation],
    ask: (given) => ({ operation, input: given }),
    definition,
    shown: null,
  };
}

/** What a server shows of itself before it is asked anything. */
export interface ToolServer {
  /** Of its endpoint on the HTTP surface. */
  readonly path: `/${string}`;
  readonly name: string;
  readonly title: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
}

/** One operation whose answer can be read under an address of its own. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly operation: Operation;
  /** What is read, made from the answer of the operation. */
  readonly text: (value: unknown) => string;
}
