// The identity cohort at random points of the plane: what one packet costs, and whether stored history makes it dearer.
import { figiCheckDigit } from '../dist/contracts/research/identifier-checks.js';
import { IdentityLine } from '../dist/contracts/research/identity-events.js';
import { identityReport } from '../dist/domain/facts/identity-event.js';
import { cohortBytes } from '../dist/domain/research/cohort.js';
import { Register } from '../dist/domain/research/register.js';
import { DAY, formatInstant, HOUR } from '../dist/kernel/instant.js';
import { seededRandom } from '../dist/kernel/statistics/seeded-random.js';
import { percentile } from './measuring.js';

const START = 20_000 * DAY;
const INSTRUMENTS = 2_000;
const BASKETS = 20;
const SOURCE = 'src_0000000000000000';
const id = (prefix, n) => `${prefix}_${String(n).padStart(16, '0')}`;
const digest = `sha256:${'0'.repeat(64)}`;
const figi = (n) => {
  const body = `BBG${String(n).padStart(8, '0')}`;
  return body + figiCheckDigit(body);
};

/** Every instrument with its issuer, names and one membership, and so many further events about each. */
function filled(revisions) {
  const register = new Register();
  const random = seededRandom(`cohort ${revisions}`);
  let events = 0;
  const take = (said, knownAt) => {
    const line = IdentityLine.parse({ ...said, event_id: `e${events++}` });
    const fault = register.take(identityReport(line, 'bench').body, knownAt);
    if (fault !== null) throw new Error(fault);
  };
  const cites = { source_refs: [SOURCE] };
  const since = (at) => ({ from: formatInstant(at), to: null });
  const member = (n, role, effective) => ({
    event: 'membership',
    basket_id: id('bsk', n % BASKETS),
    instrument_id: id('ins', n),
    role,
    effective,
    ...cites,
  });
  const symbol = (n, text, effective) => ({
    event: 'symbol',
    instrument_id: id('ins', n),
    text,
    mic: 'XNAS',
    effective,
  });
  const issuer = (n, legal_name, effective) => ({
    event: 'issuer',
    issuer_id: id('iss', n),
    legal_name,
    effective,
    ...cites,
  });
  const identifier = (n, scheme, value, effective) => ({
    event: 'identifier',
    owner_id: id('ins', n),
    scheme,
    value,
    effective,
    source_ref: SOURCE,
  });
  const always = since(START - 1_000 * DAY);
  take(
    {
      event: 'source',
      source_ref: SOURCE,
      kind: 'manual_review',
      publisher: 'bench',
      locator: 'bench.ndjson',
      published_at: null,
      retrieved_at: formatInstant(START - DAY),
      content_digest: digest,
      licence: 'none',
      state: 'used',
    },
    START,
  );
  for (let b = 0; b < BASKETS; b++) {
    const basket = {
      basket_id: id('bsk', b),
      title: `Basket ${b}`,
      kind: 'theme',
      definition_digest: digest,
    };
    take({ event: 'basket', ...basket, effective: always, ...cites }, START);
  }
  for (let n = 0; n < INSTRUMENTS; n++) {
    take(issuer(n, `Issuer ${n}`, always), START);
    const ids = { instrument_id: id('ins', n), issuer_id: id('iss', n) };
    const kind = { kind: 'common_share', share_class_label: null };
    take({ event: 'instrument', ...ids, ...kind, effective: always, ...cites }, START);
    take(identifier(n, 'figi_share_class', figi(3 * n), always), START);
    take(identifier(n, 'figi_composite', figi(3 * n + 1), always), START);
    take(identifier(n, 'figi_venue', figi(3 * n + 2), always), START);
    take(symbol(n, `S${n}`, always), START);
    take(member(n, 'PRIMARY', always), START);
  }
  take(
    {
      event: 'view',
      view_id: id('vie', 0),
      consumer: 'external',
      join_on: 'instrument_id',
      roles: ['PRIMARY'],
    },
    START,
  );
  for (let r = 0; r < revisions; r++) {
    for (let n = 0; n < INSTRUMENTS; n++) {
      const knownAt = START + (r + 1) * DAY + n;
      // Most change from about now on, some long ago; all leave the instrument in its basket.
      const from =
        random.uniform() < 0.7 ? knownAt + random.integer(0, 48) * HOUR : START + random.integer(0, r) * DAY;
      const effective = since(from);
      const what = random.integer(0, 9);
      if (what < 5) take(member(n, what % 2 === 0 ? 'PRIMARY' : 'CONTEXT', effective), knownAt);
      else if (what < 7) take(symbol(n, `S${n}R${r}`, effective), knownAt);
      else if (what < 9) take(issuer(n, `Issuer ${n}, ${r}`, effective), knownAt);
      else take(identifier(n, 'figi_composite', figi(3 * n + 1), effective), knownAt);
    }
  }
  return { holdings: register.holdings, last: START + (revisions + 2) * DAY, events };
}

function timedPackets({ holdings, last }, count) {
  const random = seededRandom('points');
  const at = () => START + DAY + Math.floor(random.uniform() * (last - START - DAY));
  const packet = () => cohortBytes(holdings, { asOf: at(), knownAt: at() });
  // Read before anything is timed: the garbage of the reading is not the packet's.
  for (let i = 0; i < 10; i++)
    if (JSON.parse(packet().toString()).bindings.length !== INSTRUMENTS)
      throw new Error('bindings are missing');
  const times = [];
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    const body = packet();
    const took = performance.now() - startedAt;
    if (i >= count / 5) times.push(took);
    bytes = body.length;
  }
  return { times, bytes };
}

export async function run(figure) {
  const long = filled(50);
  const packets = timedPackets(long, 500);
  const p99 = percentile(packets.times, 0.99);
  const size = `${(packets.bytes / 1e6).toFixed(1)} MB, ${INSTRUMENTS} bindings out of ${long.events.toLocaleString('en')} events`;
  figure('cohort', `p99 ${p99.toFixed(1)} ms for a packet of ${size}`, '25 ms', p99 <= 25);
  const short = timedPackets(filled(5), 150);
  // What is shown is the same. Ten times the rows no longer fit into a core's cache, which costs some; a walk over
  // them would cost ten times as much.
  const growth = percentile(packets.times, 0.5) / percentile(short.times, 0.5);
  figure('cohort-growth', `${growth.toFixed(2)}× the time with a tenth of the revisions`, '2×', growth <= 2);
}
