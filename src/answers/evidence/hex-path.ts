// Hashes of a proof as they stand on the wire.

export function hexPath(hashes: readonly Buffer[]): string[] {
  return hashes.map((hash) => hash.toString('hex'));
}
