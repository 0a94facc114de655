// What it takes to read one kind of record from a file.
import type { FactBody, Report } from '../../domain/facts/fact.js';
import type { PostReport } from '../../domain/facts/post.js';
import type { Instant } from '../../kernel/instant.js';
import type { Day } from '../../kernel/new-york-time.js';
import type { RawRecord } from './fields.js';

/** When a value of a series usually comes out; null where no rule is known. */
export type ReleaseOf = (series: string, day: Day) => Instant | null;

export interface ReadingAt {
  /** Nothing may be dated as known after this instant. */
  readonly now: Instant;
  /** The source of facts whose records name no provider. */
  readonly source: string;
  /** For values whose record does not say when they became known. */
  readonly releaseOf: ReleaseOf;
}

export interface RecordKind<Out extends PostReport | Report<FactBody>> {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Records with members inside of members, which no CSV can hold. */
  readonly jsonOnly?: true;
  /** Throws `Refused` with the reason. */
  read(record: RawRecord, at: ReadingAt): Out;
}

/** Posts and other facts take different ways: posts still have to be made into facts. */
export type Intake =
  | { readonly into: 'posts'; readonly kind: RecordKind<PostReport> }
  | { readonly into: 'facts'; readonly kind: RecordKind<Report> };
