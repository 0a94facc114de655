// Resident memory of the service at rest, after its first start.
import { readFile } from 'node:fs/promises';
import { inTemporaryFolder, ROOT, startNode } from './measuring.js';

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    const product = startNode([`${ROOT}bin/barograph.js`, 'serve'], {
      env: { BAROGRAPH_DATA: folder, BAROGRAPH_PORT: '0' },
      ready: /API\s+(http:\/\/\S+?)\/v1/,
    });
    await product.matched;
    await new Promise((resolve) => setTimeout(resolve, 45_000));
    const status = await readFile(`/proc/${product.child.pid}/status`, 'utf8');
    const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
    await product.stop();
    figure('memory', `${megabytes.toFixed(0)} MB resident at rest`, '300 MB', megabytes <= 300);
  });
}
