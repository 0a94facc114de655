// The log: one JSON object a line on standard error, so that standard output stays for answers.
import { type Logger, pino } from 'pino';

export type Log = Logger;

const BATCH_CHARACTERS = 8_192;
const FLUSH_MS = 500;

/** Many events share a millisecond, and writing its date costs as much as the rest of a line. */
const timestamp = (() => {
  let last = Number.NaN;
  let text = '';
  return (): string => {
    const now = Date.now();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
})();

/** Events are made of named, harmless fields; no header, address or body of a request ever becomes one. */
export function createLog(level: string): Log {
  const destination = pino.destination({ fd: 2, sync: false });
  // Handed over in batches: to measure and write every line alone would cost more than many a request.
  let batch = '';
  const handOver = (): void => {
    if (batch !== '') destination.write(batch);
    batch = '';
  };
  const write = (line: string): void => {
    batch += line;
    if (batch.length >= BATCH_CHARACTERS) handOver();
  };
  setInterval(handOver, FLUSH_MS).unref();
  process.once('exit', () => {
    try {
      handOver();
      destination.flushSync();
    } catch {
      // Nobody reads any more; there is nowhere left to say so.
    }
  });
  return pino({ level, base: null, timestamp }, { write });
}
