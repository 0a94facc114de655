// A process that asks for admission as fast as it can, and says how often it was admitted.
import { sqliteCounters } from '../../src/storage/sqlite/counters.js';
import { T0 } from './samples.js';

const CALLS = 2_000;

const counters = sqliteCounters({ file: process.argv[2]!, clock: () => T0 });
let admitted = 0;
for (let n = 0; n < CALLS; n++) {
  const charge = { bucket: 'shared', minuteLimit: CALLS * 9, quota: 'q', dayLimit: CALLS, cost: 1 };
  if ((await counters.admit(charge)).refused === null) admitted += 1;
}
await counters.close();
process.stdout.write(`${admitted} ${CALLS}\n`);
