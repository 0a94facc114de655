// What the data folder keeps to itself: the key that hashes authors, and the developer key of the first start.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keySha256, makeKey } from '../access/key-text.js';

/** Written once with owner-only permissions; every later start reads the same bytes. */
export async function authorSecret(dataFolder: string): Promise<Uint8Array> {
  const file = join(dataFolder, 'author.key');
  await mkdir(dataFolder, { recursive: true });
  try {
    const handle = await open(file, 'wx', 0o600);
    const secret = randomBytes(32);
    await handle.writeFile(secret);
    await handle.sync();
    await handle.close();
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const secret = await readFile(file);
    if (secret.length !== 32) throw new Error(`${file} is damaged: it must hold 32 bytes`);
    return secret;
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
