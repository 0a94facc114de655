// Makes dist ready to run, if any source is newer than it. Types are checked elsewhere: whoever starts should not wait for it.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const changedAt = (path) => statSync(`${root}${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).map((path) => `src/${path}`);
// Folders count too: their time moves when a file goes away.
const newest = Math.max(...['tsconfig.build.json', 'package-lock.json', ...sources].map(changedAt));

if (changedAt('dist/app/cli.js') < newest) {
  const options = [
    '-p',
    'tsconfig.build.json',
    '--noCheck',
    '--declaration',
    'false',
    '--sourceMap',
    'false',
  ];
  const { status } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
