// Why a file cannot be read, or not any further; what was read before it stands.

export class FactFileError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = 'FactFileError';
  }
}
