// Signed notes against the Go, C2SP and Rekor examples and RFC 8032, and against altered and malformed notes.
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import ed25519 from './golden/ed25519.json' with { type: 'json' };
import golden from './golden/signed-note.json' with { type: 'json' };
import { leafHash } from './merkle.js';
import {
  formatCheckpoint,
  formatVerifierKey,
  keyHash,
  NoteRejected,
  parseCheckpoint,
  parseVerifierKey,
  privateKeyFromSeed,
  publicKeyFromRaw,
  rawPublicKey,
  signNote,
  verifierKey,
  verifyNote,
} from './signed-note.js';

const { sign_peter, c2sp_example, tree_body, rekor_checkpoint_123, rekor_checkpoint_9944 } = golden.cases;
const hexBytes = (text: string): Buffer => Buffer.from(text, 'hex');

describe('Ed25519 keys from raw bytes (RFC 8032)', () => {
  it.each(ed25519.cases)('$id', ({ seed_hex, public_key_hex, msg_hex, sig_hex }) => {
    const key = privateKeyFromSeed(hexBytes(seed_hex));
    expect(rawPublicKey(key).toString('hex')).toBe(public_key_hex);
    expect(sign(null, hexBytes(msg_hex), key).toString('hex')).toBe(sig_hex);
    const publicKey = publicKeyFromRaw(hexBytes(public_key_hex));
    expect(verify(null, hexBytes(msg_hex), publicKey, hexBytes(sig_hex))).toBe(true);
    expect(verify(null, hexBytes(`${msg_hex}00`), publicKey, hexBytes(sig_hex))).toBe(false);
  });

  it('refuses other lengths and other kinds of keys', () => {
    for (const length of [0, 31, 33, 64]) {
      expect(() => privateKeyFromSeed(Buffer.alloc(length))).toThrow(RangeError);
      expect(() => publicKeyFromRaw(Buffer.alloc(length))).toThrow(RangeError);
    }
    const { publicKey } = generateKeyPairSync('x25519');
    expect(() => rawPublicKey(publicKey)).toThrow(RangeError);
  });
});

// PRIVATE+KEY+name+hash+base64(algorithm, seed), as the Go tests publish it.
const peterSeed = Buffer.from(
  sign_peter.test_signer_key_published_in_golang_tests.split('+').slice(4).join('+'),
  'base64',
).subarray(1);
const peter = privateKeyFromSeed(peterSeed);
const peterKey = parseVerifierKey(sign_peter.verifier_key);
const note = sign_peter.expected_signed_note;

describe('the published notes', () => {
  it('are signed to the byte', () => {
    expect(signNote(sign_peter.text, 'PeterNeumann', peter)).toBe(note);
  });

  it.each([sign_peter, c2sp_example])('$verifier_key', ({ verifier_key, expected_signed_note }) => {
    const key = parseVerifierKey(verifier_key);
    expect(formatVerifierKey(key)).toBe(verifier_key);
    expect(keyHash(key.name, key.publicKey)).toBe(key.hash);
    const { text, signers } = verifyNote(expected_signed_note, [key]);
    expect(signers).toEqual([key]);
    expect(expected_signed_note.startsWith(`${text}\n— ${key.name} `)).toBe(true);
  });

  it('a verifier key can be made from the private key', () => {
    expect(formatVerifierKey(verifierKey('PeterNeumann', peter))).toBe(sign_peter.verifier_key);
  });
});

describe('the published checkpoints', () => {
  it('go.sum tree head', () => {
    const root = leafHash(tree_body.input.leaf_utf8);
    const text = formatCheckpoint({ origin: 'go.sum database tree', size: tree_body.input.size, root });
    expect(text).toBe(tree_body.expected_body);
    expect(parseCheckpoint(text)).toEqual({ origin: 'go.sum database tree', size: 123_456_789_012, root });
  });

  it.each([rekor_checkpoint_123, rekor_checkpoint_9944])(
    '$origin',
    ({ origin, size, root_utf8, expected_body }) => {
      expect(formatCheckpoint({ origin, size, root: Buffer.from(root_utf8) })).toBe(expected_body);
      expect(parseCheckpoint(expected_body)).toEqual({ origin, size, root: Buffer.from(root_utf8) });
    },
  );
});

describe('verifying', () => {
  const [otherKey, other] = [
    verifierKey('other', privateKeyFromSeed(Buffer.alloc(32, 7))),
    Buffer.alloc(32, 7),
  ];
  const lineOf = (signed: string): string => signed.slice(signed.lastIndexOf('\n\n') + 2);
  const otherNote = signNote(sign_peter.text, 'other', privateKeyFromSeed(other));
  const both = note + lineOf(otherNote);

  it('names every known signer once and passes over unknown ones', () => {
    expect(verifyNote(both, [otherKey, peterKey]).signers).toEqual([peterKey, otherKey]);
    expect(verifyNote(both, [otherKey]).signers).toEqual([otherKey]);
    expect(verifyNote(note + lineOf(note), [peterKey]).signers).toEqual([peterKey]);
  });

  it('rejects a note by unknown keys only, by a namesake or without keys', () => {
    const namesake = verifierKey('PeterNeumann', privateKeyFromSeed(other));
    for (const keys of [[], [otherKey], [namesake]])
      expect(() => verifyNote(note, keys)).toThrow('known key');
  });

  it('rejects one false signature of a known key even beside a good one', () => {
    const forged = Buffer.concat([Buffer.from(otherKey.hash, 'hex'), Buffer.alloc(64, 1)]).toString('base64');
    const short = Buffer.concat([Buffer.from(otherKey.hash, 'hex'), Buffer.alloc(63, 1)]).toString('base64');
    for (const signature of [forged, short]) {
      const spoiled = `${note}— other ${signature}\n`;
      expect(() => verifyNote(spoiled, [peterKey, otherKey])).toThrow('does not hold');
      expect(verifyNote(spoiled, [peterKey]).signers).toEqual([peterKey]);
    }
  });

  it('rejects every single flipped bit, wherever it is', () => {
    const bytes = Buffer.from(note);
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped[at] = flipped[at]! ^ (1 << bit);
        expect(() => verifyNote(flipped.toString('utf8'), [peterKey])).toThrow(NoteRejected);
      }
    }
  });

  it('lets the last empty line divide', () => {
    const text = 'one\n\ntwo\n\n';
    expect(verifyNote(signNote(text, 'PeterNeumann', peter), [peterKey]).text).toBe(text);
  });

  const line = lineOf(note);
  it.each([
    ['nothing', ''],
    ['no signature', sign_peter.text],
    ['an empty signature block', `${sign_peter.text}\n`],
    ['no final newline', note.slice(0, -1)],
    ['carriage returns', note.replaceAll('\n', '\r\n')],
    ['a NUL', note.replace('If', '\u0000If')],
    ['a tab', note.replace(' ', '\t')],
    ['a lone surrogate', note.replace('If', '\ud800')],
    ['a hyphen for the dash', note.replace('—', '-')],
    ['two spaces', note.replace('— ', '—  ')],
    ['a plus in the name', note + line.replace('PeterNeumann', 'Peter+Neumann')],
    ['a no-break space in the name', note + line.replace('PeterNeumann', 'Peter\u00a0Neumann')],
    ['a NEL in the name', note + line.replace('PeterNeumann', 'Peter\u0085Neumann')],
    ['unpadded base64', note.replace('=\n', '\n')],
    ['URL base64', note.replace('/', '_')],
    ['loose last bits in base64', note.replace('nAM=\n', 'nAN=\n')],
    ['a line of four bytes only', `${note}— x AAAAAA==\n`],
    ['101 signatures', note + line.repeat(100)],
  ])('rejects %s', (_, altered) => {
    expect(altered).not.toBe(note);
    expect(() => verifyNote(altered, [peterKey])).toThrow(NoteRejected);
  });

  it('accepts as many as a hundred signatures', () => {
    expect(verifyNote(note + line.repeat(99), [peterKey]).signers).toHaveLength(1);
  });
});

describe('what is not signed, stated or parsed', () => {
  it.each(['', 'no newline', 'a\r\n', 'a\u0007\n', '\udc00\n'])('the text %j', (text) => {
    expect(() => signNote(text, 'name', peter)).toThrow(NoteRejected);
  });

  it.each(['', 'a b', 'a+b', 'a\u2003b', 'a\n', 'a\u0001'])('the key name %j', (name) => {
    expect(() => signNote('text\n', name, peter)).toThrow(NoteRejected);
    expect(() => verifierKey(name, peter)).toThrow(NoteRejected);
  });

  const [name, id, encoded] = ['PeterNeumann', 'c74f20a3', sign_peter.verifier_key.slice(22)];
  const ecdsa = Buffer.concat([Buffer.from([2]), Buffer.alloc(32)]).toString('base64');
  it.each([
    '',
    `${name}+${id}`,
    `+${id}+${encoded}`,
    `${name}+c74f20a4+${encoded}`, // not the hash of this key
    `Peter+${id}+${encoded}`, // nor of this name
    `${name}+${id.toUpperCase()}+${encoded}`,
    `${name}+${id}+${encoded.slice(0, -4)}`,
    `${name}+${id}+${encoded}\n`,
    `${name}+${id}+${ecdsa}`,
    `Peter Neumann+${id}+${encoded}`,
  ])('the verifier key %j', (text) => {
    expect(() => parseVerifierKey(text)).toThrow(NoteRejected);
  });

  it('checkpoints of nobody, of no size or of no root', () => {
    const good = { origin: 'example.com/log', size: 1, root: Buffer.alloc(32) };
    expect(parseCheckpoint(formatCheckpoint(good))).toEqual(good);
    for (const bad of [
      { origin: '' },
      { origin: 'a\nb' },
      { size: -1 },
      { size: 1.5 },
      { size: 2 ** 53 },
      { root: Buffer.alloc(0) },
    ]) {
      expect(() => formatCheckpoint({ ...good, ...bad })).toThrow(NoteRejected);
    }
  });

  it.each([
    '',
    'o\n1\n',
    'o\n1\nAAAA',
    '\n1\nAAAA\n',
    'o\n01\nAAAA\n',
    'o\n-1\nAAAA\n',
    'o\n1e3\nAAAA\n',
    'o\n\nAAAA\n',
    'o\n9007199254740992\nAAAA\n',
    'o\n1\nAAA\n',
    'o\n1\n\n',
    'o\n1\nAAAA\n\n',
    'o\n1\nAAAA\n\nx\n',
  ])('the checkpoint %j', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(NoteRejected);
  });

  it('but extension lines pass', () => {
    expect(parseCheckpoint('o\n0\nAAAA\nextension\n')).toEqual({
      origin: 'o',
      size: 0,
      root: Buffer.alloc(3),
    });
  });
});
