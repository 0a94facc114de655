// Runs the promised figures, each beside what it is compared to, and ends each as one line.
import { readdir } from 'node:fs/promises';

const wanted = process.argv.slice(2);
const files = (await readdir(new URL('.', import.meta.url)))
  .filter((file) => file.endsWith('.figure.js'))
  .sort();
let short = 0;
let ran = 0;

/** @param {string} name @param {string} measured @param {string} bound @param {boolean} ok */
function figure(name, measured, bound, ok) {
  ran++;
  if (!ok) short++;
  console.log(`figure ${name}: ${measured} (bound ${bound}) ${ok ? 'ok' : 'short'}`);
}

for (const file of files) {
  const name = file.replace('.figure.js', '');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { run } = await import(`./${file}`);
  await run(figure);
}
if (ran === 0)
  console.log(`no such figure; there are: ${files.map((file) => file.replace('.figure.js', '')).join(', ')}`);
process.exitCode = short > 0 || ran === 0 ? 1 : 0;
