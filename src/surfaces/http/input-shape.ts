// What an operation takes, member by member, as JSON Schema: the ground for reading text and for explaining faults.
import { z } from 'zod';
import { type Operation, pathParameters } from '../../contracts/operation.js';

export type MemberShape = z.core.JSONSchema.BaseSchema;

export interface InputShape {
  readonly members: ReadonlyMap<string, MemberShape>;
  readonly inPath: ReadonlySet<string>;
}

export function inputShape(operation: Pick<Operation, 'path' | 'input'>): InputShape {
  const schema = z.toJSONSchema(operation.input, { io: 'input' });
  const resolve = (member: MemberShape): MemberShape => {
    const { $ref, anyOf, ...rest } = member;
    const named = schema.$defs?.[/^#\/\$defs\/(.+)$/.exec($ref ?? '')?.[1] ?? ''];
    if (named !== undefined) return { ...resolve(named), ...rest };
    const [only, ...others] = (anyOf ?? []).filter(
      (option) => typeof option === 'object' && option.type !== 'null',
    );
    return typeof only === 'object' && others.length === 0 ? { ...resolve(only), ...rest } : member;
  };
  const members = new Map<string, MemberShape>();
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof member === 'object') members.set(name, resolve(member));
  }
  return { members, inPath: new Set(pathParameters(operation.path)) };
}

/** The one type of a member; a member that may also be null has the other one. */
export function typeOf(member: MemberShape): string | undefined {
  const types: unknown = member.type;
  if (Array.isArray(types)) return types.find((type) => type !== 'null');
  return typeof types === 'string' ? types : undefined;
}
