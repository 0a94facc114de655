// What one part of `barograph validate` gives back.

export interface Validated {
  readonly json: unknown;
  readonly text: string;
  /** False when something under it did not verify. */
  readonly sound: boolean;
}
