// Canonical JSON (RFC 8785): the one text form of a value that is hashed, and the strict reader of such text.

/** Both directions share the limit, so whatever can be written can be read back. */
export const MAX_DEPTH = 200;

type Path = readonly (string | number)[];

// With the u flag a paired surrogate is one code point outside this range, so only lone ones match.
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const LONE_SURROGATES = /[\ud800-\udfff]/gu;

/** A value or a text without exactly one canonical form; `pointer` (RFC 6901) says where. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
  readonly pointer: string;

  constructor(reason: string, path: Path) {
    const pointer = path
      .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('')
      .replaceAll(LONE_SURROGATES, '\ufffd');
    super(`${reason} at ${pointer === '' ? 'the root' : pointer}`);
    this.pointer = pointer;
  }
}

/** Two members of one name: which of them was meant, the text does not say. */
export class RepeatedKey extends NotCanonical {}

/** True for object literals and null-prototype objects: the only objects whose members are their whole state. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The RFC 8785 text of a value; throws NotCanonical where JSON.stringify would drop, coerce or mangle. */
export function canonicalJson(value: unknown): string {
  return new Writer().write(value);
}

/** Parses JSON text, refusing duplicate keys, lone surrogates, numbers beyond a double and deep nesting. */
export function parseStrictJson(text: string): unknown {
  return new Reader(text).read();
}

/** The member order of one kind of object: `keys` as the object lists them, `sorted` with ready key text. */
interface Shape {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  readonly heads: readonly string[];
}

// Rows of one table share their keys; sorting and escaping these once is most of the speed. Found by the first key
// and then compared whole, so a wrong guess costs a sort and never a wrong order.
const shapes = new Map<string, Shape>();
const MAX_SHAPES = 1000;
const MAX_SHAPE_KEYS = 100; // a larger object is a dictionary, not a row

class Writer {
  readonly #path: (string | number)[] = [];
  readonly #open: object[] = [];

  write(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return this.#string(value);
      case 'number':
        if (!Number.isFinite(value)) throw this.#fault(`${value} is not a JSON number`);
        return `${value}`; // ES number text; -0 becomes 0
      case 'boolean':
        return value ? 'true' : 'false';
      case 'object':
        return value === null ? 'null' : this.#container(value);
      default:
        throw this.#fault(`a value of type ${typeof value}`);
    }
  }

  #container(value: object): string {
    if (this.#open.includes(value)) throw this.#fault('a cycle');
    if (this.#open.length === MAX_DEPTH) throw this.#fault(`nesting deeper than ${MAX_DEPTH}`);
    this.#open.push(value);
    let text: string;
    if (Array.isArray(value)) text = this.#array(value);
    else if (isPlainObject(value)) text = this.#object(value);
    else throw this.#fault(`an object that is not plain (${Object.prototype.toString.call(value)})`);
    this.#open.pop();
    return text;
  }

  #array(items: readonly unknown[]): string {
    let text = '[';
    for (let i = 0; i < items.length; i++) {
      this.#path.push(i);
      text += i === 0 ? this.write(items[i]) : `,${this.write(items[i])}`;
      this.#path.pop();
    }
    return `${text}]`;
  }

  #object(members: Record<string, unknown>): string {
    if (Object.getOwnPropertySymbols(members).length > 0) throw this.#fault('a member with a symbol key');
    const keys = Object.keys(members);
    if (keys.length === 0) return '{}';
    const { sorted, heads } = this.#shape(keys);
    let text = '{';
    for (let i = 0; i < sorted.length; i++) {
      const key = sorted[i]!;
      this.#path.push(key);
      text += heads[i]! + this.write(members[key]);
      this.#path.pop();
    }
    return `${text}}`;
  }

  #shape(keys: string[]): Shape {
    const known = shapes.get(keys[0]!);
    if (known?.keys.length === keys.length && keys.every((key, i) => key === known.keys[i])) return known;
    const sorted = [...keys].sort(); // the default order is by UTF-16 code units, as RFC 8785 asks
    const heads = sorted.map((key, i) => {
      this.#path.push(key);
      const head = `${i === 0 ? '' : ','}${this.#string(key)}:`;
      this.#path.pop();
      return head;
    });
    const shape = { keys, sorted, heads };
    if (shapes.size === MAX_SHAPES) shapes.clear();
    if (keys.length <= MAX_SHAPE_KEYS) shapes.set(keys[0]!, shape);
    return shape;
  }

  #string(text: string): string {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) {
        if (LONE_SURROGATE.test(text)) throw this.#fault('a lone surrogate');
        return JSON.stringify(text); // for well-formed text its escapes are the minimal ones
      }
    }
    return `"${text}"`;
  }

  #fault(reason: string): NotCanonical {
    return new NotCanonical(reason, this.#path);
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

// JSON.parse keeps the last of two equal keys without a word, hence a reader of our own. One pass, no look back.
class Reader {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const value = this.#value();
    if (this.#next() !== '') throw this.#unexpected();
    return value;
  }

  #value(): unknown {
    switch (this.#next()) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  #object(): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    this.#enter();
    if (this.#take('}')) return members;
    do {
      if (this.#next() !== '"') throw this.#unexpected();
      this.#path.push(''); // a fault inside the key text is a fault of this object's unnamed member
      const key = this.#string();
      this.#path[this.#path.length - 1] = key;
      if (Object.hasOwn(members, key)) throw new RepeatedKey('a duplicate key', this.#path);
      if (!this.#take(':')) throw this.#unexpected();
      const value = this.#value();
      if (key !== '__proto__') members[key] = value;
      // Plain assignment would set the prototype instead of a member.
      else
        Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#unexpected();
    return members;
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#enter();
    if (this.#take(']')) return items;
    do {
      this.#path.push(items.length);
      items.push(this.#value());
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take(']')) throw this.#unexpected();
    return items;
  }

  #string(): string {
    const start = this.#at;
    let plain = true;
    let surrogates = false;
    for (let i = start + 1; ; i++) {
      const unit = this.#text.charCodeAt(i);
      if (unit === 0x22) {
        this.#at = i + 1;
        break;
      }
      if (!(unit >= 0x20)) {
        this.#at = i; // a control character, or NaN at the end of the text
        throw this.#unexpected();
      }
      if (unit === 0x5c) {
        plain = false;
        i++;
      } else if (unit >= 0xd800 && unit <= 0xdfff) surrogates = true;
    }
    const value = plain ? this.#text.slice(start + 1, this.#at - 1) : this.#unescape(start);
    if ((surrogates || !plain) && LONE_SURROGATE.test(value)) throw this.#fault('a lone surrogate');
    return value;
  }

  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      throw this.#fault('a malformed escape');
    }
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#unexpected();
    const value = Number(match[0]);
    if (!Number.isFinite(value)) throw this.#fault('a number beyond the range of a double');
    this.#at += match[0].length;
    return value;
  }

  #literal<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected();
    this.#at += word.length;
    return value;
  }

  #enter(): void {
    if (this.#path.length === MAX_DEPTH) throw this.#fault(`nesting deeper than ${MAX_DEPTH}`);
    this.#at++;
  }

  /** The next character after white space, or '' at the end; it is not consumed. */
  #next(): string {
    let unit = this.#text.charCodeAt(this.#at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) {
      unit = this.#text.charCodeAt(++this.#at);
    }
    return this.#text.charAt(this.#at);
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  #unexpected(): NotCanonical {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text.charAt(this.#at)) : 'end of text';
    return this.#fault(`unexpected ${found} (character ${this.#at})`);
  }

  #fault(reason: string): NotCanonical {
    return new NotCanonical(reason, this.#path);
  }
}
