// Requests per second of an asset's score, each one counted, beside a bare node:http server that sends the same bytes.
import { inTemporaryFolder, percentile, ROOT, startNode } from './measuring.js';

const PATH = '/v1/asset/NVDA';
/** Holds the closed loop of connections and the bare server. */
const PEER = `${ROOT}bench/leaderboard.figure.js`;
const BOUND = 0.8;

async function loadFrom(url, options) {
  const { matched } = startNode([PEER, 'load', url, JSON.stringify(options)], { ready: /result (.*)\n/ });
  return JSON.parse((await matched)[1]);
}

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
    const bare = startNode([PEER, 'bare', url], { ready: /listening (\d+)/ });
    const bareUrl = `http://127.0.0.1:${(await bare.matched)[1]}/`;
    const options = { connections: 16, seconds: 3 };
    await loadFrom(url, options);
    await loadFrom(bareUrl, options);
    const ratios = [];
    let served = 0;
    for (let round = 0; round < 5; round++) {
      const theirs = await loadFrom(bareUrl, options);
      const ours = await loadFrom(url, options);
      served += ours.perSecond * options.seconds;
      ratios.push(ours.perSecond / theirs.perSecond);
    }
    const counted = first - Number((await fetch(url)).headers.get('x-quota-remaining'));
    await Promise.all([product.stop(), bare.stop()]);
    const ratio = percentile(ratios, 0.5);
    figure(
      'asset',
      `${ratio.toFixed(2)} of a bare node:http server with the same bytes, ${counted} calls counted`,
      String(BOUND),
      ratio >= BOUND && counted >= served,
    );
  });
}
