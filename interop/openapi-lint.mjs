// Lints the OpenAPI document of the built service with Redocly and Spectral: no error and no warning is allowed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');

function giveUp(text) {
  console.error(text);
  process.exit(2);
}

/** The file behind a command of an installed package; its own node is used, so that no PATH is needed. */
function command(name, bin) {
  const folder = join(here, 'node_modules', name);
  const declared = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin;
  return join(folder, typeof declared === 'string' ? declared : declared[bin]);
}

function run(script, args, cwd) {
  // Neither tool may call home.
  const env = { HOME: cwd, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  return spawnSync(process.execPath, [script, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** A retired route is deprecated and never succeeds, which the two rules about success do not know. */
function expectsSuccessOfRetired(document, rule, path) {
  if (!['operation-2xx-response', 'operation-success-response'].includes(rule)) return false;
  const operation = document.paths[path[1]]?.[path[2]];
  return operation?.deprecated === true && Object.keys(operation.responses).join() === '410';
}

const unescaped = (part) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function redocly(file, cwd, document) {
  const result = run(
    command('@redocly/cli', 'redocly'),
    ['lint', file, '--extends', 'recommended', '--format', 'json'],
    cwd,
  );
  const start = result.stdout.indexOf('{');
  if (start === -1) giveUp(`Redocly said nothing useful:\n${result.stdout}\n${result.stderr}`);
  const found = JSON.parse(result.stdout.slice(start, result.stdout.lastIndexOf('}') + 1)).problems;
  const problems = found.filter((one) => {
    const path = (one.location?.[0]?.pointer ?? '').split('/').slice(1).map(unescaped);
    return !expectsSuccessOfRetired(document, one.ruleId, path);
  });
  const lines = problems.map(
    (one) => `  ${one.severity} ${one.ruleId}: ${one.message} at ${one.location?.[0]?.pointer ?? '?'}`,
  );
  const errors = problems.filter((one) => one.severity === 'error').length;
  return { name: 'Redocly', errors, warnings: problems.length - errors, lines };
}

function spectral(file, cwd, document) {
  const ruleset = join(cwd, 'ruleset.yaml');
  writeFileSync(ruleset, 'extends: ["spectral:oas"]\n');
  const args = ['lint', file, '--ruleset', ruleset, '--format', 'json', '--quiet', '--fail-severity', 'hint'];
  const result = run(command('@stoplight/spectral-cli', 'spectral'), args, cwd);
  const start = result.stdout.indexOf('[');
  if (start === -1) giveUp(`Spectral said nothing useful:\n${result.stdout}\n${result.stderr}`);
  const found = JSON.parse(result.stdout.slice(start, result.stdout.lastIndexOf(']') + 1));
  const problems = found.filter((one) => !expectsSuccessOfRetired(document, one.code, one.path));
  const lines = problems.map(
    (one) =>
      `  ${one.severity === 0 ? 'error' : 'warn'} ${one.code}: ${one.message} at ${one.path.join('/')}`,
  );
  const errors = problems.filter((one) => one.severity === 0).length;
  return { name: 'Spectral', errors, warnings: problems.length - errors, lines };
}

if (!existsSync(join(here, 'node_modules'))) {
  giveUp('The linters are not installed. Install them with: npm ci --prefix interop --ignore-scripts');
}
if (!existsSync(join(root, 'dist/surfaces/docs/openapi.js'))) {
  giveUp('The service is not built. Build it with: npm run build');
}
const { openApiDocument } = await import('../dist/surfaces/docs/openapi.js');
const { OPERATIONS } = await import('../dist/contracts/operations.js');
const { FEEDS } = await import('../dist/contracts/feeds.js');
const { RETIRED_ROUTES } = await import('../dist/contracts/research/retired.js');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'barograph-openapi-'));
try {
  const file = join(folder, 'openapi.json');
  const publicUrl = 'http://127.0.0.1:8700';
  const documented = { operations: OPERATIONS, feeds: FEEDS, retired: RETIRED_ROUTES };
  const document = openApiDocument({ ...documented, version, publicUrl });
  writeFileSync(file, JSON.stringify(document, null, 2));
  let bad = 0;
  for (const lint of [redocly, spectral]) {
    const { name, errors, warnings, lines } = lint(file, folder, document);
    console.log(`${name}: ${errors} errors, ${warnings} warnings`);
    for (const line of lines) console.log(line);
    bad += errors + warnings;
  }
  process.exitCode = bad === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
