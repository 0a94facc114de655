// Translates the template of a path into a route pattern, and a matched path back into its parameters.

export interface PathTemplate {
  /** In the router's language. */
  readonly pattern: string;
  /** The parameters of a match, given what the router found under each of its own names. */
  readonly read: (found: (name: string) => string | undefined) => Record<string, string>;
}

const RESERVED = /[;/?:@&=+$,#]/;
const BRACES = /\{(\w+)\}/g;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A literal as it may stand in a URL: the router decodes ordinary characters, reserved ones may come encoded. */
function literal(text: string): string {
  return text.replace(/./gs, (char) => {
    if (!RESERVED.test(char)) return escaped(char);
    const [high, low] = char.charCodeAt(0).toString(16);
    const digit = (hex: string | undefined) => `[${hex}${hex?.toUpperCase()}]`;
    return `(?:${escaped(char)}|%${digit(high)}${digit(low)})`;
  });
}

interface Segment {
  readonly pattern: string;
  readonly read: (found: (name: string) => string | undefined, into: Record<string, string>) => void;
}

/** Routers know parameters that fill a segment; `equity:{ticker}` is a whole segment to them, taken apart here. */
function mixedSegment(text: string, name: string): Segment {
  const pieces = text.split(BRACES);
  const inUrl = pieces.map((piece, at) => (at % 2 === 0 ? literal(piece) : '[^/]+')).join('');
  const decoded = new RegExp(
    `^${pieces.map((piece, at) => (at % 2 === 0 ? escaped(piece) : `(?<${piece}>.+?)`)).join('')}$`,
    's',
  );
  return {
    pattern: `:${name}{${inUrl}}`,
    read: (found, into) => Object.assign(into, decoded.exec(found(name) ?? '')?.groups),
  };
}

function segment(text: string, at: number): Segment {
  const whole = /^\{(\w+)\}$/.exec(text)?.[1];
  if (whole !== undefined) {
    return {
      pattern: `:${whole}`,
      read: (found, into) => {
        into[whole] = found(whole) ?? '';
      },
    };
  }
  return text.includes('{') ? mixedSegment(text, `segment${at}`) : { pattern: text, read: () => undefined };
}

export function pathTemplate(path: string): PathTemplate {
  const segments = path.split('/').map(segment);
  return {
    pattern: segments.map(({ pattern }) => pattern).join('/'),
    read(found) {
      const parameters: Record<string, string> = {};
      for (const { read } of segments) read(found, parameters);
      return parameters;
    },
  };
}
