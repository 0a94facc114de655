// One question the service answers, declared once: every surface projects from this declaration.
import type { z } from 'zod';
import type { FailureCode } from './failures.js';

export type Surface = 'attention' | 'macro' | 'research' | 'service';

/** Who may ask. Public operations look at no key at all. */
export type Access = { readonly kind: 'public' } | { readonly kind: 'key'; readonly scope: string };

export const PUBLIC: Access = { kind: 'public' };

export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: Name;
  readonly method: 'GET' | 'POST';
  /** Parameters of the path stand in braces; the others are query parameters, or the body of a POST. */
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
  readonly example: z.input<Input>;
}

export function operation<const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
  return declaration;
}

export type InputOf<O> = O extends Operation<string, infer Input, z.ZodType> ? z.output<Input> : never;
export type OutputOf<O> = O extends Operation<string, z.ZodObject, infer Output> ? z.input<Output> : never;

/** One answer per operation: a table that lacks one does not compile. */
export type AnswersTo<Operations extends Record<string, Operation>> = {
  readonly [Name in keyof Operations]: (
    input: InputOf<Operations[Name]>,
  ) => Promise<OutputOf<Operations[Name]>>;
};

/** The names in braces of an operation's path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
