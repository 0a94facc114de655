// Sends rows to a table with COPY.
import { type Cell, type Column, CopyRows } from './binary-copy.js';
import type { Sql } from './driver.js';

export async function copyInto(
  sql: Sql,
  table: string,
  columns: readonly Column[],
  rows: Iterable<readonly Cell[]>,
): Promise<void> {
  const copy = new CopyRows(columns);
  for (const row of rows) copy.add(row);
  if (copy.empty) return;
  const names = columns.map(([name]) => name).join(', ');
  const query = sql.unsafe(`COPY barograph.${table} (${names}) FROM STDIN (FORMAT binary)`);

  // The driver holds a COPY for done when it begins, and tells nobody of a refusal at its end; this hears it.
  const inner = query as unknown as { reject: (error: unknown) => void };
  const tellDriver = inner.reject;
  const refused = new Promise<never>((_, reject) => {
    inner.reject = (error) => {
      reject(error);
      tellDriver(error);
    };
  });
  refused.catch(() => {});

  const stream = await query.writable();
  // Not its finish: on closing, the driver still sends a word that would break off the next COPY.
  const closed = new Promise<void>((resolve, reject) => {
    stream.once('close', resolve);
    stream.once('error', reject);
  });
  stream.end(copy.finish());
  await Promise.race([closed, refused]);
}
