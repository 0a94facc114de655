// `barograph verify FILE`: checks a saved answer with a public key alone; nothing is asked of any service.
import { readFile } from 'node:fs/promises';
import { checkReceipt, type ReceiptVerdict } from '../../domain/validation/receipt-verdict.js';
import { parseStrictJson } from '../../kernel/canonical-json.js';
import { parseVerifierKey } from '../../kernel/signed-note.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { givenLogKey, verifierKeyText } from '../log-key.js';

const MARKS = { pass: 'ok  ', fail: 'FAIL', not_shown: '-   ' } as const;

export async function verifyReceipt(
  file: string,
  { key, json }: { readonly key?: string; readonly json?: boolean },
): Promise<boolean> {
  const keyText = key ?? (await ownKey());
  try {
    parseVerifierKey(keyText.trim());
  } catch (error) {
    throw new CommandFault(`--key: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage);
  }
  const verdict = checkReceipt(await documentIn(file), keyText);
  process.stdout.write(json ? `${JSON.stringify(verdict)}\n` : asText(verdict));
  return verdict.holds;
}

async function documentIn(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandFault(`${file} cannot be read`);
  });
  try {
    return parseStrictJson(text);
  } catch (error) {
    throw new CommandFault(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Without a key from outside only an answer of one's own log can be checked. */
async function ownKey(): Promise<string> {
  const signer = await givenLogKey(readConfig());
  if (signer) return verifierKeyText(signer);
  throw new CommandFault('give the public key of the log with --key; /v1/log/key shows it', EXIT.usage);
}

function asText({ checks, holds, proves, leaves_open }: ReceiptVerdict): string {
  const lines = checks.map(({ name, state, detail }) => `${MARKS[state]} ${name.padEnd(14)} ${detail}`);
  return `${lines.join('\n')}\n\n${holds ? 'The receipt holds.' : 'The receipt does NOT hold.'} ${proves}\n${leaves_open}\n`;
}
