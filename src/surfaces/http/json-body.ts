// The JSON body of a request, read to its end or refused as soon as it is too large.
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contracts/failures.js';
import { parseStrictJson, RepeatedKey } from '../../kernel/canonical-json.js';

const JSON_MEDIA = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Made once: it keeps nothing from one text to the next. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Most of its listeners stay: they end with the request, and a promise settles only once. */
function readBytes(req: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= most) return;
      req.off('data', take);
      reject(new Failure('payload_too_large'));
    };
    req.on('data', take);
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on('error', reject);
    req.on('close', () => {
      if (!req.complete)
        reject(new Failure('request_timeout', { detail: 'The body did not arrive completely.' }));
    });
  });
}

export async function readJsonBody(req: IncomingMessage, most: number): Promise<unknown> {
  if (!JSON_MEDIA.test(req.headers['content-type'] ?? '')) throw new Failure('unsupported_media_type');
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Failure('unsupported_media_type', { detail: 'The body is compressed; send it as it is.' });
  }
  if (Number(req.headers['content-length'] ?? 0) > most) throw new Failure('payload_too_large');
  const bytes = await readBytes(req, most);
  try {
    return parseStrictJson(utf8.decode(bytes));
  } catch (error) {
    // The parser's own message quotes the body.
    const detail =
      error instanceof RepeatedKey
        ? 'The body names a member twice.'
        : 'The body is not well-formed JSON in UTF-8.';
    throw new Failure('invalid_body', { detail });
  }
}
