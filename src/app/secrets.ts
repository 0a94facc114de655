// What the data folder keeps to itself: the key that hashes authors, the gate's policy, the first developer key.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keySha256, makeKey } from '../access/key-text.js';
import { type GatePolicy, policySha256 } from '../domain/attention/gate.js';

/** Keys the hash of authors. */
export function authorSecret(dataFolder: string): Promise<Uint8Array> {
  return folderSecret(dataFolder, 'author.key');
}

/** Keys the hash of the addresses of callers without a key. */
export function addressSecret(dataFolder: string): Promise<Uint8Array> {
  return folderSecret(dataFolder, 'address.key');
}

/** Seals the cursors of event lists. */
export function cursorSecret(dataFolder: string): Promise<Uint8Array> {
  return folderSecret(dataFolder, 'cursor.key');
}

/** Signs the checkpoints of the log: made by the recorder, and copied to machines that only answer. */
export function logSeed(dataFolder: string): Promise<Uint8Array> {
  return folderSecret(dataFolder, 'log.key');
}

/** The same where it is; null where it is not. A key made up elsewhere would sign for a log that is not its own. */
export async function givenLogSeed(dataFolder: string): Promise<Uint8Array | null> {
  if (!existsSync(join(dataFolder, 'log.key'))) return null;
  return logSeed(dataFolder);
}

/** Written once with owner-only permissions; every later start reads the same bytes. */
async function folderSecret(dataFolder: string, name: string): Promise<Uint8Array> {
  const file = join(dataFolder, name);
  await mkdir(dataFolder, { recursive: true });
  const secret = await readFile(file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await writeOnce(file, randomBytes(32));
    return readFile(file);
  });
  if (secret.length !== 32) throw new Error(`${file} is damaged: it must hold 32 bytes`);
  return secret;
}

/** Appears whole or not at all: of several processes that start together, one wins and the others read its bytes. */
async function writeOnce(file: string, bytes: Uint8Array): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
    await handle.close();
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
}

/** The private thresholds of the veto gate; its hash is published, so it carries a secret of its own. */
export async function gatePolicy(dataFolder: string): Promise<GatePolicy> {
  const file = join(dataFolder, 'gate-policy.json');
  await mkdir(dataFolder, { recursive: true });
  const fresh: GatePolicy = { veto: 0.7, caution: 0.5, secret: randomBytes(32).toString('hex') };
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${JSON.stringify(fresh, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const stored = JSON.parse(await readFile(file, 'utf8')) as GatePolicy;
    policySha256(stored);
    return stored;
  }
}

/** On the first start makes a key file with one key and returns its text, which is stored nowhere. */
export async function developerKey(keysFile: string): Promise<string | null> {
  await mkdir(dirname(keysFile), { recursive: true });
  const { id, text } = makeKey('test');
  const record = {
    id: `dev_${id}`,
    key_sha256: keySha256(text),
    customer_id: 'developer',
    plan: 'free',
    scopes: ['signals:read', 'stream:read', 'watchlists:read', 'watchlists:write', 'usage:read'],
    created_at: new Date().toISOString(),
  };
  try {
    const handle = await open(keysFile, 'wx', 0o600);
    await handle.writeFile(`${JSON.stringify({ keys: [record] }, null, 2)}\n`);
    await handle.close();
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}

/** Only while it is the one key of the file: others may have been made meanwhile. */
export async function forgetDeveloperKey(keysFile: string, text: string): Promise<void> {
  const { keys } = JSON.parse(await readFile(keysFile, 'utf8')) as {
    keys: readonly { key_sha256: string }[];
  };
  if (keys.length === 1 && keys[0]?.key_sha256 === keySha256(text)) await unlink(keysFile);
}
