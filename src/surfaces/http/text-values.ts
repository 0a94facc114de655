// Reads the text of a query or path parameter as the value that its shape asks for.
import { type MemberShape, typeOf } from './input-shape.js';

const WHOLE = /^(?:0|-?[1-9]\d*)$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Text that is no such value stays text, and the contract refuses it: the contract alone decides. */
export function valueOfText(text: string, member: MemberShape): unknown {
  switch (typeOf(member)) {
    case 'integer':
      return WHOLE.test(text) ? Number(text) : text;
    case 'number':
      return DECIMAL.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array': {
      const item = typeof member.items === 'object' && !Array.isArray(member.items) ? member.items : {};
      return text.split(',').map((part) => valueOfText(part, item));
    }
    default:
      return text;
  }
}
