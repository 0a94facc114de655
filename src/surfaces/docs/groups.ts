// What each group of operations is about, for the documentation.

const ABOUT: ReadonlyMap<string, string> = new Map([
  ['snapshot tape', 'The leaderboard, single tickers and cohorts, as recorded: now and at any past instant.'],
  [
    'signals and coordination',
    'Typed events of the tape, and how independent the voices behind the attention are.',
  ],
  [
    'macro structure',
    'One structure score per asset with its drivers, the gauges, indexes and narratives behind it, now and at any past instant.',
  ],
  ['agent tools', 'The same measurements in the short forms that agents take, and the daily briefing.'],
  [
    'research evidence',
    'Exact instruments and point-in-time baskets, and the standing of the key that asks.',
  ],
  [
    'log',
    'The append-only log of everything that the service states, and the proofs that let anyone check answers without trusting it.',
  ],
  ['contract, trust, service', 'What the numbers mean, how they were tested, and how the service is doing.'],
]);

export function aboutGroup(group: string): string {
  return ABOUT.get(group) ?? `Operations of the group “${group}”.`;
}
