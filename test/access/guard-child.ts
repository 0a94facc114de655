// A process that asks the guard for a key as fast as it can, with a clock that may be wrong, and says what it was told.
import { accessGuard } from '../../src/access/guard.js';
import { Keyring } from '../../src/access/keyring.js';
import { PrepaidCounters } from '../../src/access/prepaid.js';
import { Failure } from '../../src/contracts/failures.js';
import { systemClock } from '../../src/kernel/instant.js';
import { redisCounters } from '../../src/storage/redis/counters.js';

export interface Task {
  readonly url: string;
  readonly records: string;
  readonly key: string;
  readonly calls: number;
  /** How many of them at once. */
  readonly wave: number;
  /** Microseconds by which this process is off. */
  readonly skew: number;
}

export interface Told {
  /** How often each code was told. */
  readonly told: Readonly<Record<string, number>>;
  readonly resets: readonly number[];
}

const task = JSON.parse(process.argv[2]!) as Task;
const clock = () => systemClock() + task.skew;
const counters = redisCounters({ url: task.url });
const keyring = new Keyring(clock);
keyring.load(task.records);
const guard = accessGuard({
  keyring,
  counters: new PrepaidCounters(counters, clock),
  audit: () => undefined,
  clock,
  trustedProxies: [],
  addressSecret: new Uint8Array(32),
});
const operation = { name: 'signals', access: { kind: 'key', scope: 'signals:read' } } as const;
const call = { headers: { 'x-api-key': task.key }, socket: { remoteAddress: '127.0.0.1' } };

const told: Record<string, number> = {};
const resets = new Set<number>();
const once = async (): Promise<void> => {
  const hear = (name: string, value: string) => {
    if (name === 'X-RateLimit-Reset') resets.add(Number(value));
  };
  const said = await guard(operation, call, hear, 'r').then(
    () => 'admitted',
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );
  told[said] = (told[said] ?? 0) + 1;
};
while (!(await counters.healthy()));
for (let done = 0; done < task.calls; done += task.wave) {
  await Promise.all(Array.from({ length: task.wave }, once));
}
await counters.close();
process.stdout.write(JSON.stringify({ told, resets: [...resets] } satisfies Told));
