// Answers a hot question from kept bytes, right in the callback of the Node server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitHeaderList } from '../../access/limit-headers.js';
import type { Allowance } from '../../contracts/caller.js';
import type { KeptAnswer } from './kept-answers.js';
import { elapsedMs, type Ledger } from './ledger.js';
import { withVary } from './reply.js';

export function answerFromKept(
  kept: KeptAnswer,
  req: IncomingMessage,
  res: ServerResponse,
  id: string,
  startedAt: number,
  ledger: Ledger,
  allowance: Allowance | null,
): void {
  const { headers, body, status, route } = kept;
  const isGet = req.method === 'GET';
  headers[headers.length - 1] = id;
  const vary = res.getHeader('Vary');
  const own = allowance === null ? headers : limitHeaderList(allowance).concat(headers);
  res.writeHead(status, vary === undefined ? own : [...withVary(vary, own)]);
  res.end(body);
  ledger.recordKept(
    {
      request_id: id,
      method: isGet ? 'GET' : 'HEAD',
      route,
      status,
      duration_ms: elapsedMs(startedAt),
      bytes: isGet ? body.length : 0,
      kept: true,
    },
    isGet ? kept.observeGet : kept.observeHead,
  );
}
