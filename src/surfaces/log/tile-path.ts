// The names of tiles (C2SP tlog-tiles): `tile/0/x001/x234/067` is tile 1,234,067, `.p/5` the first five of it.

export interface TilePath {
  /** Null for a bundle of leaves. */
  readonly level: number | null;
  readonly index: number;
  readonly width: number;
}

const PATH =
  /^\/tile\/(entries|[0-9]|[1-5][0-9]|6[0-3])\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;
const FULL = 256;

/** Null for what names no tile; each tile has exactly one name. */
export function parseTilePath(path: string): TilePath | null {
  const [, level, digits, partial] = PATH.exec(path) ?? [];
  if (level === undefined || digits === undefined) return null;
  const index = Number(digits.replaceAll(/[x/]/g, ''));
  const width = partial === undefined ? FULL : Number(partial);
  const isCanonical = !digits.startsWith('x000/') && Number.isSafeInteger(index * FULL);
  if (!isCanonical || (partial !== undefined && width >= FULL)) return null;
  return { level: level === 'entries' ? null : Number(level), index, width };
}
