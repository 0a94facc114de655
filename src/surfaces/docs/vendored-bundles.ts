// The two browser bundles of the documentation pages, kept beside the code so that no page needs another host.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Three folders up from here in the sources and in what is built from them. */
const VENDOR = new URL('../../../vendor/', import.meta.url);

export interface Bundle {
  readonly gzipped: Buffer;
  /** Part of the address, so that browsers may keep the file for ever. */
  readonly hash: string;
  /** For the rare client that does not take gzip. */
  plain(): Buffer;
}

export function vendoredBundle(file: string): Bundle {
  const gzipped = readFileSync(new URL(file, VENDOR));
  let plain: Buffer | undefined;
  return {
    gzipped,
    hash: createHash('sha256').update(gzipped).digest('hex').slice(0, 16),
    plain() {
      plain ??= gunzipSync(gzipped);
      return plain;
    },
  };
}
