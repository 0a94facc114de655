// Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint): text that carries its Ed25519 signatures.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

const ED25519 = 0x01;
const KEY_BYTES = 32;
const HASH_BYTES = 4;
const SIGNATURE_BYTES = 64;
// The constant DER around a raw Ed25519 key (RFC 8410); node:crypto takes no bare 32 bytes.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const SIGNATURE_LINE = /^— ([^ ]+) ([^ ]+)$/u;
const MAX_SIGNATURES = 100;

/** A note, a key text or a checkpoint that is malformed, or a note no given key vouches for. */
export class NoteRejected extends Error {
  override readonly name = 'NoteRejected';
}

export interface VerifierKey {
  readonly name: string;
  /** Eight hex digits; with the name it says which key a signature line is from. */
  readonly hash: string;
  readonly publicKey: KeyObject;
}

/** Who signs notes, under which name. */
export interface NoteSigner {
  readonly name: string;
  readonly privateKey: KeyObject;
}

export interface VerifiedNote {
  readonly text: string;
  /** The keys whose signatures hold, in the order of their lines; never empty. */
  readonly signers: readonly VerifierKey[];
}

export function privateKeyFromSeed(seed: Uint8Array): KeyObject {
  if (seed.length !== KEY_BYTES)
    throw new RangeError(`an Ed25519 seed has ${KEY_BYTES} bytes, not ${seed.length}`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

export function publicKeyFromRaw(raw: Uint8Array): KeyObject {
  if (raw.length !== KEY_BYTES)
    throw new RangeError(`an Ed25519 key has ${KEY_BYTES} bytes, not ${raw.length}`);
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
}

/** The 32 bytes of a public key, or of the public half of a private one. */
export function rawPublicKey(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'ed25519') throw new RangeError('not an Ed25519 key');
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_HEAD.length);
}

/** First four bytes of SHA-256(name, LF, algorithm, key) as hex: an identifier, not a commitment. */
export function keyHash(name: string, key: KeyObject): string {
  const input = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([ED25519]), rawPublicKey(key)]);
  return hash('sha256', input, 'hex').slice(0, 2 * HASH_BYTES);
}

export function verifierKey(name: string, key: KeyObject): VerifierKey {
  requireName(name);
  return { name, hash: keyHash(name, key), publicKey: publicKeyFromRaw(rawPublicKey(key)) };
}

/** `name+hash+base64`: the line a log publishes so that others can check its notes. */
export function formatVerifierKey(key: VerifierKey): string {
  const encoded = Buffer.concat([Buffer.from([ED25519]), rawPublicKey(key.publicKey)]).toString('base64');
  return `${key.name}+${key.hash}+${encoded}`;
}

export function parseVerifierKey(text: string): VerifierKey {
  const [, name, stated, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text) ?? [];
  if (name === undefined || encoded === undefined)
    throw new NoteRejected('a verifier key reads name+hash+base64');
  const bytes = decodeBase64(encoded);
  if (bytes.length !== 1 + KEY_BYTES || bytes[0] !== ED25519)
    throw new NoteRejected('not an Ed25519 verifier key');
  const key = verifierKey(name, publicKeyFromRaw(bytes.subarray(1)));
  if (key.hash !== stated)
    throw new NoteRejected(`the key of ${name} hashes to ${key.hash}, not to ${stated}`);
  return key;
}

/** The note: the text, an empty line and one signature line. */
export function signNote(text: string, keyName: string, privateKey: KeyObject): string {
  requireText(text);
  requireName(keyName);
  const signature = sign(null, Buffer.from(text), privateKey);
  const encoded = Buffer.concat([Buffer.from(keyHash(keyName, privateKey), 'hex'), signature]).toString(
    'base64',
  );
  return `${text}\n— ${keyName} ${encoded}\n`;
}

/**
 * The text of a note that at least one of the keys has signed. Lines of unknown keys are passed over, as other
 * keys and witnesses may sign too; one false signature in the name of a known key spoils the whole note.
 */
export function verifyNote(note: string, verifierKeys: readonly VerifierKey[]): VerifiedNote {
  requireText(note);
  // The text may itself hold empty lines: the last one divides.
  const end = note.lastIndexOf('\n\n') + 1;
  if (end === 0) throw new NoteRejected('no empty line before the signatures');
  const text = note.slice(0, end);
  const lines = note.slice(end + 1, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new NoteRejected(`more than ${MAX_SIGNATURES} signatures`);
  const signers: VerifierKey[] = [];
  for (const line of lines) {
    const { name, hash: id, signature } = parseSignatureLine(line);
    const key = verifierKeys.find((candidate) => candidate.name === name && candidate.hash === id);
    if (key === undefined) continue;
    const holds =
      signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(text), key.publicKey, signature);
    if (!holds) throw new NoteRejected(`the signature of ${name}+${id} does not hold`);
    if (!signers.includes(key)) signers.push(key);
  }
  if (signers.length === 0) throw new NoteRejected('no signature by a known key');
  return { text, signers };
}

function parseSignatureLine(line: string): { name: string; hash: string; signature: Buffer } {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  if (name === undefined || encoded === undefined) throw new NoteRejected('a malformed signature line');
  requireName(name);
  const bytes = decodeBase64(encoded);
  if (bytes.length <= HASH_BYTES) throw new NoteRejected('a signature line without a signature');
  return { name, hash: bytes.toString('hex', 0, HASH_BYTES), signature: bytes.subarray(HASH_BYTES) };
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** The three lines that state a tree: whose it is, how many leaves, which root. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  if (origin === '' || origin.includes('\n'))
    throw new NoteRejected('an origin is one line that is not empty');
  if (!Number.isSafeInteger(size) || size < 0) throw new NoteRejected(`a tree cannot have ${size} leaves`);
  if (root.length === 0) throw new NoteRejected('a checkpoint states a root');
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
}

/** Reads the text of a verified note; extension lines are allowed and passed over. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root, ...rest] = text.split('\n');
  if (!origin || !root || size === undefined || rest.pop() !== '' || rest.includes('')) {
    throw new NoteRejected('a checkpoint has an origin, a size and a root line');
  }
  if (!/^(?:0|[1-9][0-9]*)$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new NoteRejected(`${size} is not a tree size`);
  }
  return { origin, size: Number(size), root: decodeBase64(root) };
}

function requireName(name: string): void {
  if (!/^[^\p{White_Space}+]+$/u.test(name))
    throw new NoteRejected('a key name has no space, no plus and is not empty');
  requireText(`${name}\n`);
}

function requireText(text: string): void {
  if (!text.endsWith('\n')) throw new NoteRejected('a note ends with a newline');
  // That is: the control characters below U+0020 but for the newline, and lone surrogates, which have no UTF-8.
  if (/[^\P{Cc}\n\u007f-\u009f]|\p{Cs}/u.test(text))
    throw new NoteRejected('a control character or broken Unicode');
}

/** Node skips what is not base64; here one byte string has one text only, or a note could be altered unseen. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new NoteRejected('malformed base64');
  return bytes;
}
