// The key of the log: made once by whoever records, never made up by whoever only answers.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseVerifierKey, signNote, verifyNote } from '../kernel/signed-note.js';
import { readConfig } from './config.js';
import { givenLogKey, recorderLogKey, verifierKeyText } from './log-key.js';

const folder = mkdtempSync(join(tmpdir(), 'barograph-log-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is made once, named after itself, and stays', async () => {
  const config = readConfig({ BAROGRAPH_DATA: join(folder, 'a') });
  expect(await givenLogKey(config)).toBeNull();
  expect(existsSync(join(folder, 'a', 'log.key'))).toBe(false);
  const signer = await recorderLogKey(config);
  expect(signer.name).toMatch(/^barograph\.local\/[0-9a-f]{8}$/);
  const key = parseVerifierKey(verifierKeyText(signer));
  expect(verifyNote(signNote('text\n', signer.name, signer.privateKey), [key]).signers).toEqual([key]);
  const given = await givenLogKey(config);
  expect(verifierKeyText(given!)).toBe(verifierKeyText(await recorderLogKey(config)));
});

it('takes the name that the configuration gives it', async () => {
  const named = readConfig({ BAROGRAPH_DATA: join(folder, 'b'), BAROGRAPH_LOG_ORIGIN: 'example.com/log' });
  expect((await recorderLogKey(named)).name).toBe('example.com/log');
  for (const bad of ['two words', 'a+b', ''])
    expect(() => readConfig({ BAROGRAPH_LOG_ORIGIN: bad })).toThrow(/BAROGRAPH_LOG_ORIGIN/);
});
