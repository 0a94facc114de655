// The bus carries what was just published from the recorder to every API process.

/** Topics are few and fixed; a message is one JSON text, serialised once by its publisher. */
export type Topic =
  | 'attention.frame'
  | 'attention.signals'
  | 'macro.frame'
  | 'recorder.status'
  | 'access.revoked';

export interface Bus {
  publish(topic: Topic, message: string): Promise<void>;
  /** Messages that arrive while a listener is subscribed, in the order of publication. Returns the way out. */
  subscribe(topic: Topic, listener: (message: string) => void): Promise<() => Promise<void>>;
  /** True while messages can flow. */
  healthy(): boolean;
  close(): Promise<void>;
}

export class BusUnavailable extends Error {
  constructor(cause: unknown) {
    super('the bus does not answer', { cause });
    this.name = 'BusUnavailable';
  }
}
