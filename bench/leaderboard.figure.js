// Requests per second of the leaderboard beside a bare node:http server that sends the same bytes, and its tail under load.
import { besideBare, loadFrom } from './beside-bare.js';
import { inTemporaryFolder, ROOT, startNode } from './measuring.js';

const PATH = '/v1/snapshot/leaderboard';

function startProduct(folder, cycleSeconds) {
  return startNode([`${ROOT}bin/barograph.js`, 'serve'], {
    env: {
      BAROGRAPH_DATA: folder,
      BAROGRAPH_PORT: '0',
      BAROGRAPH_LOG: 'info',
      BAROGRAPH_CYCLE_SECONDS: cycleSeconds,
    },
    ready: /API\s+(http:\/\/\S+?)\/v1/,
  });
}

/** An hour between cycles: then only the serving is measured. */
const AT_REST = '3600';

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    const product = startProduct(folder, AT_REST);
    const { ratio } = await besideBare((await product.matched)[1] + PATH);
    await product.stop();
    figure(
      'leaderboard',
      `${ratio.toFixed(2)} of a bare node:http server with the same bytes`,
      '0.85',
      ratio >= 0.85,
    );
  });
  await inTemporaryFolder(async (folder) => {
    const p99With = async (cycleSeconds) => {
      const product = startProduct(folder, cycleSeconds);
      const url = (await product.matched)[1] + PATH;
      const options = { connections: 4, seconds: 8 };
      await loadFrom(url, options);
      const { p99 } = await loadFrom(url, options);
      await product.stop();
      return p99;
    };
    const atRest = await p99With(AT_REST);
    const busy = await p99With('1');
    const ratio = busy / atRest;
    figure(
      'leaderboard-tail',
      `p99 ${busy.toFixed(2)} ms while cycles and ingest run, ${ratio.toFixed(2)}× of at rest`,
      '2×',
      ratio <= 2,
    );
  });
}
