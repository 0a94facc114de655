// Exit statuses of the command line: scripts can rely on them.

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** Some lines were refused; the good ones are stored. */
  rejects: 3,
  /** Something recorded does not agree with the facts. */
  disagrees: 4,
} as const;

/** A fault that the person at the terminal can mend: shown as one sentence, without a stack. */
export class CommandFault extends Error {
  readonly status: number;
  constructor(message: string, status: number = EXIT.failed) {
    super(message);
    this.name = 'CommandFault';
    this.status = status;
  }
}

/** A fault after something went to standard output, data or an account: words about it must not get among them. */
export class FaultAfterOutput extends Error {
  constructor(cause: unknown) {
    super('the command broke off', { cause });
    this.name = 'FaultAfterOutput';
  }
}
