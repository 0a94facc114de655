// The key of the log as the configuration names it: who signs, and how others recognise the signature.
import { sha256Hex } from '../kernel/fingerprint.js';
import {
  formatVerifierKey,
  type NoteSigner,
  privateKeyFromSeed,
  rawPublicKey,
  verifierKey,
} from '../kernel/signed-note.js';
import type { Config } from './config.js';
import { givenLogSeed, logSeed } from './secrets.js';

function signerOf(seed: Uint8Array, origin: string | null): NoteSigner {
  const privateKey = privateKeyFromSeed(seed);
  // Without a name of its own a log is named after its key, so that two of them are never taken for one.
  const name = origin ?? `barograph.local/${sha256Hex(rawPublicKey(privateKey)).slice(0, 8)}`;
  return { name, privateKey };
}

/** For whoever records: the key is made at the first start. */
export async function recorderLogKey(config: Config): Promise<NoteSigner> {
  return signerOf(await logSeed(config.dataFolder), config.logOrigin);
}

/** For whoever only answers: null where the recorder's key was not brought here. */
export async function givenLogKey(config: Config): Promise<NoteSigner | null> {
  const seed = await givenLogSeed(config.dataFolder);
  return seed && signerOf(seed, config.logOrigin);
}

export function verifierKeyText({ name, privateKey }: NoteSigner): string {
  return formatVerifierKey(verifierKey(name, privateKey));
}
