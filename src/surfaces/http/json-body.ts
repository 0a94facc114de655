// The JSON body of a request, read to its end or refused as soon as it is too large.
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contracts/failures.js';

const JSON_MEDIA = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function readBytes(req: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      req.off('data', take).off('end', finish).off('error', fail).off('close', closed);
    };
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const closed = () =>
      fail(new Failure('request_timeout', { detail: 'The body did not arrive completely.' }));
    const finish = () => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) fail(new Failure('payload_too_large'));
      else chunks.push(chunk);
    };
    req.on('data', take).on('end', finish).on('error', fail).on('close', closed);
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
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the body.
    throw new Failure('invalid_body', { detail: 'The body is not well-formed JSON in UTF-8.' });
  }
}
