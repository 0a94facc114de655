// The log: one JSON object a line on standard error, so that standard output stays for answers.
import { type Logger, pino } from 'pino';

export type Log = Logger;

const BUFFER_BYTES = 8_192;
const FLUSH_MS = 500;

/** Events are made of named, harmless fields; no header, address or body of a request ever becomes one. */
export function createLog(level: string): Log {
  // Written in pieces: a write per request would cost more than the request.
  const destination = pino.destination({ fd: 2, sync: false, minLength: BUFFER_BYTES });
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  setInterval(() => destination.flush(), FLUSH_MS).unref();
  process.once('exit', () => {
    try {
      destination.flushSync();
    } catch {
      // Nobody reads any more; there is nowhere left to say so.
    }
  });
  return log;
}
