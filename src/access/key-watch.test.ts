import { describe, expect, it } from 'vitest';
import { keySha256 } from './key-text.js';
import { type KeySource, KeyWatch, LOOK_EVERY_MS } from './key-watch.js';
import { Keyring } from './keyring.js';

class Desk implements KeySource {
  text: string | null = null;
  version = 0;
  reads = 0;
  broken = false;

  put(...records: object[]): void {
    this.text = JSON.stringify({ keys: records });
    this.version += 1;
  }
  async stamp(): Promise<string | null> {
    if (this.broken) throw new Error('EACCES');
    return this.text === null ? null : String(this.version);
  }
  async read(): Promise<string | null> {
    this.reads += 1;
    return this.text;
  }
}

const one = { id: 'one', key_sha256: keySha256('key') };

function watched() {
  const desk = new Desk();
  const keyring = new Keyring(() => 0);
  return {
    desk,
    keyring,
    watch: new KeyWatch(keyring, desk),
    opens: () => 'holder' in keyring.authenticate('key'),
  };
}

describe('the watch on the key records', () => {
  it('reads when the stamp changes, and only then', async () => {
    const { desk, watch, opens } = watched();
    await watch.look();
    expect(opens()).toBe(false);
    desk.put(one);
    await watch.look();
    await watch.look();
    expect([opens(), desk.reads]).toEqual([true, 1]);
    desk.put({ ...one, revoked_at: '2026-01-01T00:00:00Z' });
    await watch.look();
    expect(opens()).toBe(false);
  });

  it('looks often enough for a revocation to be felt within five seconds', () => {
    expect(LOOK_EVERY_MS).toBeLessThanOrEqual(2_000);
  });

  it('opens nothing while the records are gone or cannot be read, and recovers', async () => {
    const { desk, keyring, watch, opens } = watched();
    let changes = 0;
    keyring.onChange(() => changes++);
    desk.put(one);
    await watch.look();
    desk.broken = true;
    await watch.look();
    await watch.look();
    expect([opens(), changes]).toEqual([false, 2]);
    desk.broken = false;
    await watch.look();
    expect(opens()).toBe(true);
    desk.text = null;
    await watch.look();
    expect([opens(), keyring.configured]).toEqual([false, false]);
  });

  it('shares a look that is under way', async () => {
    const { desk, watch } = watched();
    desk.put(one);
    await Promise.all([watch.look(), watch.look(), watch.look()]);
    expect(desk.reads).toBe(1);
  });
});
