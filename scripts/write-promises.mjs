// Writes docs/contract.txt, every promise of the wire in one line, from the build: `npm run docs:contract`.
import { readFile, writeFile } from 'node:fs/promises';
import { FEEDS } from '../dist/contracts/feeds.js';
import { OPERATIONS } from '../dist/contracts/operations.js';
import { RETIRED_ROUTES } from '../dist/contracts/research/retired.js';
import { openApiDocument } from '../dist/surfaces/docs/openapi.js';
import { promisesOf } from '../dist/surfaces/docs/promises.js';

const file = new URL('../docs/contract.txt', import.meta.url);
const document = openApiDocument({
  operations: OPERATIONS,
  feeds: FEEDS,
  retired: RETIRED_ROUTES,
  version: '0',
  publicUrl: 'http://127.0.0.1:8700',
});
const lines = promisesOf(document);
const known = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
const broken = known.filter((line) => !lines.includes(line));
for (const line of broken) console.log(`broken: ${line}`);
console.log(`${lines.length} promises, ${broken.length} of the old ones broken`);
if (broken.length > 0 && !process.argv.includes('--break')) {
  console.log(
    'Nothing was written. A broken promise needs a new version of its path; to write all the same, add -- --break',
  );
  process.exit(1);
}
await writeFile(file, `${lines.join('\n')}\n`);
