// Which way statements are sought: by the instants that they are about, or by their places in the log.
import type { StatementQuery } from '../domain/facts/statement.js';

/**
 * Instants between two ends are few, and sought. Otherwise the log is walked in its order to the limit, and so is a span
 * of which an earlier answer has already shown the beginning.
 */
export const asksForSpan = ({ subject, from, to, afterIndex }: StatementQuery): boolean =>
  subject === undefined && from !== undefined && to !== undefined && afterIndex === undefined;
