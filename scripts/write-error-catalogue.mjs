// Writes docs/errors.md from the failure catalogue of the build: `npm run docs:errors`.
import { writeFile } from 'node:fs/promises';
import { FAILURES } from '../dist/contracts/failures.js';

const INTRODUCTION = `# Errors

Every refusal has the same body, on every surface:

\`\`\`json
{
  "error_contract": "api-error-envelope-v1",
  "error": "invalid_ticker",
  "message": "The text is not a ticker symbol.",
  "status_code": 400,
  "request_id": "…"
}
\`\`\`

\`error\` is for programs and is one of the codes below. \`message\` is for people; it never repeats what was sent. \`retry_after_s\` is
there when waiting helps, and \`Retry-After\` says the same. A reserved code is kept for clients that know it: nothing raises it
today. The table is written by \`npm run docs:errors\` from \`src/contracts/failures.ts\`; do not edit it by hand.
`;

/** A bar inside a cell would end it. */
const cell = (text) => text.replaceAll('|', '\\|');

const rows = Object.entries(FAILURES).map(
  ([code, { status, meaning, remedy, reserved }]) =>
    `| \`${code}\` | ${status} | ${cell(meaning)} | ${cell(remedy)} | ${reserved ? 'yes' : 'no'} |`,
);

await writeFile(
  new URL('../docs/errors.md', import.meta.url),
  `${INTRODUCTION}
| code | status | meaning | remedy | reserved |
|---|---|---|---|---|
${rows.join('\n')}
`,
);
