// The log: one JSON object a line on standard error, so that standard output stays for answers.
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Keys of headers and fields that could carry a credential are cut wherever they appear. */
const SECRET = ['key', 'text', 'authorization', 'headers', 'url'].flatMap((name) => [name, `*.${name}`]);

export function createLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: SECRET, remove: true } },
    pino.destination({ fd: 2, sync: true }),
  );
}
