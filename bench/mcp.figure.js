// One call of an MCP tool on loopback beside the same operation over plain HTTP, each on a connection that stays open.
import { Agent, request } from 'node:http';
import { inTemporaryFolder, percentile, ROOT, startNode } from './measuring.js';

const TOOL = 'attention_leaderboard';
const LIMIT = 10;
const WARM_UP = 3_000;
const CALLS = 5_000;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': TOOL,
};

/** One request to its last byte, in milliseconds. */
function timed(url, options, body, expected) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const took = performance.now() - startedAt;
        if (response.statusCode === 200 && text.includes(expected)) resolve(took);
        else reject(new Error(`status ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    // An hour between cycles: here only the calls are measured.
    const env = { BAROGRAPH_DATA: folder, BAROGRAPH_PORT: '0', BAROGRAPH_CYCLE_SECONDS: '3600' };
    const product = startNode([`${ROOT}bin/barograph.js`, 'serve'], {
      env,
      ready: /API\s+(http:\/\/\S+?)\/v1/,
    });
    const base = (await product.matched)[1];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const overHttp = () =>
      timed(`${base}/v1/snapshot/leaderboard?limit=${LIMIT}`, { agent }, undefined, '"leaderboard":[{');
    const overMcp = (id) => {
      const params = { name: TOOL, arguments: { limit: LIMIT }, _meta: META };
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
      const headers = { ...HEADERS, 'content-length': Buffer.byteLength(body) };
      return timed(`${base}/mcp/attention`, { agent, method: 'POST', headers }, body, '"value_fp"');
    };
    // In turns, so that whatever else the machine does falls on both alike.
    const times = { http: [], mcp: [] };
    for (let i = 0; i < WARM_UP + CALLS; i++) {
      const http = await overHttp();
      const mcp = await overMcp(i);
      if (i < WARM_UP) continue;
      times.http.push(http);
      times.mcp.push(mcp);
    }
    agent.destroy();
    await product.stop();
    const median = { http: percentile(times.http, 0.5), mcp: percentile(times.mcp, 0.5) };
    const ratio = median.mcp / median.http;
    const shown = (name) => `${(median[name] * 1000).toFixed(0)} µs`;
    figure(
      'mcp-call',
      `${ratio.toFixed(2)}× of the same operation over HTTP (${shown('mcp')} beside ${shown('http')})`,
      '2×',
      ratio <= 2,
    );
  });
}
