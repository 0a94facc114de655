// The script of the front page, as the text that browsers get: listens to the stream and keeps the table up to date.

/** Writes text only, never markup, so that nothing from the stream can become part of the page. */
export const BOARD_SCRIPT = `const STREAM = '/api/snapshot/leaderboard/stream?limit=25&interval=5';
const RETRY_MS = 10000;
const byId = (id) => document.getElementById(id);
const plain = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const shown = new Map();
let asOf = null;

// Two digits behind the point line up; what they would show as nothing gets its own digits.
function number(value) {
  if (value === null) return '–';
  return value === 0 || Math.abs(value) >= 0.01 ? plain.format(value) : small.format(value);
}

function say(state, text) {
  byId('light').dataset.state = state;
  if (byId('state').textContent !== text) byId('state').textContent = text;
}

function cell(row, name, className) {
  const element = document.createElement(name);
  if (name === 'th') element.scope = 'row';
  if (className) element.className = className;
  row.append(element);
  return element;
}

function rowOf(ticker) {
  const known = shown.get(ticker);
  if (known) return known;
  const row = document.createElement('tr');
  const made = {
    row,
    text: null,
    rank: cell(row, 'td', 'number'),
    change: cell(row, 'td'),
    ticker: cell(row, 'th'),
    density: cell(row, 'td', 'number'),
    band: document.createElement('span'),
    share: null,
    size: null,
  };
  made.band.className = 'band';
  cell(row, 'td').append(made.band);
  made.share = cell(row, 'td', 'number');
  made.size = cell(row, 'td');
  shown.set(ticker, made);
  return made;
}

function showChange(element, rank, before) {
  const moved = before === null ? null : before - rank;
  const sign = moved === null ? '•' : moved > 0 ? '▲' : moved < 0 ? '▼' : '–';
  const words = moved === null ? 'new' : moved > 0 ? 'up ' + moved : moved < 0 ? 'down ' + -moved : 'unchanged';
  const mark = document.createElement('span');
  mark.setAttribute('aria-hidden', 'true');
  mark.textContent = moved === null ? '• new' : sign + (moved ? ' ' + Math.abs(moved) : '');
  const spoken = document.createElement('span');
  spoken.className = 'hidden';
  spoken.textContent = words;
  element.className = moved === null || moved === 0 ? 'same' : moved > 0 ? 'up' : 'down';
  element.replaceChildren(mark, spoken);
}

function showRow(entry, first) {
  const parts = rowOf(entry.ticker);
  const text = JSON.stringify(entry);
  if (parts.text === text) return parts.row;
  const { attention_density: density = entry.attention_density, attention_share: share } = entry.core_kpi_values;
  parts.rank.textContent = entry.rank;
  showChange(parts.change, entry.rank, entry.rank_prev);
  parts.ticker.textContent = entry.ticker;
  parts.density.textContent = number(density);
  parts.band.textContent = entry.anomaly_band;
  parts.band.dataset.band = entry.anomaly_band;
  parts.share.textContent = number(share) + (share === null ? '' : ' %');
  parts.size.textContent = entry.cap_bucket;
  parts.row.classList.remove('changed');
  if (!first) requestAnimationFrame(() => parts.row.classList.add('changed'));
  parts.text = text;
  return parts.row;
}

function show(frame) {
  const rows = frame.leaderboard ?? [];
  const first = shown.size === 0;
  byId('rows').replaceChildren(...rows.map((entry) => showRow(entry, first)));
  const listed = new Set(rows.map((entry) => entry.ticker));
  for (const ticker of shown.keys()) if (!listed.has(ticker)) shown.delete(ticker);
  byId('fixture').hidden = frame.freshness !== 'fixture';
  asOf = new Date(frame.as_of);
  byId('as-of').textContent = 'as of ' + asOf.toISOString().slice(0, 19).replace('T', ' ') + ' UTC';
  showAge();
}

function showAge() {
  if (asOf === null) return;
  const seconds = Math.max(0, Math.round((Date.now() - asOf) / 1000));
  const text = seconds < 120 ? seconds + ' s' : Math.round(seconds / 60) + ' min';
  byId('age').textContent = 'Last frame ' + text + ' ago';
}

function listen() {
  const source = new EventSource(STREAM);
  source.addEventListener('open', () => say('live', 'Live'));
  source.addEventListener('snapshot', (event) => {
    say('live', 'Live');
    show(JSON.parse(event.data));
  });
  source.addEventListener('heartbeat', (event) => {
    say('live', 'Live');
    asOf = new Date(JSON.parse(event.data).as_of);
    showAge();
  });
  source.addEventListener('error', () => {
    say('broken', 'Connection lost, trying again…');
    // A browser gives up for good when it is refused; otherwise it comes back by itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
  });
}

setInterval(showAge, 1000);
listen();
`;
