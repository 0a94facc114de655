// Requests per second of an asset's score, each one counted, beside a bare node:http server that sends the same bytes.
import { besideBare } from './beside-bare.js';
import { inTemporaryFolder, ROOT, startNode } from './measuring.js';

const PATH = '/v1/asset/NVDA';
const BOUND = 0.8;

/** The first edition is stated some time after the first board. */
async function whenScored(url) {
  for (;;) {
    const response = await fetch(url);
    if (response.status === 200) return response;
    if (response.status !== 503) throw new Error(`status ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    const product = startNode([`${ROOT}bin/barograph.js`, 'serve'], {
      env: {
        BAROGRAPH_DATA: folder,
        BAROGRAPH_PORT: '0',
        BAROGRAPH_LOG: 'info',
        // An hour between cycles: here only the serving is measured. The limits are counted, and never reached.
        BAROGRAPH_CYCLE_SECONDS: '3600',
        BAROGRAPH_ANONYMOUS_PER_MINUTE: '1000000000',
        BAROGRAPH_ANONYMOUS_PER_DAY: '1000000000',
      },
      ready: /API\s+(http:\/\/\S+?)\/v1/,
    });
    const url = (await product.matched)[1] + PATH;
    const first = Number((await whenScored(url)).headers.get('x-quota-remaining'));
    const { ratio, served } = await besideBare(url);
    const counted = first - Number((await fetch(url)).headers.get('x-quota-remaining'));
    await product.stop();
    figure(
      'asset',
      `${ratio.toFixed(2)} of a bare node:http server with the same bytes, ${counted} calls counted`,
      String(BOUND),
      ratio >= BOUND && counted >= served,
    );
  });
}
