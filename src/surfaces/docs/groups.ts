// What each group of operations is about, for the documentation.

const ABOUT: ReadonlyMap<string, string> = new Map([
  ['snapshot tape', 'The leaderboard, single tickers and cohorts, as recorded: now and at any past instant.'],
  [
    'signals and coordination',
    'Typed events of the tape, and how independent the voices behind the attention are.',
  ],
  [
    'research evidence',
    'Exact instruments and point-in-time baskets, and the standing of the key that asks.',
  ],
  ['contract, trust, service', 'What the numbers mean, how they were tested, and how the service is doing.'],
]);

export function aboutGroup(group: string): string {
  return ABOUT.get(group) ?? `Operations of the group “${group}”.`;
}
