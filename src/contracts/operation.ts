// One question the service answers, declared once: every surface projects from this declaration.
import type { z } from 'zod';
import type { Caller, Quota } from './caller.js';
import type { FailureCode } from './failures.js';

export type Surface = 'attention' | 'macro' | 'research' | 'service';

/**
 * Who may ask.
 * `public`: everybody; no key is looked at.
 * `recognised`: everybody, uncounted; a valid key lets the answer show what its scopes allow, any other is as none.
 * `metered`: everybody within the anonymous quota, or with a key within its plan.
 * `key`: only with a valid key; `scope: null` takes any, `quota: null` counts nothing, and the usual quota is `calls`.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'recognised' }
  | { readonly kind: 'metered'; readonly quota: Quota }
  | { readonly kind: 'key'; readonly scope: string | null; readonly quota?: Quota | null };

export const PUBLIC: Access = { kind: 'public' };

export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: Name;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Parameters of the path stand in braces; the others are query parameters, or the body of a POST or PUT. */
  readonly path: `/${string}`;
  readonly surface: Surface;
  /** The group under which routes are listed. */
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** A strict object: what is not in it is refused. */
  readonly input: Input;
  readonly output: Output;
  readonly failures: readonly FailureCode[];
  /** `frame`: the same question has the same answer until the next frame, so its bytes may be kept until then. */
  readonly keeps: 'frame' | 'nothing';
  /** The HTTP status of an answer, where it is not always 200. */
  readonly status?: (output: z.input<Output>) => number;
  /** The answer as a page of Markdown, for callers whose `Accept` puts text/markdown first. */
  readonly page?: (output: z.input<Output>) => string;
  readonly example: z.input<Input>;
}

export function operation<const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
  return declaration;
}

export type InputOf<O> = O extends Operation<string, infer Input, z.ZodType> ? z.output<Input> : never;
export type OutputOf<O> = O extends Operation<string, z.ZodObject, infer Output> ? z.input<Output> : never;

/** One answer per operation: a table that lacks one does not compile. Without a caller the question is anonymous. */
export type AnswersTo<Operations extends Record<string, Operation>> = {
  readonly [Name in keyof Operations]: (
    input: InputOf<Operations[Name]>,
    caller?: Caller,
  ) => Promise<OutputOf<Operations[Name]>>;
};

/** The names in braces of an operation's path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
