// What a command threw, as people and programs are told of it: a sentence, a failure of the catalogue, an exit status.
import { CommanderError } from 'commander';
import { Failure } from '../contracts/failures.js';
import { FrameStands, RecorderBusy } from '../ports/archive.js';
import { ConfigFaults } from './config.js';
import { CommandFault, EXIT } from './exit.js';

export interface Fault {
  readonly status: number;
  /** Null where it was written already. */
  readonly sentence: string | null;
  readonly failure: Failure;
}

export function faultOf(error: unknown): Fault {
  if (error instanceof CommanderError) return { ...misused(wordsOf(error)), sentence: null };
  if (error instanceof ConfigFaults) return misused(error.message);
  if (error instanceof CommandFault) {
    return error.status === EXIT.usage ? misused(error.message) : hindered(error.message, error.status);
  }
  if (error instanceof Failure) {
    return { status: EXIT.failed, sentence: `${error.code}: ${error.message}`, failure: error };
  }
  if (error instanceof FrameStands)
    return hindered('frames are already recorded in that span: use a data folder of its own for a study');
  if (error instanceof RecorderBusy)
    return hindered(`${error.message}; stop it first, or use another BAROGRAPH_DATA`);
  const message = error instanceof Error ? error.message : String(error);
  return {
    status: EXIT.failed,
    sentence: error instanceof Error ? (error.stack ?? message) : message,
    failure: new Failure('internal_error', { detail: message, cause: error }),
  };
}

function misused(sentence: string): Fault {
  return {
    status: EXIT.usage,
    sentence,
    failure: new Failure('invalid_parameter', { detail: sentence }),
  };
}

function hindered(sentence: string, status: number = EXIT.failed): Fault {
  return { status, sentence, failure: new Failure('command_failed', { detail: sentence }) };
}

function wordsOf({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'name a command: --help lists them' : message.replace(/^error: /, '');
}
