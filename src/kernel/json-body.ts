// JSON that was written before its object: large answers are sent as bytes, and parsed only for who looks into them.

const WRITTEN = new WeakMap<object, Buffer>();

/** The object of a JSON text, which has exactly these members. It is parsed when the first of them is read. */
export function readLater<T extends object>(bytes: Buffer, members: readonly (keyof T & string)[]): T {
  let parsed: T | undefined;
  const value = {};
  for (const name of members) {
    const get = (): unknown => {
      parsed ??= JSON.parse(bytes.toString()) as T;
      return parsed[name];
    };
    Object.defineProperty(value, name, { enumerable: true, get });
  }
  WRITTEN.set(value, bytes);
  return value as T;
}

/** The JSON of a value: as it was written, or written now. */
export function jsonBody(value: unknown): string | Buffer {
  const written = typeof value === 'object' && value !== null ? WRITTEN.get(value) : undefined;
  return written ?? JSON.stringify(value);
}
